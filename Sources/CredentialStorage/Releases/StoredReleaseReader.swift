// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory
internal import VaultFormat

/// Reads the release log.
package struct StoredReleaseReader {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    /// Entries before a number, or the last ones: the newest first.
    package func page(before number: UInt64?, limit: Int) throws(VaultError) -> ReleasePage {
        try store.read { records throws(VaultError) in
            let journal = records.unlocked.releases
            let end = min(number ?? .max, journal.end.next)
            var listing = ReleaseListing(before: end, limit: limit, key: records.unlocked.keys.releases)
            if journal.pending.withUnsafeBytes({ listing.take($0) }) {
                let before = Int64(clamping: min(listing.end, journal.pendingFirst))
                try records.statements.releases.before.each([.integer(before)]) { row throws(VaultError) in
                    listing.take(row.bytes(1))
                }
            }
            return listing.page(from: records.unlocked.manifest?.root.releases.first)
        }
    }
}

extension RecordView {
    /// When the first or last entry in the database that can be read was made, as the clock showed then.
    func timeOfRelease(fromTheEnd: Bool) throws(VaultError) -> Timestamp? {
        let rows = fromTheEnd ? statements.releases.before : statements.releases.oldest
        var found: Timestamp?
        try rows.each([.integer(fromTheEnd ? .max : .min)]) { row throws(VaultError) in
            let entries = ReleaseEntry.all(in: row.bytes(1))
            for entry in fromTheEnd ? entries.reversed() : entries where found == nil {
                found = entry.open(key: unlocked.keys.releases)?.time
            }
            return found == nil
        }
        return found
    }
}
