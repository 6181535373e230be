// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// Rows against the manifest: whether exactly those are there that should be.
extension Vault {
    /// Compares all in one pass; returns what does not fit.
    func compareAll(_ parts: UnlockedVault, _ statements: VaultStatements) -> [VaultFinding] {
        guard parts.manifest != nil else { return [] }
        var comparison = ManifestComparison()
        for index in 0..<ManifestBucket.count {
            do throws(VaultError) {
                try comparison.expect(parts.manifest?.bucket(index, statements, key: parts.keys.manifest))
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

    /// What reads have found that is not as the manifest says, since the last call: each bucket is looked at once an unlock.
    package func takeFindingsOfReads() -> [VaultFinding] { unlockedParts?.reads.compared.takeFindings() ?? [] }

    /// Compares the bucket that a record is in, once an unlock; throws `recordDamaged` where this record does not fit, and
    /// `damaged` where nothing says whether it does.
    func compareBucket(
        of id: ObjectID, _ parts: UnlockedVault, _ statements: VaultStatements
    ) throws(VaultError) {
        _ = try parts.trustedManifest
        let index = ManifestBucket.index(of: id)
        guard !parts.reads.compared[index] else { return }
        if parts.reads.compared.misfits(of: index) == nil {
            parts.reads.compared.note(try compare(bucket: index, parts, statements), of: index)
        }
        guard parts.reads.compared.misfits(of: index)?.contains(id) != true else { throw .recordDamaged(id) }
    }

    /// The rows of one bucket against its entries.
    private func compare(
        bucket index: Int, _ parts: UnlockedVault, _ statements: VaultStatements
    ) throws(VaultError) -> [VaultFinding] {
        var comparison = ManifestComparison()
        try comparison.expect(parts.manifest?.bucket(index, statements, key: parts.keys.manifest))
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
