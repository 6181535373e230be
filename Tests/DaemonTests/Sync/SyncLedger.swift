// SPDX-License-Identifier: Apache-2.0

/// All saves that were sent to any machine, in order, and which of them were answered.
struct SyncLedger {
    private struct Save {
        let password: String
        var isAnswered: Bool
    }

    private var saves: [String: [Save]] = [:]
    private(set) var answered = 0
    private var count = 0

    /// How many passwords of one credential are kept beside the present one.
    private static let historyLimit = 10

    /// Saves on a machine: every third time a new user, else one of those that both machines change.
    mutating func save(
        on machine: SyncMachine, _ generator: inout some RandomNumberGenerator, beforeAnswer: () -> Void = {}
    ) throws {
        count += 1
        let shared = Int.random(in: 0..<8, using: &generator) + count / 40 * 8
        var user = "shared-\(shared)"
        if count.isMultiple(of: 3) || saves[user]?.count ?? 0 >= Self.historyLimit { user = "user-\(count)" }
        let password = "password \(count)"
        let isAnswered = try machine.save(user, password, beforeAnswer: beforeAnswer)
        saves[user, default: []].append(Save(password: password, isAnswered: isAnswered))
        if isAnswered { answered += 1 }
    }

    /// What is not as the answers promised: a password that is neither in use nor in the history, or an older one in
    /// use.
    func faults(of saved: [String: SyncMachine.Saved]) -> [String] {
        var faults: [String] = []
        for (user, saves) in self.saves {
            guard let last = saves.lastIndex(where: \.isAnswered) else { continue }
            guard let found = saved[user] else {
                faults.append("\(user) is lost")
                continue
            }
            let all = found.former.union([found.password])
            faults += saves.filter { $0.isAnswered && !all.contains($0.password) }.map { "\($0.password) is lost" }
            // A save without an answer may have been made.
            if !saves[last...].contains(where: { $0.password == found.password }) {
                faults.append("\(user) has \(found.password) in use, after \(saves[last].password)")
            }
        }
        return faults + saved.keys.filter { saves[$0] == nil }.map { "\($0) was never saved" }
    }
}
