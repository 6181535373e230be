// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

extension Vault {
    // MARK: - Finding

    /// What is saved for a service, without secrets, in the order of `CredentialPosition`.
    package func credentials(for service: Service) throws(VaultError) -> [CredentialSummary] {
        try read { parts, statements throws(VaultError) in
            let scope = Credential.scope(service: service, key: parts.keys.index)
            let found: [Credential] = try fetchAll(in: scope, parts, statements)
            return found.map { CredentialSummary($0, lastUsed: parts.uses[$0.id]) }.sorted { $0.position < $1.position }
        }
    }

    /// Up to `limit` of a service's credentials that are wanted, by id and version, behind a position. Opens no others.
    package func credentials(
        for service: Service, after position: CredentialPosition?, limit: Int,
        where isWanted: (ObjectID, UInt64) -> Bool = { _, _ in true }
    ) throws(VaultError) -> VaultPage<CredentialSummary, CredentialPosition> {
        try read { parts, statements throws(VaultError) in
            let scope = parts.scope(of: service)
            let rest = try places(in: scope, parts, statements).drop { place in
                position.map { place.position <= $0 } ?? false
            }
            var found: [CredentialSummary] = []
            for place in rest where isWanted(place.id, place.version) {
                guard found.count < limit else { return VaultPage(elements: found, next: found.last?.position) }
                let credential: Credential?? = try sound { () throws(VaultError) in
                    try fetch(place.id, parts, statements)
                }
                if let credential = credential ?? nil {
                    found.append(CredentialSummary(credential, lastUsed: parts.uses[place.id]))
                }
            }
            return VaultPage(elements: found, next: nil)
        }
    }

    /// How many are saved for a service. Opens none.
    package func credentialCount(for service: Service) throws(VaultError) -> Int {
        try read { parts, statements throws(VaultError) in
            try count(in: Credential.scope(service: service, key: parts.keys.index), statements)
        }
    }

    /// The credential of a user, whose name is looked up by the UTF-8 of its NFC form.
    package func credential(for service: Service, user: String) throws(VaultError) -> Credential? {
        try read { parts, statements throws(VaultError) in
            let name = Credential.name(service: service, user: user, key: parts.keys.index)
            return try fetch(BlindIndex(scope: parts.scope(of: service), name: name), parts, statements)
        }
    }

    /// The credential of this id, deleted or not.
    package func credential(_ id: ObjectID) throws(VaultError) -> Credential? {
        try read { parts, statements throws(VaultError) in try fetch(id, parts, statements) }
    }

    /// All that are not deleted, in the order of their ids.
    package func credentials(
        after cursor: ObjectID?, limit: Int
    ) throws(VaultError) -> VaultPage<CredentialSummary, ObjectID> {
        let page: VaultPage<Credential, ObjectID> = try list(after: cursor, limit: limit, rows: Self.rowsOfPage) {
            $0.deleted == nil
        }
        return VaultPage(elements: page.elements.map { CredentialSummary($0) }, next: page.next)
    }

    /// How many rows one page of all credentials goes through, deleted ones too: some 4 ms.
    private static let rowsOfPage = 800

    // MARK: - Saving

    /// Adds a new one, with the id and version it has. Throws `alreadySaved` where the service has this user.
    package func insert(_ credential: Credential) throws(VaultError) { try insert([credential]) }

    /// Adds many in one transaction, all or none; for an import.
    package func insert(_ credentials: [Credential]) throws(VaultError) {
        try write { parts, statements, changes throws(VaultError) in
            for credential in credentials {
                let index = credential.blindIndex(key: parts.keys.index)
                if let found: Credential = try fetch(index, parts, statements) { throw .alreadySaved(found.id) }
                try insert(credential, parts, statements, &changes)
            }
        }
    }

    /// Saves a password for a service and user: a new credential, or a change of the one that is there, whose password is
    /// then kept among the previous ones. What is there already is left alone: `changed` is false.
    ///
    /// - Parameter version: the one that the caller has seen, 0 for none; where another one is to be changed, throws
    ///   `versionConflict`.
    package func save(
        _ draft: CredentialDraft, ifVersion version: UInt64? = nil, at now: Timestamp
    ) throws(VaultError) -> Saved {
        try write { parts, statements, changes throws(VaultError) in
            try save(draft, ifVersion: version, at: now, parts, statements, &changes)
        }
    }

    /// Changes whatever `change` changes; a password that it replaces is kept among the previous ones. Throws `notFound`,
    /// also for one that is deleted.
    package func update(
        _ id: ObjectID, ifVersion version: UInt64? = nil, at now: Timestamp, _ change: (inout Credential) -> Void
    ) throws(VaultError) -> Saved {
        try write { parts, statements, changes throws(VaultError) in
            guard let old: Credential = try fetch(id, parts, statements), old.deleted == nil else {
                throw .notFound(id)
            }
            var new = old
            change(&new)
            return try replace(old, with: new, ifVersion: version, at: now, parts, statements, &changes)
        }
    }

    /// Notes that a credential was given out: in memory now, in the file with `syncReleases`. Its version stays.
    package func noteUse(of id: ObjectID, at now: Timestamp) throws(VaultError) {
        let parts = try unlocked
        parts.uses[id] = now
        parts.orders.noteUse(of: id, at: now)
    }

    // MARK: - In a transaction

    func save(
        _ draft: CredentialDraft, ifVersion version: UInt64?, at now: Timestamp, _ parts: UnlockedVault,
        _ statements: VaultStatements, _ changes: inout VaultChanges
    ) throws(VaultError) -> Saved {
        let index = Credential.blindIndex(service: draft.service, user: draft.user, key: parts.keys.index)
        if let old: Credential = try fetch(index, parts, statements) {
            let new = draft.applied(to: old, at: now)
            return try replace(old, with: new, ifVersion: version, at: now, parts, statements, &changes)
        }
        try check(version, against: 0)
        let new = Credential(
            id: newID(.credential), service: draft.service, user: draft.user, password: draft.password,
            rules: draft.rules, oneTimeCode: draft.oneTimeCode, notes: draft.notes, created: now, changed: now,
            writer: draft.writer, codeWriter: draft.oneTimeCode.map { _ in draft.writer })
        try insert(new, parts, statements, &changes)
        return Saved(id: new.id, version: new.version, isNew: true, changed: true)
    }

    func replace(
        _ old: Credential, with candidate: Credential, ifVersion version: UInt64? = nil, at now: Timestamp,
        _ parts: UnlockedVault, _ statements: VaultStatements, _ changes: inout VaultChanges
    ) throws(VaultError) -> Saved {
        guard !candidate.isSame(as: old) else {
            return Saved(id: old.id, version: old.version, isNew: false, changed: false)
        }
        // Not before: who repeats a save whose answer was lost names the version from before it.
        try check(version, against: old.version)
        var new = candidate
        if !new.password.equals(old.password) {
            let former = Credential.Previous(password: old.password, replaced: now)
            new.previous = Array(([former] + old.previous).prefix(Credential.previousLimit))
        }
        new.version = old.version + 1
        new.changed = now
        try replace(old, with: new, parts, statements, &changes)
        return Saved(id: new.id, version: new.version, isNew: false, changed: true)
    }

    func check(_ expected: UInt64?, against current: UInt64) throws(VaultError) {
        guard expected == nil || expected == current else { throw .versionConflict(current: current) }
    }

    /// A name that was never given before.
    func newID(_ kind: ObjectID.Kind) -> ObjectID {
        ObjectID(kind: kind, high: entropy.next(), low: entropy.next())
    }
}
