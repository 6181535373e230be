// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import Glibc

/// How a vault is kept that another one replaces. It keeps its own name until then, and no step back needs space on the disk.
extension VaultDirectory {
    /// Gives a database a second name in `replaced`, and its log with it; `withReleases` also copies the part of its release log that
    /// is not in it yet. After an error nothing of that is left.
    package func putAside(_ database: String, withReleases: Bool = false) throws(VaultError) -> String {
        try Self.make(replaced)
        let kept = Self.freshName(in: replaced)
        let log = database + "-wal"
        do throws(VaultError) {
            try keep(database, as: kept)
            if withReleases, canCopyReleaseLog {
                try Self.copy(releaseLog, to: Self.releaseLog(of: kept))
            }
            let hasLog = access(log, F_OK) == 0
            if hasLog { try keep(log, as: kept + "-wal") }
            try Self.synchronize(replaced)
            // It must not be found beside the new one.
            if hasLog { try Self.remove(log) }
        } catch {
            try? takeBack(kept)
            throw error
        }
        return kept
    }

    /// What becomes of the release log of a vault whose file was removed: its last entries are nowhere else.
    package enum StrayReleases {
        /// It is another vault's from now on.
        case stay
        /// It is kept, and used for the new vault too.
        case copied
        /// It is kept, also where it cannot be read.
        case moved
    }

    /// Moves the log of a vault whose file was removed to `replaced`, where there is one: SQLite would apply it to a new vault. It is
    /// not deleted: with the file, should that return, it is the vault that was here.
    ///
    /// - Returns: where it is kept, for `takeBack`; nil where there was nothing to keep.
    @discardableResult
    package func putStrayLogAside(_ releases: StrayReleases) throws(VaultError) -> String? {
        let log = database + "-wal"
        guard !Self.exists(database) else { return nil }
        let moves = releases == .moved && Self.exists(releaseLog)
        let copies = releases == .copied && canCopyReleaseLog
        let hasLog = Self.exists(log)
        guard hasLog || moves || copies else { return nil }
        try Self.make(replaced)
        let kept = Self.freshName(in: replaced)
        if copies { try copyStrayReleases(to: Self.releaseLog(of: kept)) }
        do throws(VaultError) {
            if moves { try Self.move(releaseLog, to: Self.releaseLog(of: kept)) }
            if hasLog { try Self.move(log, to: kept + "-wal") }
            // Their new names first: a power cut must leave them one.
            for folder in [replaced, path] { try Self.synchronize(folder) }
        } catch {
            try? takeBack(kept)
            throw error
        }
        return kept
    }

    /// That it cannot be copied is no reason to refuse another vault, except on a full disk.
    private func copyStrayReleases(to kept: String) throws(VaultError) {
        do throws(VaultError) { try Self.copy(releaseLog, to: kept) } catch {
            try? Self.remove(kept)
            guard error != .storageFull else { throw error }
        }
    }

    private static func move(_ path: String, to new: String) throws(VaultError) {
        guard Glibc.rename(path, new) == 0 else { throw .system(errno, path: new) }
    }

    private var canCopyReleaseLog: Bool { Self.isPlain(releaseLog) && access(releaseLog, R_OK) == 0 }

    /// Gives a file a second name, where the file system supports that, else copies it.
    private func keep(_ path: String, as kept: String) throws(VaultError) {
        if link(path, kept) == 0 { return }
        let number = errno
        guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK, EXDEV].contains(number) else { throw .system(number, path: kept) }
        let partial = replaced + "/" + PartialBackup.name(madeBy: PartialBackup.owner(self))
        do throws(VaultError) {
            try Self.copy(path, to: partial)
            try Self.publish(partial, as: kept)
        } catch {
            try? Self.remove(partial)
            throw error
        }
    }

    /// Copies a file durably.
    private static func copy(_ path: String, to new: String) throws(VaultError) {
        try makeEmptyFile(new)
        try copyContent(of: path, to: new)
        try synchronize(new)
    }

    static func isPlain(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Reverts `putAside`, or `putStrayLogAside`, where nothing has replaced the vault. Throws where the log cannot be renamed back:
    /// without it the vault must not be opened.
    package func takeBack(_ kept: String) throws(VaultError) {
        let (log, keptLog, releases) = (database + "-wal", kept + "-wal", Self.releaseLog(of: kept))
        if access(keptLog, F_OK) == 0, access(log, F_OK) != 0 {
            guard Glibc.rename(keptLog, log) == 0 else { throw .system(errno, path: log) }
        }
        // A releases file that could not be opened was moved, and an empty one may have been made instead.
        if Self.exists(releases), !Self.exists(releaseLog) || hasBlankReleaseLog {
            try rename(releases, to: releaseLog)
        }
        for path in [keptLog, releases, kept] { try Self.remove(path) }
    }

    /// Whether the releases file has no entries.
    private var hasBlankReleaseLog: Bool {
        guard Self.isPlain(releaseLog) else { return false }
        let descriptor = open(releaseLog, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { Glibc.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: ReleaseFile.capacity)
        return pread(descriptor, &bytes, bytes.count, 0) >= 0 && bytes.allSatisfy { $0 == 0 }
    }

    /// Reverts `putAside` where the vault has both names.
    func putBack(_ kept: String) throws(VaultError) {
        guard let vault = FileIdentity(of: database), FileIdentity(of: kept) == vault else { return }
        try takeBack(kept)
    }

    /// Reverts what a process that was killed has begun, or one that found the disk full: removes a vault in the making, and the second
    /// name of one that was being replaced.
    func tidy() throws(VaultError) {
        try? Self.removeDatabase(draft)
        removeBench()
        PartialBackup.removeStale(in: replaced, before: .max, madeBy: PartialBackup.owner(self))
        for name in Self.names(in: replaced) { try putBack(replaced + "/" + name) }
    }

    /// The file with the part of the release log of a replaced vault that was not in it yet.
    package static func releaseLog(of kept: String) -> String { kept + ".releases" }

    /// `vault-1.sqlite`, or the next number that is free. Numbers, because a date would be a time in clear.
    package static func freshName(in directory: String) -> String {
        let names = Self.names(in: directory)
        let last = names.compactMap(number(of:)).max() ?? 0
        return directory + "/vault-\(last + 1).sqlite"
    }

    /// The number in such a name. Anyone may put a file there: a number that cannot have come of counting is none.
    package static func number(of name: String) -> Int? {
        guard name.hasPrefix("vault-") else { return nil }
        let number = Int(name.dropFirst("vault-".count).prefix { $0 != "." })
        return number.flatMap { (0..<1 << 53).contains($0) ? $0 : nil }
    }

    /// Where a salvage makes a vault.
    package var bench: String { path + "/salvage" }

    /// Removes what a salvage has made, or one that was killed has left.
    package func removeBench() {
        for folder in [bench + "/backups", bench + "/replaced", bench] {
            for name in Self.names(in: folder) { unlink(folder + "/" + name) }
            rmdir(folder)
        }
    }
}
