// SPDX-License-Identifier: Apache-2.0
package import CredentialStorage
package import Credentials
internal import VaultFormat

/// Repairs a corrupt vault: puts rows that are not what they should be into quarantine, deletes none, and writes the manifest again
/// over the rest.
package struct VaultRepair {
    private let vault: Vault
    private let recovery: any RecoverableVault
    private let progress: VaultProgress

    package init(of vault: Vault, _ progress: VaultProgress = VaultProgress()) {
        (self.vault, self.progress) = (vault, progress)
        recovery = vault.recovery
    }

    /// Repairs the vault, which is unlocked. Where pages are damaged, what can be read is copied into a new file first, and the old one
    /// is kept: from then on nothing is an error, and what could not be repaired is still found afterwards. In a copy that could
    /// not be repaired each record is compared with the manifest again before it is returned.
    ///
    /// - Parameter takesOlder: the user accepts the vault as it is, also where it is older than its last change; else that throws
    ///   `outdated`.
    package func run(takesOlder: Bool = false) throws(VaultError) -> RepairReport {
        let unlocked = try recovery.unlocked
        guard takesOlder || unlocked.distrust == nil else { throw .outdated }
        let before = try vault.check(progress)
        guard !before.isIntact else {
            return RepairReport(findings: [], quarantined: 0, replaced: nil, after: before)
        }
        try requireSlot(unlocked)
        guard before.findings.contains(where: { $0.isOfPages }) else {
            return try repair(before, before.findings, unlocked)
        }
        let replaced = try BackupRestore(vault).copyIntoNewFile(progress)
        progress.passLastStop()
        do throws(VaultError) {
            return try repair(before, vault.check(progress).findings, unlocked, replacing: replaced)
        } catch {
            recovery.forgetCompared()
            return RepairReport(findings: before.findings, quarantined: 0, replaced: replaced, after: before)
        }
    }

    private func repair(
        _ before: CheckReport, _ findings: [VaultFinding], _ unlocked: UnlockedState, replacing replaced: String? = nil
    ) throws(VaultError) -> RepairReport {
        let repaired = try recovery.file.openDatabase.write { statements throws(VaultError) -> Repaired in
            let rows = RowRepair(unlocked: unlocked, statements: statements)
            var findings = findings
            if try rows.repairColumns() { findings = try vault.check(progress).findings }
            var count = try rows.quarantine(findings)
            let slots = try rows.repairSlots()
            var head = ReleaseHead()
            if findings.contains(where: { $0.isOfReleases }) || unlocked.manifest == nil {
                count += try relinkReleases(&head, unlocked, statements)
            } else if let root = unlocked.manifest?.root {
                head = root.releases
            }
            let manifest = try rebuildManifest(unlocked, head, of: before.records, statements)
            return Repaired(count: count, slots: slots, manifest: manifest)
        }
        progress.passLastStop()
        let after = recovery.adopt(repaired.slots, repaired.manifest, progress) ?? before
        return RepairReport(
            findings: before.findings, quarantined: repaired.count, replaced: replaced, after: after)
    }

    /// The result of the transaction of a repair; valid when it is committed.
    private struct Repaired {
        let count: Int
        let slots: [SlotRow]
        let manifest: Manifest
    }

    /// Throws where no slot is left to open the vault with afterwards: nothing else could replace it.
    private func requireSlot(_ unlocked: UnlockedState) throws(VaultError) {
        guard unlocked.slots == nil else { return }
        for slot in (try? recovery.file.slotRows()) ?? [] where try slot.isOwn(unlocked.keys) { return }
        throw .damaged("every slot")
    }

    /// Chains all entries that can be read again, under the numbers they have. Rows with one that cannot are kept in quarantine.
    private func relinkReleases(
        _ head: inout ReleaseHead, _ unlocked: UnlockedState, _ statements: VaultStatements
    ) throws(VaultError) -> Int {
        var readable: [UInt64: ReleaseEntry.Content] = [:]
        var rows: [(first: Int64, isIntact: Bool)] = []
        let key = unlocked.keys.releases
        try statements.releases.oldest.each([.integer(.min)]) { row throws(VaultError) in
            let scan = ReleaseScan(row.bytes(1), key: key)
            for found in scan.found {
                // An entry is better than a gap that begins with it.
                if case .gap = found.content, readable[found.entry.sequence] != nil { continue }
                readable[found.entry.sequence] = found.content
            }
            rows.append((row.integer(0), scan.isWhole))
            return true
        }
        for row in rows {
            if !row.isIntact { try statements.quarantine.putReleases.run(.integer(row.first)) }
            try statements.releases.delete.run(.integer(row.first))
        }
        var entries: [NumberedContent] = []
        for (number, content) in readable.sorted(by: { $0.key < $1.key }) {
            // A gap is dropped that has an entry of a row from before it.
            while case .gap(let gap)? = entries.last?.content, gap.last >= number { entries.removeLast() }
            entries.append(NumberedContent(number: number, content: content))
        }
        try head.writeChain(of: entries, key: key, statements, using: &recovery.entropy)
        // Those at both ends stay missing, and their numbers are not given again.
        if let former = unlocked.root?.releases {
            head.first = entries.isEmpty ? former.first : min(head.first, former.first)
            head.next = max(head.next, former.next)
        }
        return rows.count { !$0.isIntact }
    }

    private func rebuildManifest(
        _ unlocked: UnlockedState, _ head: ReleaseHead, of count: Int, _ statements: VaultStatements
    ) throws(VaultError) -> Manifest {
        let slots = try statements.slotRows()
        let former = unlocked.root
        let last = recovery.lastMark(of: former?.vaultID)
        var root =
            former
            ?? ManifestRoot(
                unlocked.keys.format,
                vaultID: last?.vaultID ?? SealTag(high: recovery.entropy.next(), low: recovery.entropy.next()),
                slots: slots)
        root.generation = max(root.generation, last?.generation ?? 0)
        root.isMarked = false
        root.slots = SlotRow.digest(slots)
        root.nextSlot = max(root.nextSlot, (slots.map(\.id).max() ?? 0) &+ 1)
        root.releases = head
        root.tallies = [UInt64](repeating: 0, count: ManifestRoot.tallyCount)
        var entries: [ManifestEntry] = []
        try progress.advance(to: 0, of: count)
        try statements.lookups?.clear.run()
        try statements.records.rows.each([]) { row throws(VaultError) in
            try progress.advance()
            guard let found = try VaultInspection.entry(row, keys: unlocked.keys) else { return true }
            try found.lookups.insert(statements)
            entries.append(found.entry)
            root.tallies[found.tally.rawValue] += 1
            return true
        }
        // What is sealed from now on is newer than all that is there, also where the root was lost.
        root.generation = max(root.generation, entries.map(\.sealing).max() ?? 0)
        return try Manifest.build(
            entries, root: root, statements, key: unlocked.keys.manifest, using: &recovery.entropy)
    }
}

/// The result of a repair.
package struct RepairReport: Sendable {
    /// What was wrong before.
    package let findings: [VaultFinding]
    /// How many rows were put into quarantine, those included that stand for a missing record.
    package let quarantined: Int
    /// The path of the damaged file, if the vault had to be copied into a new one.
    package let replaced: String?
    /// What is still wrong.
    package let after: CheckReport
}
