// SPDX-License-Identifier: Apache-2.0
package import Credentials

extension SyncState {
    /// The ids that appear as one record with this one: connected by logins in common, the living with the living and the deleted
    /// with the deleted. The least is shown, the others are its aliases. Empty where there is no such record.
    package func group(of id: ObjectID) -> [ObjectID] {
        guard let record = records[id], !record.elements.isEmpty else { return [] }
        let isAlive = record.isAlive
        return connected(to: id) { records[$0]?.isAlive == isAlive }
    }

    /// The same with living and deleted records in one: what a new value must be later than.
    package func relatives(of id: ObjectID) -> [ObjectID] {
        contains(id) ? connected(to: id) { _ in true } : []
    }

    /// Whether it appears in lists: not deleted.
    package func isAlive(_ id: ObjectID) -> Bool { records[id]?.isAlive ?? false }

    /// The sites and the user of this id alone.
    package func logins(of id: ObjectID) -> [Login] { index.logins(of: id) }

    /// The records, the living and the deleted, that have this login.
    package func records(with login: Login) -> [ObjectID] { index.records(with: login).sorted() }

    private func connected(to id: ObjectID, where isIncluded: (ObjectID) -> Bool) -> [ObjectID] {
        guard index.hasNeighbours(id) else { return [id] }
        var found: Set = [id], waiting = [id]
        while let next = waiting.popLast() {
            for login in index.logins(of: next) {
                for other in index.records(with: login) where !found.contains(other) && isIncluded(other) {
                    found.insert(other)
                    waiting.append(other)
                }
            }
        }
        return found.sorted()
    }
}
