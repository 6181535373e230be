// SPDX-License-Identifier: Apache-2.0
internal import Systemd

/// The bytes that calls hold until they are answered: of each program, and of all.
struct UnfinishedAnswers {
    private var apps: [String: Int] = [:]
    private var bytes = 0

    mutating func add(_ added: Int, of app: String) throws(BusError) {
        let own = apps[app] ?? 0
        guard own + added <= BridgeLimits.answerBytesPerApp else {
            throw .tooMany("At most \(BridgeLimits.answerBytesPerApp) bytes in unanswered calls of one program")
        }
        guard bytes + added <= BridgeLimits.answerBytes else {
            throw .tooMany("At most \(BridgeLimits.answerBytes) bytes in unanswered calls of all programs")
        }
        apps[app] = own + added
        bytes += added
    }

    mutating func remove(_ removed: Int, of app: String) {
        let own = (apps[app] ?? 0) - removed
        apps[app] = own > 0 ? own : nil
        bytes -= removed
    }
}
