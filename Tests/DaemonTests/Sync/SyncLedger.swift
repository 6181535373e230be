// SPDX-License-Identifier: Apache-2.0

/// All saves that were sent to any machine, in order, which of them were answered, and which were deleted later.
struct SyncLedger {
    private struct Save {
        let password: String
        var isAnswered: Bool
        /// Deleted by a machine that had it.
        var isDeleted = false
    }

    private var saves: [String: [Save]] = [:]
    private(set) var answered = 0
    private var count = 0

    /// How many passwords of one credential are kept beside the present one.
    private static let historyLimit = 10

    /// Saves on a machine: every third time a new user, else one of those that all machines change.
    mutating func save(
        on machine: SyncMachine, _ generator: inout some RandomNumberGenerator, beforeAnswer: () -> Void = {}
    ) throws {
        let number = count + 1
        let shared = Int.random(in: 0..<8, using: &generator) + number / 40 * 8
        var user = "shared-\(shared)"
        if number.isMultiple(of: 3) || saves[user]?.count ?? 0 >= Self.historyLimit { user = "user-\(number)" }
        try save(user, on: machine, beforeAnswer: beforeAnswer)
    }

    mutating func save(_ user: String, on machine: SyncMachine, beforeAnswer: () -> Void = {}) throws {
        count += 1
        let password = "password \(count)"
        let isAnswered = try machine.save(user, password, beforeAnswer: beforeAnswer)
        saves[user, default: []].append(Save(password: password, isAnswered: isAnswered))
        if isAnswered { answered += 1 }
    }

    /// Deletes on a machine one of the users that were saved on any.
    mutating func delete(on machine: SyncMachine, _ generator: inout some RandomNumberGenerator) throws {
        guard let user = saves.keys.sorted().randomElement(using: &generator) else { return }
        try delete(user, on: machine)
    }

    /// Deletes a user on a machine: what that has of it then, no more. What another machine saves without knowing of it stays.
    mutating func delete(_ user: String, on machine: SyncMachine) throws {
        let deleted = try machine.delete(user)
        saves[user] = saves[user]?.map { save in
            var save = save
            save.isDeleted = save.isDeleted || deleted.contains(save.password)
            return save
        }
    }

    /// What is not as the answers promised: a password that is neither in use nor in the history, or an older one in use; or
    /// what was deleted, or never saved.
    func faults(of saved: [String: SyncMachine.Saved]) -> [String] {
        var faults: [String] = []
        for (user, saves) in self.saves {
            guard let last = saves.lastIndex(where: { $0.isAnswered && !$0.isDeleted }) else { continue }
            guard let found = saved[user] else {
                faults.append("\(user) is lost")
                continue
            }
            faults += saves.filter { $0.isAnswered && !$0.isDeleted && !found.all.contains($0.password) }.map {
                "\($0.password) is lost"
            }
            // A save without an answer may have been made. A later password that was deleted is shown with one that was not.
            if !saves[last...].contains(where: { $0.password == found.password }) {
                faults.append("\(user) has \(found.password) in use, after \(saves[last].password)")
            }
        }
        let others = saved.keys.filter { saves[$0]?.allSatisfy(\.isDeleted) ?? true }
        return faults + others.map { "\($0) was deleted, or never saved" }
    }
}
