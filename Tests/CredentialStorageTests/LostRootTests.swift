// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

/// Someone puts older rows back and removes the row that states which rows are the newest. (Point 3 of what attackers found.)
@Suite("Without the manifest's root")
struct LostRootTests {
    private let directory: TemporaryDirectory
    /// Has another password by now, is removed by now, and is as it was.
    private let changed, removed, same: ObjectID
    private static let lost = VaultFinding.damaged("manifest root")

    /// A closed vault, and beside it a copy of what it was before.
    init() throws {
        directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        changed = try vault.writers.credentials.save("changed.example", "ann", "former").id
        removed = try vault.writers.credentials.save("removed.example", "ann", "former").id
        same = try vault.writers.credentials.save("same.example", "ann", "same").id
        vault.close()
        try FileManager.default.copyItem(atPath: directory.database, toPath: directory.path + "/copy.sqlite")
        let later = try Vault.unlocked(directory.vault, seed: 5)
        try later.writers.credentials.save("changed.example", "ann", "present")
        _ = try later.writers.credentials.delete(removed, at: .at())
        _ = try later.purge(at: .at(later.limits.recoverableMilliseconds))
        try later.writers.settings.set(PurgeClock.setting, to: nil, at: .at())
        later.close()
    }

    /// Removes the root, and puts back what the tables of the older copy have.
    private func sql(_ puttingBack: String...) -> String {
        (["ATTACH '\(directory.path)/copy.sqlite' AS old"] + puttingBack + [
            "DELETE FROM manifest WHERE node = 0", "DETACH old",
        ]).joined(separator: ";")
    }
    private static let rows = "REPLACE INTO record SELECT * FROM old.record"
    private static let nodes = "REPLACE INTO manifest SELECT * FROM old.manifest"

    /// The vault as it is unlocked after that: it releases nothing.
    private func opened() throws -> Vault {
        let vault = try Vault.open(directory.vault, seed: 6)
        #expect(try vault.unlock(.key()).findings == [Self.lost])
        for domain in ["changed.example", "same.example"] {
            #expect(failure { _ = try vault.password(domain, "ann") } == .damaged("manifest root"))
        }
        #expect(failure { _ = try vault.readers.credentials.get(removed) } != nil)
        #expect(
            failure { _ = try vault.readers.credentials.page(after: nil, limit: 9) } == .damaged("manifest root"))
        return vault
    }

    @Test("Older rows are not returned, a check names each, and a repair puts them into quarantine")
    func olderRows() throws {
        try Tampering.execute(sql(Self.rows), on: directory.database)
        let vault = try opened()
        #expect(
            try Set(vault.check().findings) == [
                Self.lost, .older(changed, found: 1, expected: 2), .unexpected(removed), .unpinned(same),
            ])
        let report = try vault.repair(at: .at(1))
        #expect(report.quarantined == 2 && report.after.isIntact)
        #expect(try Set(vault.quarantined().map(\.fault)) == ["older", "unexpected"])
        #expect(try vault.password("changed.example", "ann") == nil && vault.readers.credentials.get(removed) == nil)
        #expect(try vault.password("same.example", "ann") == "same")
    }

    @Test("Where all below the root is older too, nothing is returned before the user's repair, and each is named")
    func olderNodes() throws {
        try Tampering.execute(sql(Self.rows, Self.nodes), on: directory.database)
        let vault = try opened()
        let expected: Set<VaultFinding> = [Self.lost, .unpinned(changed), .unpinned(removed), .unpinned(same)]
        #expect(try Set(vault.check().findings) == expected)
        let report = try vault.repair(at: .at(1))
        #expect(Set(report.findings) == expected && report.quarantined == 0 && report.after.isIntact)
        #expect(try vault.password("same.example", "ann") == "same")
    }

    @Test("Rows that are newer than what is left of the manifest, or of which it has no entry, stay through a repair")
    func newerRows() throws {
        try Tampering.execute(
            sql(Self.nodes, "DELETE FROM manifest WHERE node = \(1 + ManifestBucket.index(of: same) / 64)"),
            on: directory.database)
        let vault = try Vault.unlocked(directory.vault, seed: 6)
        let findings = try vault.check().findings
        #expect(findings.contains(.unpinned(changed)) && findings.contains(.unpinned(same)))
        _ = try vault.repair(at: .at(1))
        #expect(try vault.password("changed.example", "ann") == "present")
        #expect(try vault.password("same.example", "ann") == "same")
    }

    @Test("An open vault still has the root that its file has lost, and what does not fit it")
    func lostWhileOpen() throws {
        let vault = try Vault.unlocked(directory.vault, seed: 6)
        let root = try #require(try vault.store.unlocked.manifest?.root)
        let tampering = sql(Self.rows)
        try vault.file.openDatabase.access { connection throws(VaultError) in try connection.run(tampering) }
        #expect(
            try Set(vault.check().findings) == [
                Self.lost, .older(changed, found: 1, expected: 2), .unexpected(removed),
            ])
        #expect(try vault.repair(at: .at(1)).quarantined == 2)
        #expect(try vault.check().isIntact && vault.password("same.example", "ann") == "same")
        let repaired = try #require(try vault.store.unlocked.manifest?.root)
        #expect(repaired.vaultID == root.vaultID && repaired.generation > root.generation)
    }
}
