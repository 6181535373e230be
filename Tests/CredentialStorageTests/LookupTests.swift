// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

/// The table of look-ups is held against the manifest as the other tables are.
@Suite("The table of look-ups")
struct LookupTests {
    private let directory: TemporaryDirectory
    private let ids: [ObjectID]

    /// A closed vault with three items.
    init() throws {
        directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        ids = try (0..<3).map { try vault.writers.items.add(["kind": "token", "number": "\($0)"]) }
        vault.close()
    }

    private static let rows = "SELECT count(*) FROM lookup"

    private func execute(_ sql: String) throws { try Tampering.execute(sql, on: directory.database) }

    @Test(
        "A row that is flipped, missing, added or of no record is found at the unlock and by a check, and a repair makes it as it was",
        arguments: ["flipped", "missing", "added", "nobody", "all"])
    func tampered(_ how: String) throws {
        let before = try Tampering.content(of: directory.database).filter { $0.hasPrefix("lookup") }
        let id = Tampering.literal(ids[1])
        switch how {
        case "flipped":
            try execute(
                "UPDATE lookup SET tag = zeroblob(16) WHERE id = \(id) AND tag = (SELECT min(tag) FROM lookup WHERE id = \(id))"
            )
        case "missing":
            try execute(
                "DELETE FROM lookup WHERE id = \(id) AND tag = (SELECT max(tag) FROM lookup WHERE id = \(id))")
        case "added": try execute("INSERT INTO lookup VALUES (randomblob(16), \(id))")
        case "nobody": try execute("INSERT INTO lookup VALUES (randomblob(16), x'00')")
        default: try execute("DELETE FROM lookup")
        }
        let vault = try Vault.open(directory.vault)
        let found = try vault.unlock(.key()).findings
        let expected: [VaultFinding] =
            switch how {
            case "nobody": [.damaged("look-up of no record")]
            case "all": ids.sorted().map { .damaged("look-up of \($0)") }
            default: [.damaged("look-up of \(ids[1])")]
            }
        let checked = try vault.check().findings
        #expect(found == expected && checked == expected)
        // What is in the records is still given out.
        #expect(try vault.readers.items.get(ids[1])?.data.text == "secret")
        let repaired = try vault.repair(at: .at(1))
        #expect(repaired.after.isIntact && repaired.quarantined == 0)
        #expect(try vault.found(["kind": "token"]) == ids.sorted())
        vault.close()
        #expect(try Tampering.content(of: directory.database).filter { $0.hasPrefix("lookup") } == before)
    }

    @Test("Rows of a deleted item that are put back are found")
    func resurrected() throws {
        let id = Tampering.literal(ids[0])
        let tags = try Tampering.content(of: directory.database).compactMap { line -> String? in
            let parts = line.split(separator: " ")
            let isOwn = parts.count == 3 && parts[0] == "lookup" && id == "x'\(parts[2].lowercased())'"
            return isOwn ? "x'\(parts[1])'" : nil
        }
        #expect(tags.count == 3)
        let vault = try Vault.unlocked(directory.vault)
        #expect(try vault.writers.items.delete(ids[0]))
        vault.close()
        #expect(try Tampering.integer("\(Self.rows) WHERE id = \(id)", on: directory.database) == 0)
        for tag in tags { try execute("INSERT INTO lookup VALUES (\(tag), \(id))") }
        let again = try Vault.open(directory.vault)
        #expect(try again.unlock(.key()).findings == [.damaged("look-up of \(ids[0])")])
    }

    @Test(
        "In a vault too large to be compared at the unlock the first read of its bucket finds a missing row, once")
    func large() throws {
        try execute("DELETE FROM lookup WHERE id = \(Tampering.literal(ids[1]))")
        var limits = VaultLimits()
        limits.comparedAtUnlock = 0
        let vault = try Vault.open(directory.vault, limits: limits)
        #expect(try vault.unlock(.key()).findings.isEmpty)
        #expect(vault.takeFindingsOfReads() == [])
        #expect(try vault.readers.items.get(ids[1])?.data.text == "secret")
        #expect(vault.takeFindingsOfReads() == [.damaged("look-up of \(ids[1])")])
        let index = ManifestBucket.index(of: ids[1])
        // It is remembered: the bucket is not compared again, though it is not as it should be.
        #expect(
            vault.store.unlockedVault?.compared.matches(ids[1]) == false
                && vault.store.unlockedVault?.compared.misfits(of: index) == [])
        #expect(try vault.readers.items.get(ids[1])?.data.text == "secret")
        #expect(vault.takeFindingsOfReads() == [])
        #expect(try !vault.check().isIntact)
        vault.lock()
        try vault.unlock(.key())
        #expect(try vault.readers.items.get(ids[1])?.data.text == "secret")
        #expect(vault.takeFindingsOfReads().count == 1)
    }

    @Test("A row that was added in a transaction is no finding for what the transaction reads afterwards")
    func added() throws {
        var limits = VaultLimits()
        limits.comparedAtUnlock = 0
        let vault = try Vault.open(directory.vault, limits: limits)
        try vault.unlock(.key())
        // Of the same bucket.
        let id = ObjectID(kind: .setting, high: UInt64(ManifestBucket.index(of: ids[1])) << 52, low: 1)
        try vault.store.write { transaction throws(VaultError) in
            let value = SecretBytes(utf8: "value")
            try transaction.insert(StoredSetting(id: id, name: "new", value: value, changed: .at(1)))
            let found: Item? = try transaction.records.fetch(ids[1])
            #expect(found?.data.text == "secret")
        }
        #expect(vault.takeFindingsOfReads() == [])
        #expect(try vault.check().isIntact)
    }

    @Test("A row that leads to an item which has no such attribute finds nothing")
    func misled() throws {
        let (first, second) = (Tampering.literal(ids[0]), Tampering.literal(ids[1]))
        try execute("INSERT OR IGNORE INTO lookup SELECT tag, \(second) FROM lookup WHERE id = \(first)")
        let vault = try Vault.open(directory.vault)
        try vault.unlock(.key())
        #expect(try vault.found(["number": "0"]) == [ids[0]])
    }

    @Test("A new key, a backup and a salvage of the file's pages keep every row")
    func kept() throws {
        let vault = try Vault.unlocked(directory.vault)
        try vault.rekey([.test(.key(8), seed: 40)], at: .at(1))
        #expect(try vault.found(["kind": "token"]) == ids.sorted() && vault.check().isIntact)
        let backup = directory.path + "/backup.sqlite"
        _ = try vault.backups.make(at: backup, at: .at(2))
        #expect(try Tampering.integer(Self.rows, on: backup) == 9)
        vault.close()
        let copy = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: copy.vaultPath, withIntermediateDirectories: true)
        let other = try Vault.open(copy.vault)
        let attempt = try other.salvageAttempt(from: directory.database, secret: .key(8)).derive()
        let report = try other.salvage(from: directory.database, with: attempt, at: .at(4))
        #expect(report.findings.isEmpty)
        #expect(try other.found(["number": "2"]) == [ids[2]] && other.check().isIntact)
        other.close()
    }

    @Test("The table of look-ups shows which items of one group share an attribute, and nothing across groups")
    func shared() throws {
        let vault = try Vault.unlocked(directory.vault)
        try vault.writers.items.add(["kind": "token", "number": "9"])
        try vault.writers.items.add(["kind": "token", "number": "9"], group: "other")
        vault.close()
        #expect(try Tampering.integer(Self.rows, on: directory.database) == 15)
        // Of the first group: the group, the kind, and four numbers. Of the other: each of its own.
        #expect(try Tampering.integer("SELECT count(DISTINCT tag) FROM lookup", on: directory.database) == 9)
    }
}
