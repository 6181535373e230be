// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

/// Saving credentials.
extension Vault {
    /// Adds a new one, with the id and version it has. Throws `alreadySaved` where one of its services
    /// has this user.
    package func insert(_ credential: Credential) throws(VaultError) { try insert([credential]) }

    /// Adds many in one transaction, all or none; for an import.
    package func insert(_ credentials: [Credential]) throws(VaultError) {
        try write { parts, statements, changes throws(VaultError) in
            for credential in credentials {
                if let rival = try rival(of: credential, parts, statements) { throw .alreadySaved(rival) }
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
    /// also for one that is deleted, and `alreadySaved` where a service that it gets has this user.
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
        if let old = try password(for: draft.service, user: draft.user, parts, statements) {
            let new = draft.applied(to: old, at: now)
            return try replace(old, with: new, ifVersion: version, at: now, parts, statements, &changes)
        }
        try check(version, against: 0)
        var new = Credential(
            id: newID(.credential), services: [CredentialService(draft.service)], user: draft.user,
            password: draft.password, rules: draft.rules, oneTimeCode: draft.oneTimeCode, created: now, changed: now,
            writer: draft.writer, codeWriter: draft.oneTimeCode.map { _ in draft.writer })
        new.apply(draft.details, by: draft.writer)
        if new.services.count > 1, let rival = try rival(of: new, parts, statements) { throw .alreadySaved(rival) }
        try insert(new, parts, statements, &changes)
        return Saved(new, isNew: true)
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
        if candidate.services != old.services, let rival = try rival(of: candidate, parts, statements) {
            throw .alreadySaved(rival)
        }
        var new = candidate
        if !new.password.equals(old.password) {
            let former = Credential.Previous(password: old.password, replaced: now)
            new.previous = Array(([former] + old.previous).prefix(Credential.previousLimit))
        }
        new.version = old.version + 1
        new.changed = now
        try replace(old, with: new, parts, statements, &changes)
        return Saved(new, isNew: false)
    }

    func check(_ expected: UInt64?, against current: UInt64) throws(VaultError) {
        guard expected == nil || expected == current else { throw .versionConflict(current: current) }
    }

    /// A name that was never given before.
    func newID(_ kind: ObjectID.Kind) -> ObjectID {
        ObjectID(kind: kind, high: entropy.next(), low: entropy.next())
    }
}
