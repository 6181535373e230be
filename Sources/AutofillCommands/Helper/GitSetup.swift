// SPDX-License-Identifier: Apache-2.0

/// `credential.helper` in git's configuration, by `git config`.
struct GitSetup: ToolSetup {
    private static let helper = "autofill"
    let environment: ProcessEnvironment

    var file: String {
        if let named = environment["GIT_CONFIG_GLOBAL"], !named.isEmpty { return named }
        let home = environment["HOME"] ?? ""
        let other =
            (environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.config") + "/git/config"
        return !exists(home + "/.gitconfig") && exists(other) ? other : home + "/.gitconfig"
    }

    func isInstalled() throws(CommandFailure) -> Bool {
        try helpers().contains(Self.helper)
    }

    func install(replacing: Bool) throws(CommandFailure) -> [String] {
        let others = try helpers()
        guard !others.contains(Self.helper) else { return [] }
        _ = try git(["--add", "credential.helper", Self.helper])
        var changes = ["\(file): credential.helper = \(Self.helper) was added"]
        for other in others where !other.isEmpty {
            changes.append("note: git calls the helper \"\(other)\" first, and passes it the same data")
        }
        return changes
    }

    func uninstall() throws(CommandFailure) -> [String] {
        guard try isInstalled() else { return [] }
        _ = try git(["--unset-all", "credential.helper", "^\(Self.helper)$"])
        return ["\(file): credential.helper = \(Self.helper) was removed"]
    }

    private func helpers() throws(CommandFailure) -> [String] {
        try git(["--get-all", "credential.helper"], mayFind: 1)
    }

    /// - Parameter mayFind: the exit status for an empty result.
    private func git(_ arguments: [String], mayFind nothing: Int32? = nil) throws(CommandFailure) -> [String] {
        guard let program = environment.program("git") else {
            throw CommandFailure(.unavailable, "git is not in PATH", fix: "Install it")
        }
        let run = try ProgramRun(program, ["config", "--global"] + arguments, environment)
        guard run.status == 0 || run.status == nothing else {
            throw CommandFailure(.system, run.errors.first ?? "git config failed")
        }
        return run.output
    }
}
