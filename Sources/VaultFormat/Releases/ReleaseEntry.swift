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

    /// What is sealed in an entry.
    package enum Content {
        case release(Release, ReleaseLink)
        /// It stands for entries that were dropped.
        case gap(ReleaseGap)
    }

    /// A new entry's bytes and tag.
    package static func seal(
        _ release: Release, number: UInt64, after link: ReleaseLink, key: SecretBytes,
        using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) -> (bytes: [UInt8], tag: SealTag) {
        try seal(number: number, key: key, using: &entropy) { release.write(to: &$0, after: link) }
    }

    /// The same of what `write` writes, in one piece of memory. That is not locked: an entry has names and times, and no secret.
    static func seal(
        number: UInt64, key: SecretBytes, using entropy: inout any RandomNumberGenerator,
        _ write: (inout BinaryWriter) -> Void
    ) throws(VaultError) -> (bytes: [UInt8], tag: SealTag) {
        let length = SizeClass.release(BinaryWriter.length(of: write))
        guard length <= lengthLimit else { throw .tooLarge(limit: lengthLimit) }
        let sealedLength = length + Sealing.overhead
        var (isSealed, tag) = (false, SealTag.none)
        let entry = [UInt8](unsafeUninitializedCapacity: headerLength + sealedLength) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            let header = UnsafeMutableRawBufferPointer(rebasing: bytes[..<headerLength])
            let sealed = UnsafeMutableRawBufferPointer(rebasing: bytes[headerLength...])
            // Until it is sealed its associated data lie in the place of its header, which has the number where they have it.
            AssociatedData.putRelease(number, into: header)
            let plain = sealed[Sealing.nonceLength..<Sealing.nonceLength + length]
            BinaryWriter.encode(into: UnsafeMutableRawBufferPointer(rebasing: plain), write)
            isSealed = Sealing.seal(
                within: sealed, key: key, associated: UnsafeRawBufferPointer(header), using: &entropy)
            guard isSealed else { return }
            header.storeBytes(of: UInt16(sealedLength).bigEndian, as: UInt16.self)
            tag = Sealing.tag(of: UnsafeRawBufferPointer(sealed))
            count = headerLength + sealedLength
        }
        guard isSealed else { throw .failed(code: 0) }
        return (entry, tag)
    }

    /// What begins at a position of a run of bytes; nil where that is no entry by its length.
    init?(at place: Int, of bytes: UnsafeRawBufferPointer) {
        let capacity = bytes.count - place - Self.headerLength
        guard capacity >= Sealing.overhead else { return nil }
        let length = Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
        guard length >= Sealing.overhead, length <= capacity else { return nil }
        sequence = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place + 2, as: UInt64.self))
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes[place..<place + Self.headerLength + length])
        sealed = UnsafeRawBufferPointer(rebasing: self.bytes[Self.headerLength...])
    }

    /// The entries in a run of bytes by their lengths, up to the first that is none; see `ReleaseScan` for a run that may be damaged.
    package static func all(in bytes: UnsafeRawBufferPointer) -> [ReleaseEntry] {
        var entries: [ReleaseEntry] = []
        var place = 0
        while let entry = ReleaseEntry(at: place, of: bytes) {
            entries.append(entry)
            place += entry.bytes.count
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
