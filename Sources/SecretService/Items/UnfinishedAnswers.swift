// SPDX-License-Identifier: Apache-2.0
internal import Systemd

/// The bytes that calls, their messages, or prompts hold until they are answered: of each holder, and of all. A holder is a
/// program; of messages a process, or a connection whose process is not known yet. What others hold keeps none from holding a
/// little.
final class UnfinishedAnswers {
    private let limits: BridgeLimits.ByteLimits
    private let holders: String
    private var apps: [String: Int] = [:]
    private var bytes = 0

    private init(_ limits: BridgeLimits.ByteLimits, of holders: String) {
        (self.limits, self.holders) = (limits, holders)
    }

    static func ofCalls() -> UnfinishedAnswers { UnfinishedAnswers(BridgeLimits.answerBytes, of: "unanswered calls") }

    static func ofPrompts() -> UnfinishedAnswers { UnfinishedAnswers(BridgeLimits.promptBytes, of: "prompts") }

    static func ofMessages() -> UnfinishedAnswers {
        UnfinishedAnswers(BridgeLimits.waitingMessageBytes, of: "unanswered messages")
    }

    func add(_ added: Int, of app: String) throws(BusError) {
        let own = apps[app] ?? 0
        guard isWithinOwn(added, of: app) else {
            throw .tooMany("At most \(limits.app) bytes in \(holders) of one program")
        }
        guard own + added <= limits.least || bytes + added <= limits.all else {
            throw .tooMany("At most \(limits.all) bytes in \(holders) of all programs")
        }
        apps[app] = own + added
        bytes += added
    }

    /// Whether that much more is within the limit of one program.
    func isWithinOwn(_ added: Int, of app: String) -> Bool { (apps[app] ?? 0) + added <= limits.app }

    func remove(_ removed: Int, of app: String) {
        let own = (apps[app] ?? 0) - removed
        apps[app] = own > 0 ? own : nil
        bytes -= removed
    }
}
