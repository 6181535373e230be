// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory
internal import SyncMerge
internal import VaultFormat

/// The plain texts of a file: whole entries, as many as fit into each.
struct FileBatches {
    private let preface: SyncFilePreface
    private let table: DeviceTable
    private var batches: [ArraySlice<FileEntry>] = []

    var count: Int { batches.count }

    init(_ entries: [FileEntry], after preface: SyncFilePreface, upTo limit: Int) {
        self.preface = preface
        let table = DeviceTable(of: entries, and: preface.vector.sequences.keys)
        self.table = table
        var start = 0, size = 0
        for (position, entry) in entries.enumerated() {
            let length = BinaryWriter.length { entry.write(to: &$0, table) }
            if size > 0, size + length > limit {
                batches.append(entries[start..<position])
                (start, size) = (position, 0)
            }
            size += length
        }
        batches.append(entries[start...])
    }

    /// Padded, so that the length reveals little.
    func plain(_ position: Int) -> SecretBytes {
        BinaryWriter.encode(padded: SizeClass.record) { writer in
            if position == 0 {
                table.write(to: &writer)
                preface.write(to: &writer, table)
            }
            for entry in batches[position] { entry.write(to: &writer, table) }
        }
    }
}
