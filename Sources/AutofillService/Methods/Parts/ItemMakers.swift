// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials

/// Which programs made the keychain items and verifiers that were made since the start and are still there: who wrote what is kept is
/// sealed in it, so what is older counts for nobody.
struct ItemMakers {
    private var makers: [ObjectID: String] = [:]
    private var counts: [String: Int] = [:]

    /// Whether a program (a session's account) has made so few that it may make another.
    func hasRoom(for account: String) -> Bool { counts[account, default: 0] < Limits.itemsPerApp }

    mutating func note(_ id: ObjectID, madeBy account: String) {
        forget(id)
        makers[id] = account
        counts[account, default: 0] += 1
    }

    /// It was deleted, by whomever: its maker has room for another.
    mutating func forget(_ id: ObjectID) {
        guard let account = makers.removeValue(forKey: id), let count = counts[account] else { return }
        counts[account] = count > 1 ? count - 1 : nil
    }
}
