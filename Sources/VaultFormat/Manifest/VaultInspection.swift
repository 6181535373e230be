// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

/// Checks everything in a vault, with its keys: opens each row, compares each with the manifest, follows the chain of releases from
/// end to end, and makes SQLite check its pages.
package struct VaultInspection {
    private let connection: SQLConnection
    private let statements: VaultStatements
    private let keys: VaultKeys
    /// The root that the open vault has; nil where none is open, or its root was lost before.
    private let root: ManifestRoot?
    /// Whether the vault is open although its root is lost or not trusted.
    private let hasUntrustedRoot: Bool
    /// As it is in the file now, under `root` where there is one; nil where there is no root.
    private var manifest: Manifest?
    private var findings: [VaultFinding] = []
    private var noted: Set<VaultFinding> = []
    private var records = 0
    private var releases = 0
    private let progress: VaultProgress

    private init(
        _ connection: SQLConnection, _ statements: VaultStatements, keys: VaultKeys, root: ManifestRoot?,
        hasUntrustedRoot: Bool, _ progress: VaultProgress
    ) {
        self.connection = connection
        self.statements = statements
        self.keys = keys
        self.root = root
        self.hasUntrustedRoot = hasUntrustedRoot
        self.progress = progress
    }

    /// Checks all that a connection sees; the caller keeps others from it meanwhile.
    package static func report(
        on connection: SQLConnection, _ statements: VaultStatements, keys: VaultKeys, root: ManifestRoot? = nil,
        hasUntrustedRoot: Bool = false, _ progress: VaultProgress
    ) throws(VaultError) -> CheckReport {
        var inspection = VaultInspection(
            connection, statements, keys: keys, root: root, hasUntrustedRoot: hasUntrustedRoot, progress)
        try inspection.run()
        return CheckReport(
            findings: inspection.findings, records: inspection.records, releases: inspection.releases)
    }

    /// Turns errors of a step into findings.
    private mutating func run() throws(VaultError) {
        try step { (inspection) throws(VaultError) in try inspection.checkPages() }
        do throws(VaultError) {
            manifest = try Manifest(reading: statements, key: keys.manifest)
        } catch { note(VaultFinding(error)) }
        // The open vault has made its last change.
        if let root, manifest?.root != root {
            note(.damaged("manifest root"))
            manifest = Manifest(root: root)
        }
        try step { (inspection) throws(VaultError) in try inspection.checkRecords() }
        try step { (inspection) throws(VaultError) in try inspection.checkNodes() }
        try step { (inspection) throws(VaultError) in try inspection.checkSlots() }
        try step { (inspection) throws(VaultError) in try inspection.checkReleases() }
    }

    private mutating func step(_ body: (inout VaultInspection) throws(VaultError) -> Void) throws(VaultError) {
        do throws(VaultError) { try body(&self) } catch {
            switch error {
            case .damaged, .recordDamaged, .notAVault: note(VaultFinding(error))
            default: throw error
            }
        }
    }

    private mutating func note(_ finding: VaultFinding) {
        if noted.insert(finding).inserted { findings.append(finding) }
    }

    // MARK: - Steps

    private mutating func checkPages() throws(VaultError) {
        let problems = try SQLStatement("PRAGMA integrity_check", on: connection).all {
            row throws(VaultError) in row.text(0)
        }
        for problem in problems where problem != "ok" { note(.damaged("database: \(problem)")) }
    }

    private mutating func checkRecords() throws(VaultError) {
        var comparison = try expectedRecords()
        var tallies = [UInt64](repeating: 0, count: ManifestRoot.tallyCount)
        var faults: [VaultFinding] = []
        var count = 0
        let keys = keys
        // The rows that could be read are reported even where a page ends the scan.
        defer {
            records = count
            for fault in faults { note(fault) }
            for finding in comparison.findings { note(finding) }
        }
        do throws(VaultError) {
            try statements.records.rows.each([]) { row throws(VaultError) in
                count += 1
                try progress.advance()
                let id = ObjectID(stored: row.bytes(0))
                let version = UInt64(bitPattern: row.integer(2))
                let opened = try Self.entry(row, keys: keys)
                let tag = Sealing.tag(of: row.bytes(3))
                comparison.meet(id, version: version, sealing: opened?.entry.sealing, tag: tag)
                if let found = opened {
                    tallies[found.tally.rawValue] += 1
                } else if let id {
                    faults.append(.altered(id))
                }
                return true
            }
            try statements.lookups?.meet(&comparison)
        } catch {
            comparison.breakOff(error)
            throw error
        }
        if let root = manifest?.root, root.tallies != tallies, faults.isEmpty, comparison.findings.isEmpty {
            note(.damaged("counts of the manifest"))
        }
    }

    /// The entries of the buckets. Without a root they show what is older, and confirm nothing.
    private func expectedRecords() throws(VaultError) -> ManifestComparison {
        var comparison = ManifestComparison(isUnpinned: manifest == nil)
        var tree = manifest ?? Manifest(withoutRoot: statements, key: keys.manifest)
        let expected = tree.root.tallies.reduce(0, &+)
        for index in 0..<ManifestBucket.count {
            try progress.advance(to: 0, of: Int(clamping: expected))
            guard manifest != nil || tree.hasParent(ofBucket: index) else {
                comparison.unreadable(index)
                continue
            }
            do throws(VaultError) {
                try comparison.expect(tree.bucket(index, statements, key: keys.manifest))
            } catch { comparison.unreadable(index, error) }
        }
        return comparison
    }

    /// The expected entry of a row in the manifest, its tally and its look-ups; nil where the row is not what was sealed.
    package static func entry(
        _ row: borrowing SQLStatement.Row, keys: VaultKeys
    ) throws(VaultError) -> (entry: ManifestEntry, tally: Tally, lookups: LookupRows)? {
        guard let row = RecordRow(row), let (record, sealing) = try row.open(keys) else { return nil }
        let lookups = LookupRows(of: record, key: keys.index)
        let entry = ManifestEntry(
            id: row.id, version: row.version, sealing: sealing, changed: record.changed,
            tag: Sealing.tag(of: row.sealed), lookups: lookups.digest)
        return (entry, record.tally, lookups)
    }

    private mutating func checkNodes() throws(VaultError) {
        guard manifest != nil else { return }
        let nodes = try statements.manifest.nodes.all { row throws(VaultError) in Int(row.integer(0)) }
        for node in nodes where try manifest?.hasNode(node, statements, key: keys.manifest) == false {
            note(.damaged("manifest: stray node \(node)"))
        }
    }

    private mutating func checkSlots() throws(VaultError) {
        let slots = try statements.slotRows()
        for slot in slots {
            let described = try slot.described(keys: keys)
            if !slot.isIntact || slot.failureCount == nil || described.label == nil { note(.slotAltered(slot.id)) }
        }
        guard let root = manifest?.root, root.slots != SlotRow.digest(slots) else { return }
        for finding in VaultFinding.of(slots) { note(finding) }
    }

    private mutating func checkReleases() throws(VaultError) {
        var chain = ReleaseInspection(
            manifest?.root.releases, isCounted: keys.format > .first, key: keys.releases)
        // The rows that could be read are reported even where a page ends the scan.
        defer {
            releases = chain.count
            for finding in chain.finish(mayBeLonger: hasUntrustedRoot) { note(finding) }
        }
        try statements.releases.oldest.each([.integer(.min)]) { row throws(VaultError) in
            chain.follow(row.bytes(1), UInt64(bitPattern: row.integer(0)))
            return true
        }
    }
}
