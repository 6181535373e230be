// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import Glibc
internal import SecretMemory
internal import VaultFormat

/// The end of the release log: entries that are sealed and chained, but not in the database yet.
///
/// Measured: an insert and commit of one entry costs 4.5 µs even without fsync, writes 4 KiB and causes a checkpoint of
/// milliseconds after every thousand; a write to a file whose space is allocated costs 0.5 µs, and works on a full disk. So a
/// turn's entries are written to such a file (`vault.releases`) in one write, and to the database as one row: with the vault's next
/// commit, which is within a second. The file survives a kill; a power cut may lose what came after the last row.
final class ReleaseJournal {
    /// Entries not yet in the database, as they are in the file and will be in the row.
    private(set) var pending: [UInt8] = []
    private(set) var end: ReleaseChainEnd
    /// The quota keys of the entries.
    private(set) var owners = ReleaseOwners()
    /// The numbers of entries that the file had before some of these, and that could not be read.
    private(set) var missing: [ClosedRange<UInt64>] = []
    private var written: Written
    /// How many bytes the database has; nil before they were counted.
    var storedBytes: Int?
    /// nil for a vault in memory.
    let file: ReleaseFile?
    /// In which entries are sealed, one after the other.
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: ReleaseEntry.capacity, alignment: 1)

    /// Reads the entries of the file that continue `head`: those of a process that was killed.
    ///
    /// - Parameter generation: that of the manifest; nil where entries are not recognised by it.
    init(head: ReleaseHead, generation: UInt64?, file: ReleaseFile?, key: SecretBytes) {
        self.file = file
        end = ReleaseChainEnd(next: head.next, last: head.last)
        written = Written(end: end)
        if let file { recover(from: file, generation, key: key) }
    }

    deinit {
        synchronize()
        memory.deallocate()
    }

    /// Only the last entry can be incomplete after a kill. So an entry of this generation that follows on others than were read
    /// shows that those are damaged.
    private func recover(from file: ReleaseFile, _ generation: UInt64?, key: SecretBytes) {
        var fileEnd = 0
        file.content.withUnsafeBytes { bytes in
            for found in ReleaseScan(bytes, numbers: end.next...ReleaseScan.numbers.upperBound, key: key).found {
                guard case .release(let release, let link) = found.content else { continue }
                let number = found.entry.sequence
                let isOfGeneration = generation.flatMap { own in link.generation.map { $0 >= own } } ?? false
                guard number == end.next ? link.previous == end.last : isOfGeneration else { continue }
                if number > end.next { missing.append(end.next...number - 1) }
                add(found.entry.bytes, release, number, found.entry.tag)
                fileEnd = max(fileEnd, found.end)
            }
        }
        markWritten()
        written.damaged = fileEnd - pending.count
        written.isDurable = pending.isEmpty
    }

    private func add(_ bytes: UnsafeRawBufferPointer, _ release: Release, _ number: UInt64, _ tag: SealTag) {
        pending.append(contentsOf: bytes)
        owners.append(release)
        end = ReleaseChainEnd(next: number + 1, last: tag)
    }

    private func markWritten() {
        (written.bytes, written.end) = (pending.count, end)
    }

    /// The number of the first entry that is not in the database yet, or of the next one.
    var pendingFirst: UInt64 { pending.withUnsafeBytes { ReleaseEntry(at: 0, of: $0)?.sequence } ?? end.next }

    /// How many entries are not in the database yet.
    var pendingCount: Int { owners.keys.count }

    /// What is missing before some of them.
    var findings: [VaultFinding] { missing.map { .releases(first: $0.lowerBound, last: $0.upperBound) } }

    /// Whether a power cut would lose nothing of `pending` that is in the file.
    var isDurable: Bool { written.isDurable }

    /// Whether the longest entry still fits.
    var hasCapacity: Bool { hasCapacity(for: ReleaseEntry.lengthLimit + 64) }

    private func hasCapacity(for length: Int) -> Bool {
        written.damaged + pending.count + length <= ReleaseFile.capacity
    }

    /// Seals an entry after the others.
    ///
    /// - Parameter generation: that of the manifest; nil in a vault of the first format.
    func append(
        _ release: Release, generation: UInt64?, key: SecretBytes, using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) {
        let end = self.end
        let link = ReleaseLink(previous: end.last, generation: generation)
        let entry = try ReleaseEntry.seal(
            release, number: end.next, after: link, key: key, in: memory, using: &entropy)
        guard hasCapacity(for: entry.bytes.count) else { throw .storageFull }
        add(entry.bytes, release, end.next, entry.tag)
    }

    /// Writes what was appended since the last call to the file; from then on it survives the end of the process. After an error it
    /// is as if it had not been appended.
    func commit() throws(VaultError) {
        let (former, end) = (written, self.end)
        let (start, length) = (former.bytes, pending.count - former.bytes)
        guard let file, length > 0 else { return }
        let count = pending.withUnsafeBytes { bytes in
            pwrite(file.descriptor, bytes.baseAddress.map { $0 + start }, length, off_t(former.damaged + start))
        }
        guard count == length else {
            let number = count < 0 ? errno : ENOSPC
            owners.cut(to: pendingCount - Int(end.next - former.end.next))
            pending.removeSubrange(start...)
            self.end = former.end
            throw .system(number, path: file.path)
        }
        written = Written(bytes: start + length, end: end, damaged: former.damaged, isDurable: false)
    }

    /// Makes the entries that are in the file survive a power cut too. For the end, where they cannot be written to the database;
    /// before it that happens within a second.
    func synchronize() {
        guard let file, !isDurable else { return }
        written.isDurable = fdatasync(file.descriptor) == 0
    }

    /// Seals the entries again as the continuation of another end of the chain, under their numbers.
    func relink(
        to head: ReleaseHead, generation: UInt64?, key: SecretBytes, using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) {
        let waiting = pending.withUnsafeBytes { bytes in
            ReleaseEntry.all(in: bytes).compactMap { entry in
                entry.open(key: key).map { NumberedRelease(number: entry.sequence, release: $0) }
            }
        }
        reset(to: ReleaseChainEnd(next: head.next, last: head.last))
        for one in waiting {
            end.next = max(end.next, one.number)
            try append(one.release, generation: generation, key: key, using: &entropy)
        }
        // They were answered: where they cannot be written to the file, they wait in memory for the database.
        markWritten()
        written.isDurable = false
        if let file { pwrite(file.descriptor, pending, pending.count, 0) }
    }

    private func reset(to end: ReleaseChainEnd) {
        pending.removeAll(keepingCapacity: true)
        owners.cut(to: 0)
        missing = []
        self.end = end
        written = Written(end: end)
    }

    /// A row of the database was changed or removed.
    func forget(row first: UInt64) { owners.forget(row: first) }

    /// All rows of the database may have been changed.
    func forgetRows() {
        storedBytes = nil
        owners.forgetRows()
    }

    /// Overwrites what was in the file; its entries are in the database.
    func erase() {
        guard let file, pending.isEmpty else { return }
        let zeros = [UInt8](repeating: 0, count: ReleaseFile.capacity)
        pwrite(file.descriptor, zeros, zeros.count, 0)
        fdatasync(file.descriptor)
    }

    /// The entries are in the database.
    func drained() {
        storedBytes? += pending.count
        // A row without some of its entries must be opened to be cut.
        if missing.isEmpty { owners.store(as: pendingFirst) }
        reset(to: end)
    }

    /// What of the entries is in the file.
    private struct Written {
        /// How many bytes of `pending`.
        var bytes = 0
        /// Where the chain ends there.
        var end: ReleaseChainEnd
        /// How many bytes before the next entry are none of `pending`: they are damaged.
        var damaged = 0
        /// Whether a power cut would lose nothing of them.
        var isDurable = true
    }
}

/// What the next entry continues.
struct ReleaseChainEnd {
    /// The number that the next entry gets.
    var next: UInt64
    /// The tag of the newest entry.
    var last: SealTag
}
