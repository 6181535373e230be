// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import Glibc
internal import SecretMemory

/// What a restore did.
package struct RestoreReport: Sendable {
    package let records: Int
    /// Where the vault that was here before is kept; nil where there was none.
    package let replaced: String?
}

extension Vault {
    /// Prepares an attempt to open a backup with a secret of one of its slots, for `restore`.
    package func restoreAttempt(from path: String, secret: VaultSecret) throws(VaultError) -> UnlockAttempt {
        try secret.checkForm()
        let slots = try VaultSnapshot.read(path, followsLink: false) { (snapshot) throws(VaultError) in
            try snapshot.slots()
        }
        .filter { $0.kind == secret.kind.rawValue }
        guard !slots.isEmpty else { throw .noSuchSlot }
        return UnlockAttempt(secret: secret, slots: slots)
    }

    /// Puts a backup in the place of the vault, which is then unlocked. The backup is copied, migrated where it is older, and
    /// looked at from end to end first: one that is not sound is refused and changes nothing. The vault that was here is
    /// kept, with its record of releases. Once it is replaced nothing is an error: a vault that cannot be unlocked then is
    /// locked.
    package func restore(
        from path: String, with outcome: UnlockOutcome, at now: Timestamp, _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) -> RestoreReport {
        guard case .directory(let home) = location else { throw .failed(code: ENOTSUP) }
        guard let opened = outcome.opened else { throw .wrongSecret(retryAfterMilliseconds: 0) }
        let directory = VaultDirectory(path: home)
        if !hold.isThere { try claim(directory, replacing: true) } else { try claimAgain(directory) }
        var report: CheckReport
        if unlockedParts != nil { try? syncReleases(at: nil, uses: .max) }
        do throws(VaultError) {
            try directory.makeDraft()
            try Self.copyFile(path, to: directory.draft, progress)
            // A vault that was put aside may have one: what was saved last is in it.
            if access(path + "-wal", F_OK) == 0 {
                try VaultDirectory.makeEmptyFile(directory.draft + "-wal")
                try Self.copyFile(path + "-wal", to: directory.draft + "-wal", progress)
            }
            report = try checkDraft(directory, opened.vaultKey, progress)
            guard report.isSound else { throw .backupDamaged }
        } catch {
            try? VaultDirectory.removeDatabase(directory.draft)
            if !hold.isThere { release() }
            throw error
        }
        // Where it comes to be no unlocked vault, for an error or for keys that do not open it.
        defer { rest() }
        let lost = try keepLost(in: directory)
        lock(at: now)
        hold.replacements += 1
        delays.forgetAll()
        let replaced: String?
        let file: ReleaseFile?
        do throws(VaultError) { (replaced, file) = try exchange(directory, withReleases: true) } catch {
            // It is open still.
            if let lost, hold.database?.isReplaced ?? false { try? directory.takeBack(lost) }
            throw error
        }
        if let format = hold.database?.format {
            _ = try? unlock(VaultKeys(vaultKey: opened.vaultKey, format: format), with: file)
        }
        return RestoreReport(records: report.records, replaced: replaced ?? lost)
    }

    /// Looks at the draft, and brings one that is sound to the present format.
    private func checkDraft(
        _ directory: VaultDirectory, _ vaultKey: SecretBytes, _ progress: VaultProgress
    ) throws(VaultError) -> CheckReport {
        let database = try VaultDatabase(path: directory.draft, in: directory, isNew: false)
        defer { database.close() }
        let keys = VaultKeys(vaultKey: vaultKey, format: database.format)
        let report = try database.access { connection throws(VaultError) -> CheckReport in
            try VaultInspection.report(on: connection, database.statements, keys: keys, progress)
        }
        if report.isSound, database.format < .present {
            let root = try Manifest(reading: database.statements, key: keys.manifest).root
            let new = VaultKeys(vaultKey: vaultKey)
            try migrate(database, root, from: keys, to: new, of: report.records, progress)
        }
        if report.isSound {
            var file = unlockedParts?.releases.file
            if file == nil, access(directory.releaseLog, F_OK) == 0 {
                file = try? ReleaseFile(at: directory.releaseLog)
            }
            try unmark(database, VaultKeys(vaultKey: vaultKey, format: database.format), file)
        }
        try database.emptyLog()
        return report
    }

    /// Puts the vault aside, `withReleases` also what is not in it yet of their record, and the draft in its place, in one
    /// rename: where anything fails before that, what was here is here, and nothing fails after it. `vault.releases` stays; what
    /// does not follow on the new vault's record is nothing to that.
    ///
    /// - Returns: where the vault is kept that was here, and `withReleases` the file for the new one's.
    func exchange(
        _ directory: VaultDirectory, withReleases: Bool
    ) throws(VaultError) -> (replaced: String?, file: ReleaseFile?) {
        let hadReleases = access(directory.releaseLog, F_OK) == 0
        var replaced: String?
        var file: ReleaseFile?
        do throws(VaultError) {
            try VaultDirectory.checkHeader(directory.draft)
            try VaultDirectory.synchronize(directory.draft)
            do throws(VaultError) { try hold.database?.emptyLog() } catch {
                // Of a damaged vault the log is kept as it is. Where there is no room the vault stays.
                guard error != .storageFull else { throw error }
            }
            hold.closeDatabase()
            if try directory.hasVault() {
                replaced = try directory.putAside(directory.database, withReleases: withReleases)
            }
            if withReleases { file = try Self.releaseFile(in: directory, keptWith: replaced) }
            guard rename(directory.draft, directory.database) == 0 else {
                throw .system(errno, path: directory.database)
            }
        } catch {
            if withReleases, !hadReleases { try? VaultDirectory.remove(directory.releaseLog) }
            try? VaultDirectory.removeDatabase(directory.draft)
            // Without its log it is not opened: that is tried again with the next request.
            do throws(VaultError) { if let replaced { try directory.takeBack(replaced) } } catch { throw error }
            if hold.database == nil { try? open(directory) }
            throw error
        }
        // A sync that fails now is no refusal any more: without it a power cut brings back the vault before.
        try? directory.synchronize()
        try? open(directory)
        return (replaced, file)
    }

    /// The file that is there, its space set aside; what cannot be one goes where the vault is kept.
    private static func releaseFile(
        in directory: VaultDirectory, keptWith replaced: String?
    ) throws(VaultError) -> ReleaseFile {
        do throws(VaultError) { return try ReleaseFile(at: directory.releaseLog) } catch {
            guard error != .storageFull, access(directory.releaseLog, F_OK) == 0 else { throw error }
            if let replaced {
                try directory.rename(directory.releaseLog, to: VaultDirectory.releaseLog(of: replaced))
            } else {
                try VaultDirectory.remove(directory.releaseLog)
            }
            return try ReleaseFile(at: directory.releaseLog)
        }
    }

    /// Makes the folder again, and takes its lock, where somebody has removed it while the vault was here.
    private func claimAgain(_ directory: VaultDirectory) throws(VaultError) {
        guard hold.lock?.isAt(directory.lockFile) != true else { return }
        try directory.make()
        hold.lock = try VaultLock(path: directory.lockFile, program: hold.program)
    }

    /// Copies the open vault, where no path names it any more, to where it is kept, with what is not in it yet of its record.
    ///
    /// - Returns: where that is; nil where the vault is in its place, or cannot be read.
    private func keepLost(in directory: VaultDirectory) throws(VaultError) -> String? {
        guard let database = hold.database, database.isReplaced else { return nil }
        try VaultDirectory.make(directory.replaced)
        let kept = VaultDirectory.freshName(in: directory.replaced)
        do throws(VaultError) {
            try VaultDirectory.makeEmptyFile(kept)
            try database.access { connection throws(VaultError) in try VaultCopy.copyPages(of: connection, to: kept) }
            if let file = unlockedParts?.releases.file {
                try VaultDirectory.makeEmptyFile(VaultDirectory.releaseLog(of: kept))
                try Self.write(file.content, to: VaultDirectory.releaseLog(of: kept))
            }
            try VaultDirectory.synchronize(kept)
            return kept
        } catch {
            for path in [kept, VaultDirectory.releaseLog(of: kept)] { try? VaultDirectory.remove(path) }
            // What cannot be read is no reason to refuse another vault.
            guard error == .storageFull else { return nil }
            throw error
        }
    }

    static func copyFile(
        _ source: String, to destination: String, _ progress: VaultProgress
    ) throws(VaultError) {
        let input = Glibc.open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard input >= 0 else { throw .system(errno, path: source) }
        defer { Glibc.close(input) }
        let output = Glibc.open(destination, O_WRONLY | O_CLOEXEC)
        guard output >= 0 else { throw .system(errno, path: destination) }
        defer { Glibc.close(output) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            try progress.checkStop()
            let count = Glibc.read(input, &buffer, buffer.count)
            guard count >= 0 else { throw .system(errno, path: source) }
            guard count > 0 else { return }
            try write(buffer.prefix(count), to: output, at: destination)
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(VaultError) {
        let output = Glibc.open(path, O_WRONLY | O_CLOEXEC)
        guard output >= 0 else { throw .system(errno, path: path) }
        defer { Glibc.close(output) }
        try write(bytes[...], to: output, at: path)
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to output: Int32, at path: String) throws(VaultError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system(count < 0 ? errno : ENOSPC, path: path) }
            rest = rest.dropFirst(count)
        }
    }
}
