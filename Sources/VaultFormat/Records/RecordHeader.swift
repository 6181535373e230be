// SPDX-License-Identifier: Apache-2.0

/// The beginning of a record's plain text.
package struct RecordHeader {
    package let format: FormatVersion
    /// See `ManifestEntry`.
    package let sealing: UInt64

    package init(format: FormatVersion = .present, sealing: UInt64) {
        self.format = format
        self.sealing = sealing
    }

    /// nil where the bytes are no record's.
    @usableFromInline init?(from reader: inout BinaryReader) {
        guard let format = FormatVersion(rawValue: reader.integer()) else { return nil }
        self.format = format
        sealing = format == .first ? 0 : reader.integer()
        reader.format = format
    }

    package init?(_ plain: UnsafeRawBufferPointer) {
        var reader = BinaryReader(plain)
        self.init(from: &reader)
    }

    package func write(to writer: inout BinaryWriter) {
        writer.put(format.rawValue)
        if format > .first { writer.put(sealing) }
    }
}
