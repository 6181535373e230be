// SPDX-License-Identifier: Apache-2.0

/// The environment of the user's session as the user's service manager has it now: the desktop tells it its display after
/// it has started, and the daemon may be older than that.
package enum SessionEnvironment {
    private static let manager = "/usr/bin/systemctl"
    private static let answerMilliseconds = 5000

    /// The manager's variables over those that this process was started with; these alone where no manager answers.
    package static func current(over own: [String: String]) -> [String: String] {
        guard own["XDG_RUNTIME_DIR"] != nil || own["DBUS_SESSION_BUS_ADDRESS"] != nil, let withdrawal = Withdrawal()
        else { return own }
        var variables = own
        let asking = PromptSurroundings(session: own).environment
        do throws(PrompterProcess.Failure) {
            let process = try PrompterProcess(
                manager, ["--user", "show-environment"], environment: asking, withdrawal: withdrawal)
            while true {
                let line = try process.nextLine(withinMilliseconds: answerMilliseconds) {
                    String(decoding: $0, as: UTF8.self)
                }
                if let (name, value) = variable(line) { variables[name] = value }
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
