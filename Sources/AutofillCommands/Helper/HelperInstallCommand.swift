// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol
import CredentialHelpers

struct HelperInstallCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Adds the helper to a tool's configuration.",
        discussion: """
            git: credential.helper in the global configuration. docker: credsStore in ~/.docker/config.json. cargo: \
            global-credential-providers in ~/.cargo/config.toml. The rest of these files is unchanged; of docker's and \
            cargo's a copy is kept, with the suffix .before-autofill.

            Example:
              autofillctl helper install docker
            """)

    @Argument(help: "The tool.") var tool: HelperTool
    @Flag(help: "Replace another helper of docker.") var replace = false
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        guard ProcessEnvironment.current.program(tool.program) != nil else {
            throw CommandFailure(
                .unavailable, "\(tool.program) is not in PATH",
                fix: "Install autofilld, or add the directory of its programs to PATH")
        }
        try tool.report(try tool.setup().install(replacing: replace), nothing: "installed already", format, console)
    }
}

struct HelperUninstallCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall", abstract: "Removes the helper from a tool's configuration.",
        discussion: """
            Stored passwords stay in the vault.

            Example:
              autofillctl helper uninstall git
            """)

    @Argument(help: "The tool.") var tool: HelperTool
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        try tool.report(try tool.setup().uninstall(), nothing: "not installed", format, console)
    }
}

extension HelperTool {
    /// Prints the changes of the tool's configuration.
    fileprivate func report(
        _ changes: [String], nothing: String, _ format: FormatOptions, _ console: Console
    ) throws(CommandFailure) {
        if format.json {
            let file = try setup().file
            return console.print { writer in
                writer.member("tool", rawValue)
                writer.member("file", file)
                writer.member("changed", !changes.isEmpty)
                writer.member("changes", changes)
            }
        }
        if format.quiet { return }
        for line in changes.isEmpty ? ["\(rawValue): \(nothing)"] : changes { console.print(line.printable) }
    }
}
