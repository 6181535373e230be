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
        if !hold.isThere { try claim(directory, replacing: true) }
        var report: CheckReport
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
        lock(at: now)
        hold.replacements += 1
        delays.forgetAll()
        let (replaced, file) = try exchange(directory, withReleases: true)
        if let format = hold.database?.format {
            _ = try? unlock(VaultKeys(vaultKey: opened.vaultKey, format: format), with: file)
        }
        return RestoreReport(records: report.records, replaced: replaced)
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

    /// Puts the vault aside, `withReleases` also what is not in it yet of their record, and the draft in its place. Where
    /// that fails, what was here is here again.
    ///
    /// - Returns: where the vault is kept that was here, and `withReleases` the new one's file for them.
    func exchange(
        _ directory: VaultDirectory, withReleases: Bool
    ) throws(VaultError) -> (replaced: String?, file: ReleaseFile?) {
        try VaultDirectory.synchronize(directory.draft)
        let draft = FileIdentity(of: directory.draft)
        try? hold.database?.emptyLog()
        hold.closeDatabase()
        var replaced: String?
        var file: ReleaseFile?
        var isLogOver = false
        do throws(VaultError) {
            if try directory.hasVault() {
                let kept = try directory.putAside(directory.database)
                replaced = kept
                if withReleases, access(directory.releaseLog, F_OK) == 0 {
                    try directory.rename(directory.releaseLog, to: VaultDirectory.releaseLog(of: kept))
                }
            }
            if withReleases {
                try VaultDirectory.remove(directory.releaseLog)
                isLogOver = true
                file = try ReleaseFile(at: directory.releaseLog)
            }
            guard rename(directory.draft, directory.database) == 0 else {
                throw .system(errno, path: directory.database)
            }
            // A sync that fails now is no refusal any more: without it a power cut brings back the vault before.
            try? directory.synchronize()
            try open(directory)
        } catch {
            if isLogOver { try? VaultDirectory.remove(directory.releaseLog) }
            if let replaced { directory.putBack(replaced, over: draft) }
            directory.remove(replaced == nil ? draft : nil)
            try? open(directory)
            throw error
        }
        return (replaced, file)
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
