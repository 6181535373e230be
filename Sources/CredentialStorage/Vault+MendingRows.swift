// SPDX-License-Identifier: Apache-2.0
internal import CSealing
internal import Credentials
internal import SecretMemory

/// What a repair does about records whose sealed part is whole, and what stands beside it in the row is not.
extension Vault {
    /// Gives such rows what was there when they were sealed: where a record is looked up follows from what it says, and by the
    /// tag of what was sealed the manifest knows id and version.
    ///
    /// - Returns: whether any row was changed.
    func mendRows(_ parts: UnlockedVault, _ statements: VaultStatements) throws(VaultError) -> Bool {
        var damaged: [DamagedRow] = []
        try statements.records.numbered.each([]) { row throws(VaultError) in
            if try VaultInspection.entry(row, keys: parts.keys) == nil {
                damaged.append(
                    DamagedRow(
                        number: row.integer(4), id: ObjectID(stored: row.bytes(0)),
                        version: UInt64(bitPattern: row.integer(2)), sealed: row.copy(3)))
            }
            return true
        }
        guard !damaged.isEmpty else { return false }
        let expected = entriesByTag(parts, statements)
        var isChanged = false
        for row in damaged {
            guard let mended = row.mended(expected, parts.keys) else { continue }
            try statements.records.rename.run(
                .integer(row.number), .bytes(mended.id.stored), .bytes(mended.lookup),
                .integer(Int64(bitPattern: mended.version)))
            isChanged = isChanged || statements.records.rename.changedRows > 0
        }
        return isChanged
    }

    private func entriesByTag(_ parts: UnlockedVault, _ statements: VaultStatements) -> [SealTag: ManifestEntry] {
        let key = parts.keys.manifest
        var tree =
            parts.manifest ?? (try? Manifest(reading: statements, key: key))
            ?? Manifest(withoutRoot: statements, key: key)
        var found: [SealTag: ManifestEntry] = [:]
        for index in 0..<ManifestBucket.count {
            for entry in (try? tree.bucket(index, statements, key: key))?.entries ?? [] { found[entry.tag] = entry }
        }
        return found
    }
}

/// A row that does not open.
private struct DamagedRow {
    let number: Int64
    let id: ObjectID?
    let version: UInt64
    let sealed: [UInt8]

    /// What id, version and lookup were when it was sealed; nil where the sealed part itself is not what it was.
    func mended(
        _ expected: [SealTag: ManifestEntry], _ keys: VaultKeys
    ) -> (id: ObjectID, version: UInt64, lookup: [UInt8])? {
        let tag = sealed.withUnsafeBytes { Sealing.tag(of: $0) }
        let names = [id.map { ($0, version) }, expected[tag].map { ($0.id, $0.version) }].compactMap(\.self)
        for (id, version) in names {
            guard let lookup = lookup(id, version, keys) else { continue }
            let associated = lookup.withUnsafeBytes { AssociatedData.record(id, version: version, lookup: $0) }
            let isOpened = try? Sealing.open(sealed, key: keys.records, associated: associated) { _ in true }
            if isOpened ?? nil != nil { return (id, version, lookup) }
        }
        return nil
    }

    /// Where the record would be looked up that the sealed part tells of, if that is what was sealed.
    private func lookup(_ id: ObjectID, _ version: UInt64, _ keys: VaultKeys) -> [UInt8]? {
        guard sealed.count >= Sealing.overhead else { return nil }
        let plain = SecretBytes(count: sealed.count - Sealing.overhead) { plain in
            keys.records.withUnsafeBytes { key in
                _ = af_decipher(
                    key.assumingMemoryBound(to: UInt8.self).baseAddress, sealed, sealed.count,
                    plain.assumingMemoryBound(to: UInt8.self).baseAddress)
            }
        }
        return plain.withUnsafeBytes { plain in
            Vault.parse(plain, id: id, version: version)?.blindIndex(key: keys.index).bytes
        }
    }
}
