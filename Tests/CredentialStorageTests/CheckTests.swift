// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import Foundation
import SecretMemory
import Testing

@testable import VaultRecovery

@Suite("Check and repair")
struct CheckTests {
    /// A closed vault with ten credentials, and the ids of the first two.
    private func closedVault(_ directory: TemporaryDirectory) throws -> (first: ObjectID, second: ObjectID) {
        let vault = try Vault.new(directory.vault)
        var ids: [ObjectID] = []
        for number in 0..<10 {
            ids.append(
                try vault.writers.credentials.save(
                    "d\(number).example", "ann", "password \(number)", at: .at(Int64(number))
                ).id)
        }
        try vault.writers.offers.insert(Offer.test(1))
        for number in 0..<10 { try vault.releases.append(.test(Int64(number))) }
        try vault.releases.sync(at: .at())
        #expect(try vault.check().isIntact)
        #expect(try vault.check().records == 11 && vault.check().releases == 10)
        vault.close()
        return (ids[0], ids[1])
    }

    /// That exactly `expected` is found, by `check` and at the unlock, that the rest is readable, and that a repair fixes it
    /// without deleting anything.
    private func expect(
        _ expected: VaultFinding, in directory: TemporaryDirectory, readable: Int = 9, quarantined: Int = 1,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let vault = try Vault.open(directory.vault, seed: 3)
        let atUnlock = try vault.unlock(.key()).findings
        #expect(atUnlock.contains(expected), sourceLocation: sourceLocation)
        #expect(try vault.check().findings.contains(expected), sourceLocation: sourceLocation)
        func readableCount() throws -> Int {
            try (0..<10).count { number in
                let password: String?
                do { password = try vault.password("d\(number).example", "ann") } catch VaultError.recordDamaged {
                    return false
                }
                #expect(password == nil || password == "password \(number)", sourceLocation: sourceLocation)
                return password != nil
            }
        }
        #expect(try readableCount() == readable, sourceLocation: sourceLocation)
        let report = try vault.repair(at: .at(50))
        #expect(report.quarantined == quarantined, sourceLocation: sourceLocation)
        #expect(try vault.quarantined().count == quarantined, sourceLocation: sourceLocation)
        #expect(try vault.check().isIntact, sourceLocation: sourceLocation)
        #expect(try readableCount() == readable, sourceLocation: sourceLocation)
        try vault.writers.credentials.save("new.example", "ann", "new")
        vault.close()
        let again = try Vault.open(directory.vault, seed: 4)
        #expect(try again.unlock(.key()).findings.isEmpty, sourceLocation: sourceLocation)
        #expect(try again.check().isIntact, sourceLocation: sourceLocation)
    }

    @Test("An altered record is named and not returned")
    func altered() throws {
        let directory = try TemporaryDirectory()
        let ids = try closedVault(directory)
        try Tampering.execute(
            "UPDATE record SET sealed = CAST(substr(sealed, 1, 40) || x'00' || substr(sealed, 42) AS BLOB) WHERE id = \(Tampering.literal(ids.first))",
            on: directory.database)
        let vault = try Vault.unlocked(directory.vault, seed: 9)
        #expect(failure { _ = try vault.readers.credentials.get(ids.first) } == .recordDamaged(ids.first))
        vault.close()
        // The tag is where it was: only opening the record shows it.
        let again = try Vault.unlocked(directory.vault, seed: 10)
        #expect(try again.check().findings == [.altered(ids.first)])
        _ = try again.repair(at: .at())
        #expect(try again.check().isIntact)
        #expect(try again.quarantined() == [QuarantinedRow.record(ids.first, "altered", 1)])
    }

    @Test("A missing record is named with the time of its last change")
    func missing() throws {
        let directory = try TemporaryDirectory()
        let ids = try closedVault(directory)
        try Tampering.execute("DELETE FROM record WHERE id = \(Tampering.literal(ids.second))", on: directory.database)
        try expect(.missing(ids.second, changed: .at(1)), in: directory)
    }

    @Test("Two records that were swapped are both named, and neither is returned for the other")
    func swapped() throws {
        let directory = try TemporaryDirectory()
        let ids = try closedVault(directory)
        let (first, second) = (Tampering.literal(ids.first), Tampering.literal(ids.second))
        try Tampering.execute(
            """
            CREATE TEMP TABLE t AS SELECT id, lookup, sealed FROM record WHERE id IN (\(first), \(second));
            UPDATE record SET lookup = (SELECT lookup FROM t WHERE id = \(second)), sealed = (SELECT sealed FROM t WHERE id = \(second)) WHERE id = \(first);
            UPDATE record SET lookup = (SELECT lookup FROM t WHERE id = \(first)), sealed = (SELECT sealed FROM t WHERE id = \(first)) WHERE id = \(second);
            """, on: directory.database)
        try expect(.altered(ids.first), in: directory, readable: 8, quarantined: 2)
    }

    @Test("Two records whose look-ups were swapped are not returned for one another")
    func swappedLookups() throws {
        let directory = try TemporaryDirectory()
        let ids = try closedVault(directory)
        try Tampering.execute(
            """
            UPDATE record SET lookup = (SELECT lookup FROM record WHERE id = \(Tampering.literal(ids.second)))
            WHERE id = \(Tampering.literal(ids.first))
            """, on: directory.database)
        let vault = try Vault.unlocked(directory.vault, seed: 9)
        #expect(failure { _ = try vault.readers.credentials.get(ids.first) } == .recordDamaged(ids.first))
        #expect(try vault.check().findings == [.altered(ids.first)])
    }

    @Test("An older version that was put back is named as older")
    func older() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let saved = try vault.writers.credentials.save("d0.example", "ann", "former")
        vault.close()
        let literal = Tampering.literal(saved.id)
        try Tampering.execute("CREATE TABLE keep AS SELECT * FROM record WHERE id = \(literal)", on: directory.database)
        try Tampering.execute("CREATE TABLE aside (a); DROP TABLE aside", on: directory.database)
        let copy = directory.path + "/copy.sqlite"
        try FileManager.default.copyItem(atPath: directory.database, toPath: copy)
        try Tampering.execute("DROP TABLE keep", on: directory.database)
        let again = try Vault.unlocked(directory.vault, seed: 5)
        try again.writers.credentials.save("d0.example", "ann", "present")
        again.close()
        try Tampering.execute(
            """
            ATTACH '\(copy)' AS old;
            UPDATE record SET version = (SELECT version FROM old.keep), sealed = (SELECT sealed FROM old.keep) WHERE id = \(literal);
            DETACH old;
            """, on: directory.database)
        let third = try Vault.open(directory.vault, seed: 6)
        #expect(try third.unlock(.key()).findings == [.older(saved.id, found: 1, expected: 2)])
        #expect(failure { _ = try third.password("d0.example", "ann") } == .recordDamaged(saved.id))
        #expect(failure { try third.writers.credentials.save("d0.example", "ann", "x") } == .recordDamaged(saved.id))
    }

    @Test("In a vault too large to be compared at the unlock, a record is compared before it is returned")
    func comparedLate() throws {
        let directory = try TemporaryDirectory()
        let ids = try closedVault(directory)
        let copy = directory.path + "/copy.sqlite"
        try FileManager.default.copyItem(atPath: directory.database, toPath: copy)
        let vault = try Vault.unlocked(directory.vault, seed: 7)
        try vault.writers.credentials.save("d0.example", "ann", "present")
        vault.close()
        try Tampering.execute(
            """
            ATTACH '\(copy)' AS old;
            REPLACE INTO record SELECT * FROM old.record WHERE id = \(Tampering.literal(ids.first));
            DETACH old;
            """, on: directory.database)
        var limits = VaultLimits()
        limits.comparedAtUnlock = 5
        let again = try Vault.open(directory.vault, seed: 8, limits: limits)
        #expect(try again.unlock(.key()).findings.isEmpty)
        for _ in 0..<2 { #expect(failure { _ = try again.password("d0.example", "ann") } == .recordDamaged(ids.first)) }
        #expect(try again.password("d1.example", "ann") == "password 1")
        #expect(try again.credentials(for: .domain("d0.example")).isEmpty)
        try again.writers.credentials.save("d1.example", "ann", "changed")
        #expect(try again.password("d1.example", "ann") == "changed")
    }

    @Test("A deleted record that was put back is named")
    func resurrected() throws {
        let directory = try TemporaryDirectory()
        let ids = try closedVault(directory)
        let copy = directory.path + "/copy.sqlite"
        try FileManager.default.copyItem(atPath: directory.database, toPath: copy)
        let vault = try Vault.unlocked(directory.vault, seed: 7)
        _ = try vault.writers.credentials.delete(ids.first, at: .at())
        _ = try vault.purge(at: .at(vault.limits.recoverableMilliseconds))
        vault.close()
        try Tampering.execute(
            """
            ATTACH '\(copy)' AS old;
            INSERT INTO record (id, lookup, version, sealed)
              SELECT id, lookup, version, sealed FROM old.record WHERE id = \(Tampering.literal(ids.first));
            DETACH old;
            """, on: directory.database)
        try expect(.unexpected(ids.first), in: directory)
    }

    @Test("A manifest that was put back to an older state with its records is noticed")
    func rolledBackTogether() throws {
        let directory = try TemporaryDirectory()
        let ids = try closedVault(directory)
        let copy = directory.path + "/copy.sqlite"
        try FileManager.default.copyItem(atPath: directory.database, toPath: copy)
        let vault = try Vault.unlocked(directory.vault, seed: 7)
        try vault.writers.credentials.save("d0.example", "ann", "present")
        vault.close()
        let bucket = 65 + Int(ids.first.high >> 52)
        try Tampering.execute(
            """
            ATTACH '\(copy)' AS old;
            REPLACE INTO record SELECT * FROM old.record WHERE id = \(Tampering.literal(ids.first));
            REPLACE INTO manifest SELECT * FROM old.manifest WHERE node != 0;
            DETACH old;
            """, on: directory.database)
        let again = try Vault.open(directory.vault, seed: 8)
        let findings = try again.unlock(.key()).findings
        #expect(findings.contains(.damaged("manifest node \(1 + (bucket - 65) / 64)")))
        #expect(try again.password("d1.example", "ann") != "password 0")
    }

    /// attacks.md, the vault, 3
    @Test("With a damaged root of the manifest no record is returned or changed, and a repair fixes it")
    func damagedRoot() throws {
        let directory = try TemporaryDirectory()
        let ids = try closedVault(directory)
        try Tampering.execute(
            "UPDATE manifest SET sealed = zeroblob(length(sealed)) WHERE node = 0", on: directory.database)
        let vault = try Vault.open(directory.vault, seed: 3)
        #expect(try vault.unlock(.key()).findings == [.damaged("manifest root")])
        #expect(failure { _ = try vault.password("d4.example", "ann") } == .damaged("manifest root"))
        try vault.releases.append(.test(77))
        try vault.releases.commit()
        try vault.releases.sync(at: .at())
        #expect(
            failure { try vault.writers.credentials.save("d0.example", "ann", "x") } == .damaged("manifest root"))
        _ = try vault.repair(at: .at())
        #expect(try vault.check().isIntact && vault.readers.credentials.get(ids.second) != nil)
        #expect(vault.counts?.credentials == 10 && vault.counts?.pendingOffers == 1)
        try vault.writers.credentials.save("d0.example", "ann", "present")
        #expect(try vault.readers.releases.page(before: nil, limit: 100).elements.count == 11)
        #expect(try vault.slots.add(.test(.key(9)), at: .at()) == 2)
    }

    @Test("An altered slot is distinguished from a wrong secret, and another slot opens the vault")
    func alteredSlot() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.open(directory.vault)
        try vault.create([.test(.key(1)), .test(.key(2))], at: .at())
        vault.close()
        try Tampering.execute("UPDATE slot SET salt = zeroblob(32) WHERE id = 1", on: directory.database)
        let again = try Vault.open(directory.vault, seed: 3)
        #expect(failure { try again.unlock(.key(1)) } == .slotDamaged(1))
        #expect(try again.unlock(.key(2), at: .at(250)).findings == [.slotAltered(1)])
        _ = try again.repair(at: .at())
        #expect(try again.check().isIntact)
        #expect(try again.slots.list().map(\.id) == [2])
    }

    @Test("A slot that was removed or added by another program is found")
    func exchangedSlots() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.open(directory.vault)
        try vault.create([.test(.key(1)), .test(.key(2))], at: .at())
        vault.close()
        try Tampering.execute("DELETE FROM slot WHERE id = 1", on: directory.database)
        let again = try Vault.open(directory.vault, seed: 3)
        #expect(try again.unlock(.key(2)).findings == [.slotsChanged])
    }

    @Test("An altered, a missing and a moved entry of the record of releases are named; the others are listed")
    func releases() throws {
        for (sql, expected) in [
            ("UPDATE release SET entries = CAST(substr(entries, 1, 500) || x'00' || substr(entries, 502) AS BLOB)", 2),
            ("UPDATE release SET entries = substr(entries, 1, 1 + (length(entries) / 10) * 9 - 1)", 10),
            ("DELETE FROM release", 1),
        ] {
            let directory = try TemporaryDirectory()
            _ = try closedVault(directory)
            try Tampering.execute(sql, on: directory.database)
            let vault = try Vault.unlocked(directory.vault, seed: 5)
            let findings = try vault.check().findings
            #expect(findings.count == 1)
            guard case .releases(let first, _) = findings.first else {
                Issue.record("\(findings)")
                continue
            }
            #expect(first == UInt64(expected))
            let listed = try vault.readers.releases.page(before: nil, limit: 100).elements.map(\.number)
            _ = try vault.repair(at: .at())
            #expect(try vault.check().isIntact)
            #expect(try vault.readers.releases.page(before: nil, limit: 100).elements.map(\.number) == listed)
            try vault.releases.append(.test(12))
            try vault.releases.sync(at: .at())
            #expect(try vault.check().isIntact)
        }
    }

    @Test("Damaged pages cost what is on them; the rest is copied into a new file, and the old one is kept")
    func damagedPages() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        for number in 0..<300 { try vault.writers.credentials.save("d\(number).example", "ann", "password \(number)") }
        vault.close()
        let rootPage = try Tampering.integer(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'record'", on: directory.database)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: directory.database))
        // The third child of the table's root: read its number from the root's cell pointers.
        try file.seek(toOffset: UInt64(rootPage - 1) * 4096)
        let page = [UInt8](try #require(try file.read(upToCount: 4096)))
        try #require(page[0] == 5)
        let cell = Int(page[16]) << 8 | Int(page[17])
        let child = page[cell..<cell + 4].reduce(0) { $0 << 8 | Int($1) }
        try file.seek(toOffset: UInt64(child - 1) * 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        try file.close()

        let again = try Vault.open(directory.vault, seed: 4)
        _ = try again.unlock(.key())
        #expect(try !again.check().isIntact)
        // Cancelled, it leaves the damaged file where it is.
        let stopped = VaultProgress()
        stopped.cancel()
        #expect(failure { _ = try again.repair(at: .at(), stopped) } == .cancelled)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.vaultPath).sorted() == [
                "vault.lock", "vault.releases", "vault.sqlite", "vault.sqlite-wal",
            ])
        let report = try again.repair(at: .at())
        let kept = try #require(report.replaced)
        #expect(FileManager.default.fileExists(atPath: kept))
        #expect(try again.check().isIntact)
        let readable = try (0..<300).count { try again.password("d\($0).example", "ann") == "password \($0)" }
        #expect(readable > 280 && readable < 300)
        #expect(report.quarantined == 300 - readable)
        try again.writers.credentials.save("d0.example", "ann", "present")
        again.close()
        #expect(try Vault.unlocked(directory.vault, seed: 5).password("d0.example", "ann") == "present")
    }
}

extension QuarantinedRow {
    /// What `quarantined` lists of a record.
    static func record(_ id: ObjectID, _ fault: String, _ version: UInt64) -> QuarantinedRow {
        QuarantinedRow(source: "record", fault: fault, id: id, version: version)
    }
}
