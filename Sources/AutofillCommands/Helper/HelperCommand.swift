// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CredentialHelpers

struct HelperCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "helper", abstract: "Has git, docker and cargo keep passwords here.",
        discussion: """
            Each of them finds its helper program by the name in its own configuration, which these commands edit.

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
    /// - Parameter replacing: whether another helper's place is taken where there is but one.
    /// - Returns: what was changed, and what there is to know, in lines; empty where there was nothing to do.
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
    /// A directory that a variable names, else one in the home directory.
    fileprivate func directory(_ name: String, inHome folder: String) throws(CommandFailure) -> String {
        if let named = self[name], !named.isEmpty { return named }
        guard let home = self["HOME"], !home.isEmpty else {
            throw CommandFailure(.usage, "HOME is not set", fix: "Set it, or \(name)")
        }
        return "\(home)/\(folder)"
    }

    /// Where the PATH has a program.
    func program(_ name: String) -> String? {
        (self["PATH"] ?? "/usr/bin:/bin").split(separator: ":").lazy.map { "\($0)/\(name)" }
            .first { isExecutable($0) }
    }
}
