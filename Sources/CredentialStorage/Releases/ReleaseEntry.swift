// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory

/// One sealed entry among others: its length (16 bits) and number (64) in clear, then what is sealed.
struct ReleaseEntry {
    let sequence: UInt64
    let sealed: UnsafeRawBufferPointer
    /// Length and number included.
    let bytes: UnsafeRawBufferPointer

    private static let headerLength = 10
    /// How long the plain text of an entry may be, in bytes.
    static let lengthLimit = 16 << 10

    /// A new entry's bytes and tag.
    static func seal(
        _ release: Release, number: UInt64, after previous: SealTag, key: SecretBytes,
        using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) -> (bytes: [UInt8], tag: SealTag) {
        let plain = BinaryWriter.encode(padded: SizeClass.release) { release.write(to: &$0, after: previous) }
        guard plain.count <= lengthLimit else { throw .tooLarge(limit: lengthLimit) }
        return try seal(plain, number: number, key: key, using: &entropy)
    }

    static func seal(
        _ plain: SecretBytes, number: UInt64, key: SecretBytes, using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) -> (bytes: [UInt8], tag: SealTag) {
        var entry = try plain.withUnsafeBytes { plain throws(VaultError) in
            try Sealing.seal(
                plain, key: key, associated: AssociatedData.release(number), after: headerLength, using: &entropy)
        }
        let tag = entry.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: UInt16(bytes.count - headerLength).bigEndian, as: UInt16.self)
            bytes.storeBytes(of: number.bigEndian, toByteOffset: 2, as: UInt64.self)
            return Sealing.tag(of: UnsafeRawBufferPointer(bytes))
        }
        return (entry, tag)
    }

    /// The entries in a run of bytes, up to the first that is none.
    static func all(in bytes: UnsafeRawBufferPointer) -> [ReleaseEntry] {
        var entries: [ReleaseEntry] = []
        var rest = bytes
        while rest.count > headerLength {
            let length = Int(UInt16(bigEndian: rest.loadUnaligned(as: UInt16.self)))
            guard length >= Sealing.overhead, length <= rest.count - headerLength else { break }
            entries.append(
                ReleaseEntry(
                    sequence: UInt64(bigEndian: rest.loadUnaligned(fromByteOffset: 2, as: UInt64.self)),
                    sealed: UnsafeRawBufferPointer(rebasing: rest[headerLength..<headerLength + length]),
                    bytes: UnsafeRawBufferPointer(rebasing: rest[..<(headerLength + length)])))
            rest = UnsafeRawBufferPointer(rebasing: rest[(headerLength + length)...])
        }
        return entries
    }

    var tag: SealTag { Sealing.tag(of: sealed) }

    /// The entry and the tag of the one before it; nil where it is not what was sealed, and for a gap.
    func open(key: SecretBytes) -> (release: Release, previous: SealTag)? {
        let opened = try? Sealing.open(sealed, key: key, associated: AssociatedData.release(sequence)) { plain in
            var reader = BinaryReader(plain)
            var previous = SealTag.none
            let release = Release(from: &reader, after: &previous)
            return reader.isAtEnd ? (release, previous) : nil
        }
        return opened ?? nil
    }
}
