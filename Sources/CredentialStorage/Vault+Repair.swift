// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

/// What `repair` did.
package struct RepairReport: Sendable {
    /// What was wrong before.
    package let findings: [VaultFinding]
    /// How many rows were put into quarantine, those included that stand for a missing record.
    package let quarantined: Int
    /// Where the damaged file is kept, if the vault had to be copied into a new one.
    package let replaced: String?
    /// What the vault is like now.
    package let after: CheckReport
}

extension Vault {
    /// Makes the vault sound again: rows that are not what they should be are put into quarantine, never deleted, and the
    /// manifest is written anew over the rest. Where pages are damaged, what can be read is copied into a new file first, and
    /// the old one is kept: then nothing is an error any more, and what could not be done is still found afterwards.
    ///
    /// - Parameter takesOlder: the person takes the vault as it is, also where it is older than its last change; else that
    ///   throws `outdated`.
    package func repair(
        at now: Timestamp, takesOlder: Bool = false, _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) -> RepairReport {
        let parts = try unlocked
        guard takesOlder || parts.distrust == nil else { throw .outdated }
        let before = try check(progress)
        guard !before.isSound else {
            return RepairReport(findings: [], quarantined: 0, replaced: nil, after: before)
        }
        try checkSlots(parts)
        guard before.findings.contains(where: { $0.isOfPages }) else {
            return try mend(before, before.findings, parts, progress)
        }
        let replaced = try copyIntoNewFile(progress)
        progress.passLastStop()
        do throws(VaultError) {
            return try mend(before, check(progress).findings, parts, progress, replacing: replaced)
        } catch {
            return RepairReport(findings: before.findings, quarantined: 0, replaced: replaced, after: before)
        }
    }

    private func mend(
        _ before: CheckReport, _ findings: [VaultFinding], _ parts: UnlockedVault, _ progress: VaultProgress,
        replacing replaced: String? = nil
    ) throws(VaultError) -> RepairReport {
        let database = try database
        let mended = try database.write { statements throws(VaultError) -> Mended in
            var findings = findings
            if try mendRows(parts, statements) { findings = try check(progress).findings }
            var count = try quarantineRecords(findings, statements)
            let slots = try mendSlots(parts, statements)
            var head = ReleaseHead()
            if findings.contains(where: { $0.isOfReleases }) || parts.manifest == nil {
                count += try relinkReleases(&head, parts.keys, statements)
            } else if let root = parts.manifest?.root {
                head = root.releases
            }
            let manifest = try rebuildManifest(parts, head, of: before.records, statements, progress)
            return Mended(count: count, slots: slots, manifest: manifest)
        }
        progress.passLastStop()
        (parts.slots, parts.manifest, parts.distrust) = (mended.slots, mended.manifest, nil)
        // Entries that were still waiting are sealed to the end of the old chain: link them to the new one.
        try? parts.releases.relink(
            to: mended.manifest.root.releases, key: parts.keys.releases, using: &entropy)
        beginMarks(parts)
        (parts.reads.compared, parts.orders) = (ComparedBuckets(), CredentialOrders())
        let after = (try? check(progress)) ?? before
        parts.reads.compared.isAll = after.isSound
        return RepairReport(
            findings: before.findings, quarantined: mended.count, replaced: replaced, after: after)
    }

    /// What the transaction of a repair came to; in force when it is committed.
    private struct Mended {
        let count: Int
        let slots: [SlotRow]
        let manifest: Manifest
    }

    // MARK: - Parts

    private func quarantineRecords(
        _ findings: [VaultFinding], _ statements: VaultStatements
    ) throws(VaultError) -> Int {
        var done: Set<ObjectID> = []
        for finding in findings {
            if case .unpinned = finding { continue }
            guard let id = finding.id, done.insert(id).inserted else { continue }
            if case .missing = finding {
                try statements.quarantine.put.run(
                    .text("record"), .text(finding.word), .bytes(id.stored), .null, .integer(0), .null)
            } else {
                try statements.quarantine.putRecord.run(.bytes(id.stored), .text(finding.word))
                try statements.records.delete.run(.bytes(id.stored))
            }
        }
        return try done.count + quarantineUnnamed(findings, statements)
    }

    /// Rows whose id is none: no finding can name them.
    private func quarantineUnnamed(
        _ findings: [VaultFinding], _ statements: VaultStatements
    ) throws(VaultError) -> Int {
        let finding = VaultFinding(.unnamedRecord)
        guard findings.contains(finding) else { return 0 }
        let unnamed = try statements.records.numbers.all { row throws(VaultError) in
            ObjectID(stored: row.bytes(1)) == nil ? row.integer(0) : nil
        }.compactMap { $0 }
        for number in unnamed {
            try statements.quarantine.putNumber.run(.integer(number), .text(finding.word))
            try statements.records.deleteNumber.run(.integer(number))
        }
        return unnamed.count
    }

    /// Chains all entries that can be read anew, under the numbers they have; rows with one that cannot are kept in
    /// quarantine.
    private func relinkReleases(
        _ head: inout ReleaseHead, _ keys: VaultKeys, _ statements: VaultStatements
    ) throws(VaultError) -> Int {
        var readable: [UInt64: Release] = [:]
        var rows: [(first: Int64, isSound: Bool)] = []
        try statements.releases.oldest.each([.integer(.min)]) { row throws(VaultError) in
            let bytes = row.bytes(1)
            let entries = ReleaseEntry.all(in: bytes)
            var isSound = entries.reduce(0) { $0 + $1.bytes.count } == bytes.count
            for entry in entries {
                if let opened = entry.open(key: keys.releases) {
                    readable[entry.sequence] = opened.release
                } else if entry.gap(key: keys.releases) == nil {
                    isSound = false
                }
            }
            rows.append((row.integer(0), isSound))
            return true
        }
        for row in rows {
            if !row.isSound { try statements.quarantine.putReleases.run(.integer(row.first)) }
            try statements.releases.delete.run(.integer(row.first))
        }
        try store(readable.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, &head, keys.releases, statements)
        return rows.count { !$0.isSound }
    }

    /// Seals entries into rows, as the whole chain.
    func store(
        _ entries: [(number: UInt64, release: Release)], _ head: inout ReleaseHead, _ key: SecretBytes,
        _ statements: VaultStatements
    ) throws(VaultError) {
        var row: [UInt8] = []
        var first: UInt64?
        func flush() throws(VaultError) {
            guard let start = first else { return }
            try statements.releases.insert.run(.integer(Int64(bitPattern: start)), .bytes(row))
            row = []
            first = nil
        }
        if let number = entries.first?.number { (head.first, head.anchor) = (number, .none) }
        head.last = .none
        (head.count, head.accounts) = (0, ReleaseAccounts())
        var names = ReleaseJournal.Names()
        for (number, release) in entries {
            let entry = try ReleaseEntry.seal(release, number: number, after: head.last, key: key, using: &entropy)
            first = first ?? number
            row += entry.bytes
            head.last = entry.tag
            head.next = number + 1
            head.count += 1
            head.accounts.add(names[release.app, release.assurance], entry.bytes.count, number)
            if row.count > 64 << 10 { try flush() }
        }
        try flush()
    }

    private func rebuildManifest(
        _ parts: UnlockedVault, _ head: ReleaseHead, of all: Int, _ statements: VaultStatements,
        _ progress: VaultProgress
    ) throws(VaultError) -> Manifest {
        let slots = try statements.slots.rows.all { row throws(VaultError) in SlotRow(row) }
        let former = parts.manifest?.root ?? parts.distrust?.root
        let last = lastMark(of: former?.vaultID, parts.releases.file, parts.keys)
        var root =
            former
            ?? ManifestRoot(
                parts.keys.format, vaultID: last?.vaultID ?? SealTag(high: entropy.next(), low: entropy.next()),
                slots: slots)
        root.generation = max(root.generation, last?.generation ?? 0)
        root.isMarked = false
        root.slots = SlotRow.digest(slots)
        root.nextSlot = max(root.nextSlot, (slots.map(\.id).max() ?? 0) &+ 1)
        root.releases = head
        root.tallies = [UInt64](repeating: 0, count: ManifestRoot.tallyCount)
        var entries: [ManifestEntry] = []
        try progress.advance(to: 0, of: all)
        try statements.lookups?.clear.run()
        try statements.records.rows.each([]) { row throws(VaultError) in
            try progress.advance()
            guard let found = try VaultInspection.entry(row, keys: parts.keys) else { return true }
            try found.lookups.insert(statements)
            entries.append(found.entry)
            root.tallies[found.tally.rawValue] += 1
            return true
        }
        // What is sealed from now on is newer than all that is there, also where the root was lost.
        root.generation = max(root.generation, entries.map(\.sealing).max() ?? 0)
        return try Manifest.build(entries, root: root, statements, key: parts.keys.manifest, using: &entropy)
    }
}
