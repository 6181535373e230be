// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import Glibc
internal import SecretMemory

/// The end of the record of releases: entries that are sealed and chained, but not in the database yet.
///
/// Measured: an insert and commit of one entry costs 4.5 µs even without fsync, writes 4 KiB and brings a checkpoint of
/// milliseconds after every thousand; a write to a file that has its space costs 0.5 µs, and works on a full disk. So a
/// turn's entries go to such a file (`vault.releases`) in one write, and within a second into the database as one row.
/// The file survives a kill; a power cut may cost what came after the last row.
final class ReleaseJournal {
    /// Entries not yet in the database, as they are in the file and will be in the row.
    private(set) var pending: [UInt8] = []
    /// The number of the first of them.
    private(set) var pendingFirst: UInt64
    private(set) var end: ChainEnd
    /// On whose account each of them is.
    private(set) var accounts = Accounts()
    /// How many bytes of `pending` are in the file, and where the chain ends there.
    private var written: (bytes: Int, end: ChainEnd)
    /// Whether a power cut would cost none of `pending` that is in the file.
    private(set) var isDurable = true
    /// How much the database holds, in bytes.
    var storedBytes = 0
    /// nil for a vault in memory.
    let file: ReleaseFile?

    /// The names of accounts: one app mostly comes many times in a row.
    struct Names {
        private var last: (app: String, assurance: String, name: SealTag)?

        subscript(_ app: String, _ assurance: String) -> SealTag {
            mutating get {
                if let last, last.app == app, last.assurance == assurance { return last.name }
                let name = ReleaseAccounts.name(app: app, assurance: assurance)
                last = (app, assurance, name)
                return name
            }
        }
    }

    /// The accounts of entries, in their order.
    struct Accounts {
        private(set) var names: [SealTag] = []
        private var latest = Names()
        /// Those of rows in the database, where they are known.
        private(set) var ofRows = ReleaseRowAccounts()

        mutating func append(_ release: Release) { names.append(latest[release.app, release.assurance]) }

        /// Keeps the first ones.
        mutating func cut(to count: Int) { names.removeSubrange(count...) }

        /// The entries are a row of the database now.
        mutating func store(as first: UInt64) {
            ofRows.note(names, of: first)
            names.removeAll(keepingCapacity: true)
        }

        mutating func forget(row first: UInt64) { ofRows.forget(first) }
    }

    /// What the next entry continues.
    struct ChainEnd {
        /// The number that the next entry gets.
        var next: UInt64
        /// The tag of the newest entry.
        var last: SealTag
    }

    /// Takes over the entries of the file that follow on `head`: those of a process that was killed.
    init(head: ReleaseHead, file: ReleaseFile?, key: SecretBytes) {
        self.file = file
        pendingFirst = head.next
        end = ChainEnd(next: head.next, last: head.last)
        written = (0, end)
        if let file { recover(from: file, key: key) }
    }

    deinit { synchronize() }

    private func recover(from file: ReleaseFile, key: SecretBytes) {
        file.content.withUnsafeBytes { bytes in
            for entry in ReleaseEntry.all(in: bytes) {
                guard entry.sequence == end.next, let opened = entry.open(key: key), opened.previous == end.last else {
                    return
                }
                pending += entry.bytes
                accounts.append(opened.release)
                end = ChainEnd(next: end.next + 1, last: entry.tag)
            }
        }
        markWritten()
        isDurable = pending.isEmpty
    }

    private func markWritten() {
        written = (pending.count, end)
    }

    /// How many entries are not in the database yet.
    var pendingCount: Int { Int(clamping: end.next - pendingFirst) }

    /// Whether the longest entry still fits.
    var hasRoom: Bool { pending.count + ReleaseEntry.lengthLimit + 64 <= ReleaseFile.capacity }

    /// Seals an entry behind the others.
    func append(_ release: Release, key: SecretBytes, using entropy: inout any RandomNumberGenerator) throws(VaultError)
    {
        let entry = try ReleaseEntry.seal(release, number: end.next, after: end.last, key: key, using: &entropy)
        guard pending.count + entry.bytes.count <= ReleaseFile.capacity else { throw .storageFull }
        pending += entry.bytes
        accounts.append(release)
        end = ChainEnd(next: end.next + 1, last: entry.tag)
    }

    /// Puts what was appended since the last call into the file; survives the end of the process from then on. Where that
    /// cannot be, it is as if it had not been appended.
    func commit() throws(VaultError) {
        guard let file, written.bytes < pending.count else { return }
        let start = written.bytes
        let count = pending.withUnsafeBytes { bytes in
            pwrite(file.descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start, off_t(start))
        }
        guard count == pending.count - start else {
            let number = count < 0 ? errno : ENOSPC
            pending.removeSubrange(start...)
            end = written.end
            accounts.cut(to: pendingCount)
            throw .system(number, path: file.path)
        }
        markWritten()
        isDurable = false
    }

    /// Has the entries that are in the file survive a power cut too. For the end, where the database cannot take them over;
    /// before it that happens within a second.
    func synchronize() {
        guard let file, !isDurable else { return }
        isDurable = fdatasync(file.descriptor) == 0
    }

    /// Seals the entries that wait behind another end of the chain.
    func relink(
        to head: ReleaseHead, key: SecretBytes, using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) {
        let waiting = pending.withUnsafeBytes { bytes in
            ReleaseEntry.all(in: bytes).compactMap { $0.open(key: key)?.release }
        }
        pending = []
        accounts.cut(to: 0)
        pendingFirst = head.next
        end = ChainEnd(next: head.next, last: head.last)
        markWritten()
        for release in waiting { try append(release, key: key, using: &entropy) }
        // They were answered: where the file does not take them, they wait in memory for the database.
        markWritten()
        isDurable = false
        if let file { pwrite(file.descriptor, pending, pending.count, 0) }
    }

    /// A row of the database is another one now, or gone.
    func forget(row first: UInt64) { accounts.forget(row: first) }

    /// Overwrites what was in the file; its entries are in the database.
    func erase() {
        guard let file, pending.isEmpty else { return }
        let zeros = [UInt8](repeating: 0, count: ReleaseFile.capacity)
        pwrite(file.descriptor, zeros, zeros.count, 0)
        fdatasync(file.descriptor)
    }

    /// The entries are in the database: begins anew.
    func drained() {
        storedBytes += pending.count
        pending.removeAll(keepingCapacity: true)
        accounts.store(as: pendingFirst)
        pendingFirst = end.next
        markWritten()
        isDurable = true
    }
}
