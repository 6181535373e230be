// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// Which records have a login, and the reverse.
struct LoginIndex: Sendable {
    private var logins: [ObjectID: [Login]] = [:]
    private var records: [Login: Set<ObjectID>] = [:]

    func records(with login: Login) -> Set<ObjectID> { records[login] ?? [] }

    func logins(of id: ObjectID) -> [Login] { logins[id] ?? [] }

    /// Whether another record has a login in common with this one.
    func hasNeighbours(_ id: ObjectID) -> Bool { logins(of: id).contains { (records[$0]?.count ?? 0) > 1 } }

    mutating func set(_ new: [Login], of id: ObjectID) {
        let old = logins[id] ?? []
        guard old != new else { return }
        logins[id] = new.isEmpty ? nil : new
        for login in old where !new.contains(login) {
            records[login]?.remove(id)
            if records[login]?.isEmpty == true { records[login] = nil }
        }
        for login in new where !old.contains(login) { records[login, default: []].insert(id) }
    }
}
