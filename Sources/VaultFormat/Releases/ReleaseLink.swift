// SPDX-License-Identifier: Apache-2.0

/// What an entry of the release log continues: the beginning of its plain text.
package struct ReleaseLink: Hashable {
    /// The first byte of the plain text, without and with a generation.
    private static let formats: (former: UInt8, present: UInt8) = (1, 3)

    /// The tag of the entry before it.
    package var previous: SealTag
    /// The generation of the manifest when the entry was made. An entry in `vault.releases` of an earlier one is in the database, or
    /// was of a vault that was replaced. nil in entries of autofilld 0.1 and in vaults of its format.
    package var generation: UInt64?

    package init(previous: SealTag = .none, generation: UInt64? = nil) {
        (self.previous, self.generation) = (previous, generation)
    }

    package func write(to writer: inout BinaryWriter) {
        writer.put(generation == nil ? Self.formats.former : Self.formats.present)
        writer.put(previous)
        if let generation { writer.put(generation) }
    }

    init(from reader: inout BinaryReader) {
        let format: UInt8 = reader.integer()
        previous = reader.tag()
        if format == Self.formats.present {
            generation = reader.integer()
        } else if format != Self.formats.former {
            reader.fail(())
        }
    }
}
