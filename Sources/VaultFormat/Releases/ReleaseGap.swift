// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory

/// Replaces entries that were dropped from the middle of the release log, and links what is before them with what is after
/// them. It is sealed as an entry is, under the number of the first that was dropped.
package struct ReleaseGap: Hashable {
    /// The first byte of the plain text.
    package static let format: UInt8 = 2

    package let first: UInt64
    /// The tag of the entry before.
    package let previous: SealTag
    package var last: UInt64
    /// The tag of the last one that was dropped.
    package var tag: SealTag

    package init(first: UInt64, previous: SealTag, last: UInt64, tag: SealTag) {
        self.first = first
        self.previous = previous
        self.last = last
        self.tag = tag
    }

    /// Whether nothing is between another one and this.
    package func continues(_ other: ReleaseGap) -> Bool { other.tag == previous && other.last &+ 1 == first }

    /// nil where the bytes are not a gap's.
    package init?(_ bytes: UnsafeRawBufferPointer, first: UInt64) {
        var reader = BinaryReader(bytes)
        let format: UInt8 = reader.integer()
        self.first = first
        previous = reader.tag()
        last = reader.integer()
        tag = reader.tag()
        guard format == Self.format, reader.isAtEnd, last >= first else { return nil }
    }

    package func write(to writer: inout BinaryWriter) {
        writer.put(Self.format)
        writer.put(previous)
        writer.put(last)
        writer.put(tag)
    }
}

extension ReleaseEntry {
    /// The bytes of a gap.
    package static func seal(
        _ gap: ReleaseGap, key: SecretBytes, using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) -> [UInt8] {
        try seal(number: gap.first, key: key, using: &entropy) { gap.write(to: &$0) }.bytes
    }

    /// The gap; nil where it is none.
    package func gap(key: SecretBytes) -> ReleaseGap? {
        guard case .gap(let gap)? = piece(key: key) else { return nil }
        return gap
    }

    /// What a cut needs of an entry.
    package enum Piece {
        /// Of this app, at this assurance, after the entry with the tag `previous`.
        case release(app: String, assurance: String, previous: SealTag)
        case gap(ReleaseGap)
    }

    /// The same without the other fields; nil where it is not what was sealed.
    package func piece(key: SecretBytes) -> Piece? {
        let opened = try? Sealing.open(sealed, key: key, associated: AssociatedData.release(sequence)) {
            plain -> Piece? in
            if let gap = ReleaseGap(plain, first: sequence) { return .gap(gap) }
            var reader = BinaryReader(plain)
            let link = ReleaseLink(from: &reader)
            _ = reader.time()
            let app = reader.text()
            let assurance = reader.text()
            return reader.isIntact ? .release(app: app, assurance: assurance, previous: link.previous) : nil
        }
        return opened ?? nil
    }
}
