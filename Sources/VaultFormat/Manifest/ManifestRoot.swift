// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// The root of the manifest, sealed with every change: it pins the tag of every middle node, and with them of every bucket
/// and record.
package struct ManifestRoot: Hashable, Sendable {
    package static let tallyCount = 16

    /// That of the buckets and records below it.
    package var format: FormatVersion
    /// Drawn when the vault is made; kept by rekey.
    package var vaultID: SealTag
    /// One more with each change.
    package var generation: UInt64 = 0
    /// How many of each kind there are; the index is `Tally`'s number.
    package var tallies = [UInt64](repeating: 0, count: tallyCount)
    /// SHA-256 over the slots; see `SlotRow.digest`.
    package var slots: [UInt8]
    /// The id that the next slot gets.
    package var nextSlot: Slot.ID
    package var releases = ReleaseHead()
    /// Whether `vault.releases` has a mark of how new the vault is: then one without is not the vault's own. Not in the first
    /// format.
    package var isMarked = false
    /// The tags of the middle nodes; `none` where there is none.
    var middles = [SealTag](repeating: .none, count: Manifest.middleCount)

    package init(_ format: FormatVersion = .present, vaultID: SealTag, slots: [SlotRow]) {
        self.format = format
        self.vaultID = vaultID
        self.slots = SlotRow.digest(slots)
        nextSlot = max(1, (slots.map(\.id).max() ?? 0) &+ 1)
    }

    package func write(to writer: inout BinaryWriter) {
        writer.put(format.rawValue)
        writer.put(vaultID)
        writer.put(generation)
        for tally in tallies { writer.put(tally) }
        for byte in slots { writer.put(byte) }
        writer.put(nextSlot)
        writer.put(releases.first)
        writer.put(releases.anchor)
        writer.put(releases.next)
        writer.put(releases.last)
        if format > .first {
            writer.put(releases.count)
            releases.quotas.write(to: &writer)
            writer.put(isMarked)
        }
        for tag in middles { writer.put(tag) }
    }

    /// nil where the bytes are not a root's.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = BinaryReader(bytes)
        guard let format = FormatVersion(rawValue: reader.integer()) else { return nil }
        self.format = format
        vaultID = reader.tag()
        generation = reader.integer()
        for index in tallies.indices { tallies[index] = reader.integer() }
        slots = reader.take(32).map(Array.init) ?? []
        nextSlot = reader.integer()
        releases.first = reader.integer()
        releases.anchor = reader.tag()
        releases.next = reader.integer()
        releases.last = reader.tag()
        if format > .first {
            releases.count = reader.integer()
            releases.quotas = ReleaseQuotas(from: &reader)
            isMarked = reader.flag()
        }
        for index in middles.indices { middles[index] = reader.tag() }
        guard reader.isAtEnd else { return nil }
    }
}
