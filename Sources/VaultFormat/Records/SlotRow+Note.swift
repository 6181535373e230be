// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

extension SlotRow {
    private static let noteFormat: UInt8 = 1

    /// Seals label and time of creation.
    package mutating func setNote(
        label: String, created: Timestamp, keys: VaultKeys, using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) {
        let plain = BinaryWriter.encode(padded: SizeClass.release) { writer in
            writer.put(Self.noteFormat)
            writer.put(label)
            writer.put(created)
        }
        let sealed = try plain.withUnsafeBytes { bytes throws(VaultError) in
            try Sealing.seal(bytes, key: keys.slotNotes, associated: AssociatedData.slotNote(id), using: &entropy)
        }
        note = Array(sealed)
    }

    /// The description of the slot; without keys, label and time are withheld.
    package func described(keys: VaultKeys?) throws(VaultError) -> Slot {
        let opened: (label: String, created: Timestamp)? =
            if let keys {
                try Sealing.open(note, key: keys.slotNotes, associated: AssociatedData.slotNote(id)) { plain in
                    var reader = BinaryReader(plain)
                    let format: UInt8 = reader.integer()
                    let label = reader.text()
                    let created = reader.time()
                    return format == Self.noteFormat && reader.isAtEnd ? (label, created) : nil
                } ?? nil
            } else { nil }
        return Slot(
            id: id, kind: Slot.Kind(rawValue: kind) ?? .key, cost: passphraseCost, label: opened?.label,
            created: opened?.created, isIntact: isIntact)
    }
}
