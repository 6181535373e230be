// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory

/// One sealed entry among others: its length (16 bits) and number (64) in clear, then what is sealed.
package struct ReleaseEntry {
    package let sequence: UInt64
    package let sealed: UnsafeRawBufferPointer
    /// Length and number included.
    package let bytes: UnsafeRawBufferPointer

    private static let headerLength = 10
    /// How long the plain text of an entry may be, in bytes.
    package static let lengthLimit = 16 << 10
    /// How much memory the longest entry takes.
    package static let capacity = headerLength + lengthLimit + Sealing.overhead

    /// What is sealed in an entry.
    package enum Content {
        case release(Release, ReleaseLink)
        /// It stands for entries that were dropped.
        case gap(ReleaseGap)
    }

    private init(sequence: UInt64, bytes: UnsafeMutableRawBufferPointer) {
        self.sequence = sequence
        self.bytes = UnsafeRawBufferPointer(bytes)
        sealed = UnsafeRawBufferPointer(rebasing: self.bytes[Self.headerLength...])
    }

    /// A new entry, in memory of `capacity` bytes. That is not locked: an entry has names and times, and no secret.
    package static func seal(
        _ release: Release, number: UInt64, after link: ReleaseLink, key: SecretBytes,
        in memory: UnsafeMutableRawBufferPointer, using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) -> ReleaseEntry {
        try seal(number: number, key: key, in: memory, using: &entropy) { release.write(to: &$0, after: link) }
    }

    /// The bytes and tag of a new entry.
    package static func seal(
        _ release: Release, number: UInt64, after link: ReleaseLink, key: SecretBytes,
        using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) -> (bytes: [UInt8], tag: SealTag) {
        try seal(number: number, key: key, using: &entropy) { release.write(to: &$0, after: link) }
    }

    /// The same of what `write` writes.
    static func seal(
        number: UInt64, key: SecretBytes, using entropy: inout any RandomNumberGenerator,
        _ write: (inout BinaryWriter) -> Void
    ) throws(VaultError) -> (bytes: [UInt8], tag: SealTag) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
        defer { memory.deallocate() }
        let entry = try seal(number: number, key: key, in: memory, using: &entropy, write)
        return ([UInt8](entry.bytes), entry.tag)
    }

    private static func seal(
        number: UInt64, key: SecretBytes, in memory: UnsafeMutableRawBufferPointer,
        using entropy: inout any RandomNumberGenerator, _ write: (inout BinaryWriter) -> Void
    ) throws(VaultError) -> ReleaseEntry {
        let start = headerLength + Sealing.nonceLength
        let plain = UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + lengthLimit])
        let length = BinaryWriter.encode(into: plain, padded: SizeClass.release, write)
        guard length <= lengthLimit else {
            plain.initializeMemory(as: UInt8.self, repeating: 0)
            throw .tooLarge(limit: lengthLimit)
        }
        let header = UnsafeMutableRawBufferPointer(rebasing: memory[..<headerLength])
        let end = headerLength + length + Sealing.overhead
        let sealed = UnsafeMutableRawBufferPointer(rebasing: memory[headerLength..<end])
        // Until it is sealed its associated data lie in the place of its header, which has the number where they have it.
        AssociatedData.putRelease(number, into: header)
        guard
            Sealing.seal(within: sealed, key: key, associated: UnsafeRawBufferPointer(header), using: &entropy)
        else { throw .failed(code: 0) }
        header.storeBytes(of: UInt16(sealed.count).bigEndian, as: UInt16.self)
        return ReleaseEntry(sequence: number, bytes: UnsafeMutableRawBufferPointer(rebasing: memory[..<end]))
    }

    /// What begins at a position of a run of bytes; nil where that is no entry by its length.
    package init?(at offset: Int, of bytes: UnsafeRawBufferPointer) {
        let capacity = bytes.count - offset - Self.headerLength
        guard capacity >= Sealing.overhead else { return nil }
        let length = Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
        guard length >= Sealing.overhead, length <= capacity else { return nil }
        sequence = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset + 2, as: UInt64.self))
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Self.headerLength + length])
        sealed = UnsafeRawBufferPointer(rebasing: self.bytes[Self.headerLength...])
    }

    /// The entries in a run of bytes by their lengths, up to the first that is none; see `ReleaseScan` for a run that may be damaged.
    package static func all(in bytes: UnsafeRawBufferPointer) -> [ReleaseEntry] {
        var entries: [ReleaseEntry] = []
        var offset = 0
        while let entry = ReleaseEntry(at: offset, of: bytes) {
            entries.append(entry)
            offset += entry.bytes.count
        }
        return entries
    }

    package var tag: SealTag { Sealing.tag(of: sealed) }

    /// nil where it is not what was sealed.
    package func content(key: SecretBytes) -> Content? {
        let opened = try? Sealing.open(sealed, key: key, associated: AssociatedData.release(sequence)) {
            plain -> Content? in
            if let gap = ReleaseGap(plain, first: sequence) { return .gap(gap) }
            var reader = BinaryReader(plain)
            let link = ReleaseLink(from: &reader)
            let release = Release(from: &reader)
            return reader.isAtEnd ? .release(release, link) : nil
        }
        return opened ?? nil
    }

    /// The release; nil where it is not what was sealed, and for a gap.
    package func open(key: SecretBytes) -> Release? {
        guard case .release(let release, _)? = content(key: key) else { return nil }
        return release
    }
}
