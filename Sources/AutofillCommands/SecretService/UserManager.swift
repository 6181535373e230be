// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The user's systemd, if one runs.
struct UserManager {
    private let systemctl: String
    private let environment: ProcessEnvironment

    init?(_ environment: ProcessEnvironment) {
        guard let runtime = environment["XDG_RUNTIME_DIR"], exists("\(runtime)/systemd/private"),
            let program = environment.program("systemctl")
        else { return nil }
        (systemctl, self.environment) = (program, environment)
    }

    func hasUnit(_ name: String) throws(CommandFailure) -> Bool { try run(["cat", name]) == 0 }

    /// Has it read its units again.
    func reload() throws(CommandFailure) { _ = try run(["daemon-reload"]) }

    private func run(_ arguments: [String]) throws(CommandFailure) -> Int32? {
        try ProgramRun(systemctl, ["--user"] + arguments, environment).status
    }
}

extension SessionBus.Owner {
    /// Ends it, as systemd would.
    func end() { kill(processID, SIGTERM) }
}
