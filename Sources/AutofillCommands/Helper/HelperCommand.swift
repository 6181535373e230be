// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CredentialHelpers

struct HelperCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "helper", abstract: "Sets up git, docker and cargo to store passwords.",
        discussion: """
            Each tool finds its helper program by the name in its own configuration, which these commands edit.

            Examples:
              autofillctl helper install git
              autofillctl helper status
            """,
        subcommands: [HelperInstallCommand.self, HelperUninstallCommand.self, HelperStatusCommand.self])
}

extension HelperTool: ExpressibleByArgument {}

/// How a tool's configuration names its helper.
protocol ToolSetup {
    /// The file that is edited.
    var file: String { get }
    func isInstalled() throws(CommandFailure) -> Bool
    /// - Parameter replacing: whether another helper is replaced if the tool can have only one.
    /// - Returns: the changes and notes, as lines; empty if nothing was changed.
    func install(replacing: Bool) throws(CommandFailure) -> [String]
    func uninstall() throws(CommandFailure) -> [String]
}

extension HelperTool {
    func setup(_ environment: ProcessEnvironment = .current) throws(CommandFailure) -> any ToolSetup {
        switch self {
        case .git: GitSetup(environment: environment)
        case .docker: DockerSetup(directory: try environment.directory("DOCKER_CONFIG", inHome: ".docker"))
        case .cargo: CargoSetup(directory: try environment.directory("CARGO_HOME", inHome: ".cargo"))
        }
    }
}

extension ProcessEnvironment {
    /// The directory in a variable, else one in the home directory.
    fileprivate func directory(_ name: String, inHome folder: String) throws(CommandFailure) -> String {
        if let named = self[name], !named.isEmpty { return named }
        guard let home = self["HOME"], !home.isEmpty else {
            throw CommandFailure(.usage, "HOME is not set", fix: "Set it, or \(name)")
        }
        return "\(home)/\(folder)"
    }

    /// The path of a program in PATH.
    func program(_ name: String) -> String? {
        (self["PATH"] ?? "/usr/bin:/bin").split(separator: ":").lazy.map { "\($0)/\(name)" }
            .first { isExecutable($0) }
    }
}
