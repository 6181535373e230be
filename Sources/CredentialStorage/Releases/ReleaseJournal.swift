// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import Glibc
internal import SecretMemory

/// The end of the release log: entries that are sealed and chained, but not in the database yet.
///
/// Measured: an insert and commit of one entry costs 4.5 µs even without fsync, writes 4 KiB and causes a checkpoint of
/// milliseconds after every thousand; a write to a file whose space is allocated costs 0.5 µs, and works on a full disk. So a
/// turn's entries are written to such a file (`vault.releases`) in one write, and within a second to the database as one row.
/// The file survives a kill; a power cut may lose what came after the last row.
final class ReleaseJournal {
    /// Entries not yet in the database, as they are in the file and will be in the row.
    private(set) var pending: [UInt8] = []
    /// The number of the first of them.
    private(set) var pendingFirst: UInt64
    private(set) var end: ReleaseChainEnd
    /// The quota keys of the entries.
    private(set) var owners = ReleaseOwners()
    /// How many bytes of `pending` are in the file, and where the chain ends there.
    private var written: (bytes: Int, end: ReleaseChainEnd)
    /// Whether a power cut would lose nothing of `pending` that is in the file.
    private(set) var isDurable = true
    /// How many bytes the database has.
    var storedBytes = 0
    /// nil for a vault in memory.
    let file: ReleaseFile?

    /// Reads the entries of the file that continue `head`: those of a process that was killed.
    init(head: ReleaseHead, file: ReleaseFile?, key: SecretBytes) {
        self.file = file
        pendingFirst = head.next
        end = ReleaseChainEnd(next: head.next, last: head.last)
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
                owners.append(opened.release)
                end = ReleaseChainEnd(next: end.next + 1, last: entry.tag)
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
    var hasCapacity: Bool { pending.count + ReleaseEntry.lengthLimit + 64 <= ReleaseFile.capacity }

    /// Seals an entry after the others.
    func append(_ release: Release, key: SecretBytes, using entropy: inout any RandomNumberGenerator) throws(VaultError)
    {
        let entry = try ReleaseEntry.seal(release, number: end.next, after: end.last, key: key, using: &entropy)
        guard pending.count + entry.bytes.count <= ReleaseFile.capacity else { throw .storageFull }
        pending += entry.bytes
        owners.append(release)
        end = ReleaseChainEnd(next: end.next + 1, last: entry.tag)
    }

    /// Writes what was appended since the last call to the file; from then on it survives the end of the process. After an error it
    /// is as if it had not been appended.
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
            owners.cut(to: pendingCount)
            throw .system(number, path: file.path)
        }
        markWritten()
        isDurable = false
    }

    /// Makes the entries that are in the file survive a power cut too. For the end, where they cannot be written to the database;
    /// before it that happens within a second.
    func synchronize() {
        guard let file, !isDurable else { return }
        isDurable = fdatasync(file.descriptor) == 0
    }

    /// Seals the entries again as the continuation of another end of the chain.
    func relink(
        to head: ReleaseHead, key: SecretBytes, using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) {
        let waiting = pending.withUnsafeBytes { bytes in
            ReleaseEntry.all(in: bytes).compactMap { $0.open(key: key)?.release }
        }
        pending = []
        owners.cut(to: 0)
        pendingFirst = head.next
        end = ReleaseChainEnd(next: head.next, last: head.last)
        markWritten()
        for release in waiting { try append(release, key: key, using: &entropy) }
        // They were answered: where they cannot be written to the file, they wait in memory for the database.
        markWritten()
        isDurable = false
        if let file { pwrite(file.descriptor, pending, pending.count, 0) }
    }

    /// A row of the database was changed or removed.
    func forget(row first: UInt64) { owners.forget(row: first) }

    /// Overwrites what was in the file; its entries are in the database.
    func erase() {
        guard let file, pending.isEmpty else { return }
        let zeros = [UInt8](repeating: 0, count: ReleaseFile.capacity)
        pwrite(file.descriptor, zeros, zeros.count, 0)
        fdatasync(file.descriptor)
    }

    /// The entries are in the database.
    func drained() {
        storedBytes += pending.count
        pending.removeAll(keepingCapacity: true)
        owners.store(as: pendingFirst)
        pendingFirst = end.next
        markWritten()
        isDurable = true
    }
}

/// What the next entry continues.
struct ReleaseChainEnd {
    /// The number that the next entry gets.
    var next: UInt64
    /// The tag of the newest entry.
    var last: SealTag
}
