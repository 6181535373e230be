// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

/// Reads the release log.
package struct StoredReleaseReader {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    /// Entries before a number, or the last ones: the newest first. One that cannot be read is left out; `check` reports it.
    package func page(before number: UInt64?, limit: Int) throws(VaultError) -> VaultPage<NumberedRelease, UInt64> {
        try store.read { records throws(VaultError) in
            let unlocked = records.unlocked
            let end = number ?? .max
            var found: [NumberedRelease] = []
            func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
                for entry in ReleaseEntry.all(in: bytes).reversed() where entry.sequence < end {
                    guard found.count <= limit else { return false }
                    guard let opened = entry.open(key: unlocked.keys.releases) else { continue }
                    found.append(NumberedRelease(number: entry.sequence, release: opened.release))
                }
                return found.count <= limit
            }
            if unlocked.releases.pending.withUnsafeBytes({ take($0) }) {
                let before = Int64(clamping: min(end, unlocked.releases.pendingFirst))
                try records.statements.releases.before.each([.integer(before)]) { row throws(VaultError) in
                    take(row.bytes(1))
                }
            }
            let page = Array(found.prefix(limit))
            return VaultPage(elements: page, next: found.count > limit ? page.last?.number : nil)
        }
    }
}

/// An entry of the release log and its number.
package struct NumberedRelease: Sendable {
    package let number: UInt64
    package let release: Release
}

extension RecordView {
    /// When the first or last entry in the database that can be read was made, as the clock showed then.
    func timeOfRelease(fromTheEnd: Bool) throws(VaultError) -> Timestamp? {
        let rows = fromTheEnd ? statements.releases.before : statements.releases.oldest
        var found: Timestamp?
        try rows.each([.integer(fromTheEnd ? .max : .min)]) { row throws(VaultError) in
            let entries = ReleaseEntry.all(in: row.bytes(1))
            for entry in fromTheEnd ? entries.reversed() : entries where found == nil {
                found = entry.open(key: unlocked.keys.releases)?.release.time
            }
            return found == nil
        }
        return found
    }
}
