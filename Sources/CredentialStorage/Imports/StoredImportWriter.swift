// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory
internal import VaultFormat

/// What an import has done.
package struct ImportReport: Sendable {
    package var added = 0
    package var changed = 0
    package var identical = 0
    /// Conflicts that the rule leaves as they were saved.
    package var skipped = 0
    /// What does not fit of entries that were added to saved credentials.
    package var remarks: [ImportRow] = []
}

/// What was done to revert an import.
package struct RevertedImport: Sendable {
    /// Credentials that the import added: they are deleted, and can be restored as others can.
    package var removed = 0
    /// Credentials that the import changed: they are as before, with the password and code of the import among the former ones.
    package var restored = 0
    /// Credentials that were changed or deleted since: they stay.
    package var kept = 0
}

/// Commits imports, and reverts the last one.
package struct StoredImportWriter {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    /// Saves all entries in one transaction: all or none.
    ///
    /// - Parameters:
    ///   - choices: the rules of single entries, by their positions.
    ///   - steady: when that is, by the steady clock: for a day it can be reverted.
    package func commit(
        _ staging: ImportStaging, _ rule: ImportRule, choices: [Int: ImportRule] = [:], by writer: Subject,
        at now: Timestamp, steady: Timestamp, _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) -> ImportReport {
        try store.compareAllOnce()
        return try store.write { transaction throws(VaultError) in
            transaction.isBulk = true
            var journal = ImportJournal(made: steady)
            try journal.begin(&transaction)
            var commit = ImportCommit(staging, by: writer, at: now)
            for (position, id) in staging.newIDs().enumerated() {
                try progress.advance(to: position, of: staging.count)
                try commit.save(
                    try staging.entry(position), position, as: id, choices[position] ?? rule, &transaction, &journal)
            }
            try journal.end(&transaction, at: now)
            return commit.report
        }
    }

    /// Reverts the last import, where it was committed less than a day ago. A credential that has another version since stays.
    package func revert(
        at now: Timestamp, steady: Timestamp, _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) -> RevertedImport? {
        guard let changes = try store.read({ records throws(VaultError) in try ImportJournal.changes(records) }),
            ImportJournal.isRecent(changes.made, at: steady)
        else { return nil }
        try store.compareAllOnce()
        let deleted = store.deletionTime(at: steady)
        return try store.write { transaction throws(VaultError) in
            (transaction.isBulk, transaction.isReturning) = (true, true)
            var report = RevertedImport()
            for chunk in 0..<changes.chunks {
                for change in try ImportJournal.chunk(chunk, transaction.records) {
                    guard let expected = changes.versions[change.id], change.isFirst else { continue }
                    try progress.advance(to: report.removed + report.restored, of: changes.versions.count)
                    try Self.revert(change, from: expected, &transaction, &report, at: now, deletedAt: deleted)
                }
            }
            try ImportJournal.remove(&transaction)
            return report
        }
    }

    private static func revert(
        _ change: ImportJournal.Change, from expected: UInt64, _ transaction: inout RecordTransaction,
        _ report: inout RevertedImport, at now: Timestamp, deletedAt deletion: Timestamp
    ) throws(VaultError) {
        guard let present: Credential = try transaction.records.fetchIntact(change.id), present.version == expected
        else { return report.kept += 1 }
        guard let former = change.former else {
            var deleted = present
            deleted.deleted = deletion
            _ = try transaction.replace(present, with: deleted, at: now)
            return report.removed += 1
        }
        var restored = former
        if try transaction.records.rival(of: restored) != nil { return report.kept += 1 }
        // The user may have saved what the import brought. That changed nothing, and must not be lost either.
        if let code = present.oneTimeCode, !SecretBytes.equal(code, former.oneTimeCode) {
            let imported = Credential.FormerCode(uri: code, replaced: now)
            restored.formerCodes = Array(([imported] + former.formerCodes).prefix(Credential.previousLimit))
        }
        _ = try transaction.replace(present, with: restored, at: now)
        report.restored += 1
    }
}

extension RecordStore {
    /// Compares all records with the manifest, unless that was done: within a transaction that has written to a bucket it cannot be
    /// compared. Throws `damaged` for a vault that is corrupt: a repair comes first.
    fileprivate func compareAllOnce() throws(VaultError) {
        try read { records throws(VaultError) in
            guard !records.unlocked.compared.isAll else { return }
            guard records.compareAll().isEmpty else { throw .damaged("vault") }
            records.unlocked.compared.isAll = true
        }
    }
}

/// The entries of an import, one after the other, in a transaction.
private struct ImportCommit {
    private let staging: ImportStaging
    private let writer: Subject
    private let now: Timestamp
    private(set) var report = ImportReport()

    init(_ staging: ImportStaging, by writer: Subject, at now: Timestamp) {
        (self.staging, self.writer, self.now) = (staging, writer, now)
    }

    mutating func save(
        _ entry: ImportEntry, _ position: Int, as id: ObjectID, _ rule: ImportRule,
        _ transaction: inout RecordTransaction, _ journal: inout ImportJournal
    ) throws(VaultError) {
        let credential = entry.credential
        guard let saved = try transaction.records.saved(like: credential) else {
            return try insert(credential, as: id, &transaction, &journal)
        }
        let records = transaction.records
        let merge = ImportMerge(of: credential, into: saved, staging.limits, by: writer, at: now) { service in
            let other = try? records.password(for: service, user: credential.user)
            return other == nil
        }
        if merge.addsNothing { return report.identical += 1 }
        switch rule {
        case .skip: report.skipped += 1
        case .both:
            if try !keepBoth(credential, as: id, &transaction, &journal) {
                note(ImportRemark(.user, .tooLong), entry, position)
            }
        case .newer:
            for remark in merge.remarks { note(remark, entry, position) }
            let outcome = try transaction.replace(saved, with: merge.merged, at: now)
            guard outcome.changed else { return report.identical += 1 }
            try journal.note(saved, version: outcome.version, &transaction, at: now)
            report.changed += 1
        }
    }

    private mutating func note(_ remark: ImportRemark, _ entry: ImportEntry, _ position: Int) {
        report.remarks.append(ImportRow(position: position, entry: entry.withoutSecrets, remark: remark, saved: nil))
    }

    /// Saves an entry under another user name; false where that would be too long.
    private mutating func keepBoth(
        _ entry: Credential, as id: ObjectID, _ transaction: inout RecordTransaction, _ journal: inout ImportJournal
    ) throws(VaultError) -> Bool {
        var other = entry
        for number in 1... {
            other.user = entry.user + (number == 1 ? " (imported)" : " (imported \(number))")
            guard other.user.utf8.count <= staging.limits.userBytes else { break }
            guard let saved = try transaction.records.saved(like: other) else {
                try insert(other, as: id, &transaction, &journal)
                return true
            }
            if ImportMerge(of: other, into: saved, staging.limits).addsNothing {
                report.identical += 1
                return true
            }
        }
        return false
    }

    private mutating func insert(
        _ entry: Credential, as id: ObjectID, _ transaction: inout RecordTransaction, _ journal: inout ImportJournal
    ) throws(VaultError) {
        let changed = entry.changed.milliseconds > 0 ? entry.changed : now
        let new = Credential(
            id: id, kind: entry.kind, services: entry.services, user: entry.user, password: entry.password,
            oneTimeCode: entry.oneTimeCode, details: entry.details,
            created: entry.created.milliseconds > 0 ? entry.created : changed, changed: changed,
            lastUsed: entry.lastUsed, writer: writer, previous: entry.previous,
            codeWriter: entry.oneTimeCode.map { _ in writer }, formerCodes: entry.formerCodes,
            passkeys: entry.passkeys)
        try transaction.insert(new)
        try journal.note(new: new, &transaction, at: now)
        report.added += 1
    }
}

extension ImportEntry {
    /// What a report of it shows.
    fileprivate var withoutSecrets: ImportEntry {
        let shown = Credential(
            id: credential.id, services: credential.services, user: credential.user, password: .empty,
            details: CredentialDetails(label: credential.details.label), created: credential.created,
            changed: credential.changed, writer: credential.writer)
        return ImportEntry(shown, line: line)
    }
}
