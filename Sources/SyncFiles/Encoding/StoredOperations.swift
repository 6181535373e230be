// SPDX-License-Identifier: Apache-2.0
package import SecretMemory
package import SyncMerge
internal import VaultFormat

/// Operations as the vault stores them: the table of devices and the entries of a file, without a preface.
package enum StoredOperations {
    package static func bytes(of operations: some Sequence<SyncOperation>) -> SecretBytes {
        var state = SyncState()
        state.merge(operations)
        let entries = FileEntry.entries(of: state)
        let table = DeviceTable(entries.flatMap(\.devices))
        return BinaryWriter.encode { writer in
            table.write(to: &writer)
            for entry in entries { entry.write(to: &writer, table) }
        }
    }

    /// Nil where these are other bytes.
    package static func operations(in bytes: SecretBytes) -> [SyncOperation]? {
        bytes.withUnsafeBytes { memory in
            var reader = BinaryReader(memory)
            let table = DeviceTable(from: &reader)
            guard reader.isIntact else { return nil }
            var entries = EntryReader(table: table)
            return entries.operations(from: &reader)
        }
    }
}
