// SPDX-License-Identifier: Apache-2.0
package import EventLoop

/// The environment of the user's session as the user's service manager has it now: the desktop sets its display after
/// it has started, and the daemon may be older than that. Must be retained while the loop runs, like a prompter.
package final class SessionEnvironment {
    private static let answerTime = Duration.seconds(5)

    private let launcher: ProgramLauncher
    private let manager: String

    /// - Parameters:
    ///   - pool: starts the program that queries the manager.
    ///   - manager: that program.
    package init(on loop: EventLoop, pool: WorkerPool, manager: String = "/usr/bin/systemctl") {
        launcher = ProgramLauncher(on: loop, pool: pool)
        self.manager = manager
    }

    /// The manager's variables over those that this process was started with; these alone where no manager answers.
    /// Called on an actor whose executor is the loop.
    package func current(over own: [String: String]) async -> [String: String] {
        guard own["XDG_RUNTIME_DIR"] != nil || own["DBUS_SESSION_BUS_ADDRESS"] != nil else { return own }
        var variables = own
        let asking = PromptEnvironment(session: own).environment
        do throws(PrompterProcess.Failure) {
            let process = try await launcher.start(manager, ["--user", "show-environment"], environment: asking)
            process.skipsLongLines = true
            let deadline = launcher.loop.clocks.monotonic() + Self.answerTime
            while true {
                let line = try await process.nextLine(until: deadline) { String(decoding: $0, as: UTF8.self) }
                if let (name, value) = Self.variable(line) { variables[name] = value }
            }
        } catch {
            return variables
        }
    }

    /// `NAME=value`; a value that had to be quoted is none of those that we need.
    static func variable(_ line: String) -> (name: String, value: String)? {
        guard let equals = line.firstIndex(of: "=") else { return nil }
        let value = line[line.index(after: equals)...]
        return value.isEmpty || value.hasPrefix("$'") ? nil : (String(line[..<equals]), String(value))
    }
}
