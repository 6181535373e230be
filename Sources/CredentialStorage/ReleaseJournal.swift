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
    /// The size of the file: what fits before it must be emptied.
    static let capacity = 256 << 10
    /// Entries not yet in the database, as they are in the file and will be in the row.
    private(set) var pending: [UInt8] = []
    /// The number of the first of them.
    private(set) var pendingFirst: UInt64
    /// The number that the next entry gets.
    private(set) var next: UInt64
    /// The tag of the newest entry.
    private(set) var last: SealTag
    /// How many bytes of `pending` are in the file, and where the chain ends there.
    private var written = 0
    private var end: (next: UInt64, last: SealTag)
    /// Whether a power cut would cost none of `pending` that is in the file.
    private(set) var isDurable = true
    /// How much the database holds, in bytes.
    var storedBytes = 0
    /// The time of the last look at the age of entries.
    var lastAgeCheck: Timestamp?
    private let descriptor: Int32
    private let path: String

    /// Opens the file, makes it where it is missing, and takes over the entries that follow on `head`: those of a process
    /// that was killed. `directory` is nil for a vault in memory.
    init(head: ReleaseHead, directory: VaultDirectory?, key: SecretBytes) throws(VaultError) {
        pendingFirst = head.next
        next = head.next
        last = head.last
        end = (next, last)
        guard let directory else {
            descriptor = -1
            path = ""
            return
        }
        path = directory.releaseLog
        descriptor = try Self.open(path)
        recover(key: key)
    }

    deinit {
        synchronize()
        if descriptor >= 0 { close(descriptor) }
    }

    private static func open(_ path: String) throws(VaultError) -> Int32 {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(errno, path: path) }
        fchmod(descriptor, 0o600)
        let number = posix_fallocate(descriptor, 0, off_t(capacity))
        guard number == 0 else {
            close(descriptor)
            throw .system(number, path: path)
        }
        return descriptor
    }

    private func recover(key: SecretBytes) {
        var bytes = [UInt8](repeating: 0, count: Self.capacity)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return }
        bytes.withUnsafeBytes { bytes in
            for entry in ReleaseEntry.all(in: UnsafeRawBufferPointer(rebasing: bytes.prefix(count))) {
                guard entry.sequence == next, let opened = entry.open(key: key), opened.previous == last else { return }
                pending += entry.bytes
                next += 1
                last = entry.tag
            }
        }
        markWritten()
        isDurable = pending.isEmpty
    }

    private func markWritten() {
        written = pending.count
        end = (next, last)
    }

    /// How many entries are not in the database yet.
    var pendingCount: Int { Int(clamping: next - pendingFirst) }

    /// Whether the longest entry still fits.
    var hasRoom: Bool { pending.count + ReleaseEntry.lengthLimit + 64 <= Self.capacity }

    /// Seals an entry behind the others.
    func append(_ release: Release, key: SecretBytes, using entropy: inout any RandomNumberGenerator) throws(VaultError)
    {
        let entry = try ReleaseEntry.seal(release, number: next, after: last, key: key, using: &entropy)
        guard pending.count + entry.bytes.count <= Self.capacity else { throw .storageFull }
        pending += entry.bytes
        last = entry.tag
        next += 1
    }

    /// Puts what was appended since the last call into the file; survives the end of the process from then on. Where that
    /// cannot be, it is as if it had not been appended.
    func commit() throws(VaultError) {
        guard descriptor >= 0, written < pending.count else { return }
        let start = written
        let count = pending.withUnsafeBytes { bytes in
            pwrite(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start, off_t(start))
        }
        guard count == pending.count - start else {
            let number = count < 0 ? errno : ENOSPC
            pending.removeSubrange(start...)
            (next, last) = end
            throw .system(number, path: path)
        }
        markWritten()
        isDurable = false
    }

    /// Has the entries that are in the file survive a power cut too. For the end, where the database cannot take them over;
    /// before it that happens within a second.
    func synchronize() {
        guard descriptor >= 0, !isDurable else { return }
        isDurable = fdatasync(descriptor) == 0
    }

    /// Seals the entries that wait behind another end of the chain.
    func relink(
        to head: ReleaseHead, key: SecretBytes, using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) {
        let waiting = pending.withUnsafeBytes { bytes in
            ReleaseEntry.all(in: bytes).compactMap { $0.open(key: key)?.release }
        }
        pending = []
        written = 0
        (pendingFirst, next, last) = (head.next, head.next, head.last)
        end = (next, last)
        for release in waiting { try append(release, key: key, using: &entropy) }
    }

    /// Overwrites what was in the file; its entries are in the database.
    func erase() {
        guard descriptor >= 0, pending.isEmpty else { return }
        let zeros = [UInt8](repeating: 0, count: Self.capacity)
        pwrite(descriptor, zeros, zeros.count, 0)
        fdatasync(descriptor)
    }

    /// The entries are in the database: begins anew.
    func drained() {
        storedBytes += pending.count
        pending.removeAll(keepingCapacity: true)
        pendingFirst = next
        markWritten()
        isDurable = true
    }
}
