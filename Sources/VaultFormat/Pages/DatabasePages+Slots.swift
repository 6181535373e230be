// SPDX-License-Identifier: Apache-2.0
package import Credentials

extension DatabasePages {
    /// The slots, in the order of their ids.
    package func slots(_ progress: VaultProgress = VaultProgress()) throws(VaultError) -> [SlotRow] {
        var slots: [Slot.ID: SlotRow] = [:]
        try eachRow(progress) { row throws(VaultError) in
            guard RowShape.table(of: row) == "slot", let slot = SlotRow(row) else { return }
            slots[slot.id] = slot
        }
        return slots.values.sorted { $0.id < $1.id }
    }
}

extension SlotRow {
    /// A slot from a page; nil where the columns are not a slot's.
    fileprivate init?(_ row: PageRow) {
        func bytes(_ index: Int) -> [UInt8] { if case .bytes(let bytes) = row.values[index] { bytes } else { [] } }
        guard row.values.count == 8, case .integer(let kind) = row.values[1], let kind = UInt8(exactly: kind) else {
            return nil
        }
        id = row.key
        self.kind = kind
        (salt, cost, wrapped) = (bytes(2), bytes(3), bytes(4))
        (checksum, note, failures) = (bytes(5), bytes(6), bytes(7))
    }
}
