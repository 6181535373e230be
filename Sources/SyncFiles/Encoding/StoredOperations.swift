// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory
package import SyncMerge
internal import VaultFormat

/// Operations as the vault stores them: the table of devices and the entries of a file, without a preface.
package enum StoredOperations {
    /// The second half of the id under which the counters of a nonce are stored. A record whose id ends with it would be stored there.
    package static let counterEnding: UInt64 = 0x636f_756e_7465_7200

    /// One record of a state; no entry where the state has nothing of it.
    package static func bytes(of id: ObjectID, in state: SyncState) -> SecretBytes {
        guard let record = state.records[id], !record.isEmpty else { return bytes(of: []) }
        return bytes(of: [.record(id, record)])
    }

    /// The counters of a nonce.
    package static func bytes(of nonce: OneTimeCode.Nonce, in state: SyncState) -> SecretBytes {
        let counters = (state.counters[nonce] ?? [:]).sorted { $0.key < $1.key }
        return bytes(of: counters.map { .counter(nonce, $0.key, $0.value) })
    }

    private static func bytes(of entries: [FileEntry]) -> SecretBytes {
        let table = DeviceTable(of: entries)
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
