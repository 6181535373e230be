// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

/// Saves and changes credentials.
package struct StoredCredentialWriter {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    /// Adds a new one with its own id and version. Throws `alreadySaved` where one of its services has this user.
    package func insert(_ credential: Credential) throws(VaultError) { try insert([credential]) }

    /// Adds many in one transaction, all or none; for an import.
    package func insert(_ credentials: [Credential]) throws(VaultError) {
        try store.write { transaction throws(VaultError) in
            for credential in credentials {
                if let rival = try transaction.records.rival(of: credential) { throw .alreadySaved(rival) }
                try transaction.insert(credential)
            }
        }
    }

    /// Saves a password for a service and user: a new credential, or a change of the existing one, whose password is then kept
    /// among the previous ones. A save that changes nothing writes nothing: `changed` is false. While an import can be reverted, one
    /// by another app than the writer is a change, so that it stays. One by the same app is none: whether the import has changed that
    /// credential is only in its journal, all of which would have to be read.
    ///
    /// - Parameter version: the one that the caller has seen, 0 for none; where another one is to be changed, throws
    ///   `versionConflict`.
    package func save(
        _ draft: CredentialDraft, ifVersion version: UInt64? = nil, at now: Timestamp
    ) throws(VaultError) -> Saved {
        try store.write { transaction throws(VaultError) in
            try transaction.save(draft, ifVersion: version, at: now)
        }
    }

    /// Applies `change`; a password that it replaces is kept among the previous ones. Throws `notFound`, also for one that is
    /// deleted, and `alreadySaved` where one of its services has this user already.
    package func update(
        _ id: ObjectID, ifVersion version: UInt64? = nil, at now: Timestamp, _ change: (inout Credential) -> Void
    ) throws(VaultError) -> Saved {
        try store.write { transaction throws(VaultError) in
            guard let old = try transaction.records.credential(id), old.deleted == nil else {
                throw .notFound(id)
            }
            var new = old
            change(&new)
            return try transaction.replace(old, with: new, ifVersion: version, at: now)
        }
    }

    /// Records that a credential was returned: in memory now, in the file with `StoredReleaseLog.sync`. Its version stays.
    package func noteUse(of id: ObjectID, at now: Timestamp) throws(VaultError) {
        try store.unlocked.orders.noteUse(of: id, at: now)
    }

    /// Deletes a credential. It can be restored for a time (`VaultLimits.recoverableMilliseconds`).
    ///
    /// - Parameter now: of the steady clock; see `PurgeClock`.
    package func delete(
        _ id: ObjectID, ifVersion version: UInt64? = nil, at now: Timestamp
    ) throws(VaultError) -> Saved {
        let deleted = store.deletionTime(at: now)
        return try store.write { transaction throws(VaultError) in
            guard let old = try transaction.records.credential(id) else { throw .notFound(id) }
            guard old.deleted == nil else { return Saved(unchanged: old) }
            try transaction.check(version, against: old.version)
            var new = old
            new.deleted = deleted
            return try transaction.replace(old, with: new, at: now)
        }
    }

    /// Restores a deleted credential. Throws `alreadySaved` where another has replaced it.
    package func undelete(_ id: ObjectID, at now: Timestamp) throws(VaultError) -> Saved {
        try store.write { transaction throws(VaultError) in
            guard let old = try transaction.records.credential(id) else { throw .notFound(id) }
            guard old.deleted != nil else { return Saved(unchanged: old) }
            var new = old
            new.deleted = nil
            if let rival = try transaction.records.rival(of: new) { throw .alreadySaved(rival) }
            return try transaction.replace(old, with: new, at: now)
        }
    }
}

extension RecordTransaction {
    mutating func save(
        _ draft: CredentialDraft, ifVersion version: UInt64?, at now: Timestamp
    ) throws(VaultError) -> Saved {
        if let old = try records.password(for: draft.service, user: draft.user) {
            var isChange = false
            if draft.writer.app != old.writer.app { isChange = try ImportJournal.head(records) != nil }
            return try replace(
                old, with: draft.applied(to: old, at: now), ifVersion: version, isChange: isChange, at: now)
        }
        try check(version, against: 0)
        var new = Credential(
            id: records.store.newID(.credential), services: [CredentialService(draft.service)], user: draft.user,
            password: draft.password, rules: draft.rules, oneTimeCode: draft.oneTimeCode, created: now, changed: now,
            writer: draft.writer, codeWriter: draft.oneTimeCode.map { _ in draft.writer })
        new.apply(draft.details, by: draft.writer)
        if new.services.count > 1, let rival = try records.rival(of: new) { throw .alreadySaved(rival) }
        try insert(new)
        return Saved(new, isNew: true)
    }

    /// - Parameter isChange: whether it is one also where nothing differs.
    mutating func replace(
        _ old: Credential, with candidate: Credential, ifVersion version: UInt64? = nil, isChange: Bool = false,
        at now: Timestamp
    ) throws(VaultError) -> Saved {
        guard isChange || !Self.isSame(candidate, old) else { return Saved(unchanged: old) }
        // Not before: a caller that repeats a save whose answer was lost gives the version from before it.
        try check(version, against: old.version)
        let isMoved = candidate.services != old.services || !candidate.user.utf8.elementsEqual(old.user.utf8)
        if isMoved, let rival = try records.rival(of: candidate) {
            throw .alreadySaved(rival)
        }
        var new = candidate
        if !new.password.equals(old.password) {
            let former = Credential.Previous(password: old.password, replaced: now)
            new.previous = Array(([former] + candidate.previous).prefix(Credential.previousLimit))
        }
        new.version = records.store.version(after: old.version)
        new.changed = now
        try replace(old, with: new)
        return Saved(new, isNew: false)
    }

    /// Whether nothing differs that the user would miss; the writer does not count.
    static func isSame(_ one: Credential, _ other: Credential) -> Bool {
        one.password.equals(other.password) && one.rules == other.rules && one.deleted == other.deleted
            && SecretBytes.equal(one.oneTimeCode, other.oneTimeCode) && one.details == other.details
            && one.services == other.services && one.user.utf8.elementsEqual(other.user.utf8)
            && one.passkeys == other.passkeys
            && one.previous.elementsEqual(other.previous) { $0.password.equals($1.password) }
            && one.formerCodes.elementsEqual(other.formerCodes) { $0.uri.equals($1.uri) }
    }
}
