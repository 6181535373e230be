// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import VaultFormat

/// Compares rows with the manifest: whether exactly those are there that should be.
extension RecordView {
    /// Compares all in one pass; returns what does not match.
    func compareAll() -> [VaultFinding] {
        guard unlocked.manifest != nil else { return [] }
        var comparison = ManifestComparison()
        for index in 0..<ManifestBucket.count {
            do throws(VaultError) {
                try comparison.expect(unlocked.manifest?.bucket(index, statements, key: unlocked.keys.manifest))
            } catch { comparison.unreadable(index, error) }
        }
        do throws(VaultError) {
            try statements.records.tags.each([]) { row throws(VaultError) in
                comparison.meet(row)
                return true
            }
            try statements.lookups?.meet(&comparison)
        } catch { comparison.breakOff(error) }
        return comparison.findings
    }

    /// Compares the bucket of a record, once per unlock; not to be called where `ComparedBuckets.matches` holds. Throws
    /// `recordDamaged` where this record does not match, and `damaged` where nothing states whether it does.
    func compareBucket(of id: ObjectID) throws(VaultError) {
        _ = try unlocked.trustedManifest
        let index = ManifestBucket.index(of: id)
        if unlocked.compared.misfits(of: index) == nil {
            unlocked.compared.note(try compare(bucket: index), of: index)
        }
        guard unlocked.compared.misfits(of: index)?.contains(id) != true else { throw .recordDamaged(id) }
    }

    /// The rows of one bucket against its entries.
    private func compare(bucket index: Int) throws(VaultError) -> [VaultFinding] {
        var comparison = ManifestComparison()
        try comparison.expect(unlocked.manifest?.bucket(index, statements, key: unlocked.keys.manifest))
        for kind in ObjectID.Kind.allCases {
            let first = ObjectID(kind: kind, high: UInt64(index) << 52, low: 0)
            let last = ObjectID(kind: kind, high: UInt64(index) << 52 | (1 << 52 - 1), low: .max)
            try statements.records.tagsOfKind.each([.bytes(first.stored), .bytes(last.stored)]) {
                row throws(VaultError) in
                comparison.meet(row)
                return true
            }
            try statements.lookups?.meet(&comparison, from: first, to: last)
        }
        return comparison.findings
    }
}
