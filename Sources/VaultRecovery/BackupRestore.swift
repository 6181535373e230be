// SPDX-License-Identifier: Apache-2.0
package import CredentialStorage
package import Credentials
internal import Glibc
internal import SecretMemory
internal import VaultFormat

/// Replaces a vault by a backup, or by a copy of its own rows. The former one is kept beside it.
package struct BackupRestore {
    private let vault: any RecoverableVault
    private let file: VaultFile

    package init(_ vault: Vault) {
        self.vault = vault.recovery
        file = self.vault.file
    }

    /// Prepares an attempt to open a backup with a secret of one of its slots.
    package func attempt(from path: String, secret: VaultSecret) throws(VaultError) -> UnlockAttempt {
        try UnlockAttempt(secret) { () throws(VaultError) in
            try VaultSnapshot.read(path, followsLink: false) { (snapshot) throws(VaultError) in try snapshot.slots() }
        }
    }

    /// Replaces the vault by a backup, and unlocks it. The backup is copied, migrated where it is older, and checked from end to end
    /// first: a corrupt one is refused and changes nothing. The vault that was here is kept, with its release log. Once it is replaced
    /// nothing is an error: a vault that cannot be unlocked then is locked.
    package func run(
        from path: String, with outcome: UnlockOutcome, _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) -> RestoreReport {
        guard let directory = file.directory else { throw .failed(code: ENOTSUP) }
        guard let opened = outcome.opened else { throw .wrongSecret(retryAfterMilliseconds: 0) }
        if !file.isThere { try file.claim(directory, replacing: true) } else { try file.claimAgain(directory) }
        var report: CheckReport
        try? vault.syncReleases()
        do throws(VaultError) {
            try VaultDirectory.makeEmptyFile(directory.draft)
            try VaultDirectory.copyContent(of: path, to: directory.draft, progress)
            // A vault that was replaced may have one: the last saves are in it.
            if access(path + "-wal", F_OK) == 0 {
                try VaultDirectory.makeEmptyFile(directory.draft + "-wal")
                try VaultDirectory.copyContent(of: path + "-wal", to: directory.draft + "-wal", progress)
            }
            report = try checkDraft(directory, opened.vaultKey, progress)
            guard report.isIntact else { throw .backupDamaged }
        } catch {
            try? VaultDirectory.removeDatabase(directory.draft)
            if !file.isThere { vault.release() }
            throw error
        }
        // Where the result is no unlocked vault, after an error or with keys that do not open it.
        defer { file.rest() }
        let lost: String?
        do throws(VaultError) { lost = try keepLost(in: directory) } catch {
            try? VaultDirectory.removeDatabase(directory.draft)
            throw error
        }
        vault.endUse()
        let replaced: String?
        let releaseFile: ReleaseFile?
        do throws(VaultError) {
            (replaced, releaseFile) = try exchange(directory, withReleases: true, lost: lost)
        } catch {
            // It is open still.
            if let lost, file.database?.isReplaced ?? false { try? directory.takeBack(lost) }
            throw error
        }
        vault.unlock(vaultKey: opened.vaultKey, with: releaseFile)
        return RestoreReport(records: report.records, replaced: replaced ?? lost)
    }

    /// Copies every row that is in the open file into a new one, which replaces it. The new file has the slots that the vault was
    /// unlocked with, also where the damaged one has lost them: it can be opened whenever the keys leave the memory. Throws where no
    /// slot is left.
    ///
    /// - Returns: where the damaged file is now; nil for a vault in memory.
    func copyIntoNewFile(_ progress: VaultProgress) throws(VaultError) -> String? {
        guard let directory = file.directory else { return nil }
        let (old, unlocked) = (try file.openDatabase, try vault.unlocked)
        try old.checkIdentity()
        // What cannot be written back is read from the log.
        try? old.emptyLog()
        do throws(VaultError) {
            try RowCarving.copyRows(
                of: old.path, format: old.format, to: directory.draft, in: directory, progress
            ) { statements throws(VaultError) in
                let slots = try RowRepair(unlocked: unlocked, statements: statements).repairSlots()
                if slots.isEmpty { throw .damaged("every slot") }
            }
        } catch {
            try? VaultDirectory.removeDatabase(directory.draft)
            throw error
        }
        return try exchange(directory, withReleases: false).replaced
    }

    /// Checks the draft, and prepares an intact one to replace the vault.
    private func checkDraft(
        _ directory: VaultDirectory, _ vaultKey: SecretBytes, _ progress: VaultProgress
    ) throws(VaultError) -> CheckReport {
        let database = try VaultDatabase(path: directory.draft, in: directory, isNew: false)
        defer { database.close() }
        let keys = VaultKeys(vaultKey: vaultKey, format: database.format)
        let report = try database.access { connection throws(VaultError) -> CheckReport in
            try VaultInspection.report(on: connection, database.statements, keys: keys, progress)
        }
        if report.isIntact { try vault.prepare(database, vaultKey: vaultKey, records: report.records, progress) }
        try database.emptyLog()
        return report
    }

    /// Moves the vault away, `withReleases` also a copy of the part of its release log that is not in it, and renames the draft to it.
    /// Where anything fails before that rename, the vault that was here is here, and nothing fails after it. `vault.releases` stays;
    /// what does not continue the new vault's log is ignored by it. Where it is unlocked, and another file is open afterwards than it
    /// should be, or none, it is locked.
    ///
    /// - Parameter lost: where the vault is kept, with its release log, that no path named any more.
    /// - Returns: where the vault is kept that was here, and `withReleases` the file for the new one's releases.
    func exchange(
        _ directory: VaultDirectory, withReleases: Bool, lost: String? = nil
    ) throws(VaultError) -> (replaced: String?, releaseFile: ReleaseFile?) {
        let hadReleases = VaultDirectory.exists(directory.releaseLog)
        let former = file.database?.isReplaced == false ? FileIdentity(of: directory.database) : nil
        let new = FileIdentity(of: directory.draft)
        var (replaced, moved, stray): (String?, String?, String?)
        var releaseFile: ReleaseFile?
        do throws(VaultError) {
            try VaultDirectory.checkHeader(directory.draft)
            try VaultDirectory.synchronize(directory.draft)
            do throws(VaultError) { try file.database?.emptyLog() } catch {
                // The log of a damaged vault is kept as it is. Where the disk is full the vault stays.
                guard error != .storageFull else { throw error }
            }
            file.closeDatabase()
            if try directory.hasVault() {
                replaced = try directory.putAside(directory.database, withReleases: withReleases)
            } else {
                stray = try directory.putStrayLogAside(withReleases && lost == nil ? .copied : .stay)
            }
            if withReleases {
                let file = try Self.releaseFile(in: directory, keptWith: replaced ?? stray, movedTo: &moved)
                // The new vault's log may continue in it: a power cut after the rename must not lose that.
                guard fdatasync(file.descriptor) == 0 else { throw .system(errno, path: directory.releaseLog) }
                releaseFile = file
            }
            // A power cut must not leave the former vault's log beside the new vault.
            try directory.synchronize()
            guard rename(directory.draft, directory.database) == 0 else {
                throw .system(errno, path: directory.database)
            }
        } catch {
            if withReleases, !hadReleases || moved != nil { try? VaultDirectory.remove(directory.releaseLog) }
            if let moved { try? directory.rename(moved, to: directory.releaseLog) }
            // A log and its releases stay together.
            if let stray { try? directory.takeBack(stray) }
            try? VaultDirectory.removeDatabase(directory.draft)
            // Without its log it is not opened: the next request tries that again.
            do throws(VaultError) { if let replaced { try directory.takeBack(replaced) } } catch {
                lockUnless(nil, isIn: directory)
                throw error
            }
            if file.database == nil {
                try? file.open(directory)
                lockUnless(former, isIn: directory)
            }
            throw error
        }
        // A sync that fails now is no refusal any more: without it a power cut brings back the vault before.
        try? directory.synchronize()
        try? file.open(directory)
        // Where it cannot be opened now, as without a free descriptor, its own slots open it later.
        lockUnless(new, isIn: directory)
        return (replaced, releaseFile)
    }

    /// Drops the keys and closes the file, where the vault is unlocked, unless this file is at its path and open: what is in memory of
    /// the vault, its manifest above all, describes no other.
    private func lockUnless(_ expected: FileIdentity?, isIn directory: VaultDirectory) {
        guard file.isInUse, file.database == nil || FileIdentity(of: directory.database) != expected else { return }
        vault.release()
    }

    /// The file that is there, its space allocated. What cannot be opened is moved to where the vault, or what is left of it, is kept.
    ///
    /// - Parameter moved: the path that it was moved to.
    private static func releaseFile(
        in directory: VaultDirectory, keptWith replaced: String?, movedTo moved: inout String?
    ) throws(VaultError) -> ReleaseFile {
        do throws(VaultError) { return try ReleaseFile(at: directory.releaseLog) } catch {
            guard error != .storageFull, VaultDirectory.exists(directory.releaseLog) else { throw error }
            try VaultDirectory.make(directory.replaced)
            let kept = VaultDirectory.releaseLog(of: replaced ?? VaultDirectory.freshName(in: directory.replaced))
            guard rename(directory.releaseLog, kept) == 0 else { throw .system(errno, path: kept) }
            moved = kept
            try VaultDirectory.synchronize(directory.replaced)
            try directory.synchronize()
            return try ReleaseFile(at: directory.releaseLog)
        }
    }

    /// Copies the open vault, where no path names it any more, to where it is kept, with the part of its release log that is not in it.
    ///
    /// - Returns: the path; nil where the vault is at its own path, or cannot be read.
    private func keepLost(in directory: VaultDirectory) throws(VaultError) -> String? {
        guard let database = file.database, database.isReplaced else { return nil }
        try VaultDirectory.make(directory.replaced)
        let kept = VaultDirectory.freshName(in: directory.replaced)
        do throws(VaultError) {
            try VaultDirectory.makeEmptyFile(kept)
            try database.access { connection throws(VaultError) in try connection.copyPages(to: kept) }
            if let releaseFile = vault.releaseFile {
                try VaultDirectory.makeEmptyFile(VaultDirectory.releaseLog(of: kept))
                try VaultDirectory.write(releaseFile.content, to: VaultDirectory.releaseLog(of: kept))
                try VaultDirectory.synchronize(VaultDirectory.releaseLog(of: kept))
            }
            for path in [kept, directory.replaced] { try VaultDirectory.synchronize(path) }
            return kept
        } catch {
            for path in [kept, VaultDirectory.releaseLog(of: kept)] { try? VaultDirectory.remove(path) }
            // A vault that cannot be read is no reason to refuse another one.
            guard error == .storageFull else { return nil }
            throw error
        }
    }
}

/// The result of a restore.
package struct RestoreReport: Sendable {
    package let records: Int
    /// Where the vault that was here before is kept; nil where there was none.
    package let replaced: String?
}
