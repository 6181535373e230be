// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

/// An app that fills the record of releases pushes out its own entries, and nobody else's.
///
/// attacks.md, one sandboxed app against everybody, 1
@Suite("Shares in the record of releases")
struct ReleaseQuotaTests {
    private static let limits: VaultLimits = {
        var limits = VaultLimits()
        limits.releaseBytes = 1 << 20
        return limits
    }()

    private static let flooder = "org.example.Flood"
    /// As it is on record.
    private static let length = 10 + 28 + 256

    private func open(_ home: TemporaryDirectory, seed: UInt64) throws -> Vault {
        let vault = try Vault.open(home.vault, seed: seed, limits: Self.limits)
        try vault.unlock(.key())
        return vault
    }

    private func entries(_ vault: Vault, of app: String) throws -> [UInt64] {
        try vault.readers.releases.page(before: nil, limit: 100_000).elements.filter { $0.release.app == app }.map(
            \.number)
    }

    private func flood(_ vault: Vault, _ count: Int, app: String = flooder) throws {
        for number in 0..<count {
            try vault.releases.append(.test(Int64(number), app: app))
            if number % 500 == 499 { try vault.releases.sync(at: .at(Int64(number))) }
        }
        try vault.releases.commit()
        try vault.releases.sync(at: .at(Int64(count)))
    }

    @Test(
        "Ten times what the record holds, of one app, leaves another's three entries: also reopened, checked, backed up and restored"
    )
    func flood() throws {
        let home = try TemporaryDirectory()
        let made = try Vault.new(home.vault, limits: Self.limits)
        // One alone in its row, one among those of the flood, one at the end of such a row.
        try made.releases.append(.test(1))
        try made.releases.sync(at: .at(1))
        try flood(made, 100)
        try made.releases.append(.test(2))
        try flood(made, 100)
        try made.releases.append(.test(3))
        try made.releases.sync(at: .at(1))
        let own = try entries(made, of: "org.example.Shop")
        #expect(own.count == 3)
        let all = 10 * Self.limits.releaseBytes / Self.length
        try flood(made, all)

        func expectOwn(_ vault: Vault, _ place: String) throws {
            #expect(try entries(vault, of: "org.example.Shop") == own, "\(place)")
            let report = try vault.check()
            #expect(report.findings == [], "\(place)")
            let listed = try vault.readers.releases.page(before: nil, limit: 100_000).elements.map(\.number)
            #expect(listed == listed.sorted(by: >) && Set(listed).count == listed.count)
            #expect(report.releases == listed.count && vault.counts?.releases == listed.count, "\(place)")
            // The numbers show that some were dropped.
            #expect(listed.first == UInt64(all + 203) && listed.count < all / 5)
        }
        try expectOwn(made, "open")
        let stored = try made.file.openDatabase.statements.releases.bytes.first { row throws(VaultError) in
            Int(row.integer(0))
        }
        #expect(try #require(stored) <= Self.limits.releaseBytes)
        made.close()
        let again = try open(home, seed: 3)
        try expectOwn(again, "reopened")
        let backup = home.path + "/b.sqlite"
        _ = try again.backups.make(at: backup, at: .at())
        try again.releases.append(.test(9, app: Self.flooder))
        let outcome = try again.restoreAttempt(from: backup, secret: .key()).derive()
        _ = try again.restore(from: backup, with: outcome)
        try expectOwn(again, "restored")
        // Sealed again it is one chain, without gaps.
        try again.rekey([.test(.key(9), seed: 9)], at: .at())
        try expectOwn(again, "rekeyed")
        try flood(again, 3000)
        #expect(try entries(again, of: "org.example.Shop") == own && again.check().isIntact)
    }

    @Test("After a repair that has put entries into other rows, an app loses its own entries alone, as before")
    func repaired() throws {
        let home = try TemporaryDirectory()
        let vault = try Vault.new(home.vault)
        for number in 1...65 {
            try vault.releases.append(.test(Int64(number), app: number <= 40 ? Self.flooder : "org.example.Shop"))
            if number >= 64 { try vault.releases.sync(at: .at(100)) }
        }
        // The 10th entry is damaged: the 64 others become one row, in which each but the first ones has another position.
        try vault.file.openDatabase.write { statements throws(VaultError) in
            var row = try statements.releases.oldest.first(.integer(0)) { row throws(VaultError) in row.copy(1) } ?? []
            row[row.count / 64 * 9 + 100] ^= 1
            try statements.releases.delete.run(.integer(1))
            try statements.releases.insert.run(.integer(1), .bytes(row))
        }
        #expect(try vault.repair().after.isIntact)
        #expect(try entries(vault, of: Self.flooder).count == 39)
        vault.limits.releaseBytes = 60 * Self.length
        try vault.releases.append(.test(66, app: "org.example.Other"))
        try vault.releases.sync(at: .at(200))
        #expect(try entries(vault, of: Self.flooder).isEmpty)
        #expect(try entries(vault, of: "org.example.Shop") == Array((41...65).reversed()))
        #expect(try vault.check().isIntact)
    }

    @Test("Of twenty apps, one that floods and one that is quiet, each keeps a twentieth of the record, less a row")
    func twenty() throws {
        var limits = Self.limits
        limits.releaseBytes = 4 << 20
        let home = try TemporaryDirectory()
        let vault = try Vault.new(home.vault, limits: limits)
        let share = limits.releaseBytes / 20 / Self.length
        // The last one to the share itself; the others far past theirs, the first most of all.
        try flood(vault, share - 1, app: "org.example.Quiet")
        for round in 0..<3 {
            for number in 0..<19 { try flood(vault, number == 0 ? 4000 : share, app: "org.example.App\(number)") }
            #expect(try entries(vault, of: "org.example.Quiet").count == share - 1, "\(round)")
        }
        let row = ReleaseFile.capacity / Self.length
        for number in 0..<19 {
            #expect(try entries(vault, of: "org.example.App\(number)").count >= share - row, "\(number)")
        }
        #expect(try vault.check().isIntact)
    }

    @Test("Of rows with many entries of few apps their apps are recorded, until they change or the vault is locked")
    func rowsRecorded() throws {
        let home = try TemporaryDirectory()
        let vault = try Vault.new(home.vault, limits: Self.limits)
        try flood(vault, 500)
        try vault.releases.append(.test(1))
        try flood(vault, 60)
        func known(_ first: UInt64) -> [SealTag]? { vault.store.unlockedVault?.releases.owners.ofRows.keys(of: first) }
        let name = ReleaseQuotas.key(app: Self.flooder, assurance: "installed")
        #expect(known(1) == Array(repeating: name, count: 500))
        // Too few to be worth it.
        #expect(known(501) == nil)
        for app in 0..<100 { try vault.releases.append(.test(1, app: "org.example.App\(app)")) }
        try vault.releases.sync(at: .at(1))
        #expect(known(562) == nil)
        // The first row is deleted.
        try flood(vault, Self.limits.releaseBytes / Self.length)
        #expect(known(1) == nil && known(1162)?.count == 500)
        vault.lock()
        try vault.unlock(.key())
        #expect(known(1162) == nil)
        try flood(vault, 2000)
        #expect(try vault.check().isIntact)
    }

    @Test("What is known of rows since the unlock drops the very entries that opening them would")
    func known() throws {
        func left(reopening: Bool) throws -> [UInt64] {
            let home = try TemporaryDirectory()
            var vault = try Vault.new(home.vault, seed: 4, limits: Self.limits)
            for round in 0..<8 {
                try flood(vault, 150 + 40 * round, app: "org.example.App\(round % 3)")
                try vault.releases.append(.test(1))
                try flood(vault, 700)
                if reopening {
                    vault.close()
                    vault = try open(home, seed: UInt64(round))
                }
            }
            #expect(try vault.check().isIntact)
            return try vault.readers.releases.page(before: nil, limit: 100_000).elements.map(\.number)
        }
        #expect(try left(reopening: false) == left(reopening: true))
    }

    @Test("Whatever apps fill the record in whatever order, each keeps up to its quota, and the log is intact")
    func shares() throws {
        var generator = SeededGenerator(seed: 13)
        for round in 0..<6 {
            var limits = Self.limits
            limits.releaseBytes = 300 << 10
            let home = try TemporaryDirectory()
            let vault = try Vault.new(home.vault, seed: UInt64(round), limits: limits)
            let apps = (0..<(round == 5 ? 40 : 4)).map { "org.example.App\($0)" }
            var made: [String: [UInt64]] = [:]
            var number: UInt64 = 0
            for turn in 0..<120 {
                // Bursts of one app, the rest at random: the first app has little, and early.
                let burst = apps.dropFirst().randomElement(using: &generator) ?? apps[0]
                for _ in 0..<Int.random(in: 1...60, using: &generator) {
                    let isBurst = Int.random(in: 0..<4, using: &generator) > 0
                    let app =
                        turn < 3
                        ? apps[0] : isBurst ? burst : apps.dropFirst().randomElement(using: &generator) ?? burst
                    number += 1
                    try vault.releases.append(.test(Int64(number), app: app))
                    made[app, default: []].append(number)
                }
                try vault.releases.sync(at: .at(Int64(turn)))
                if turn % 40 == 39 {
                    #expect(try vault.check().isIntact, "\(round), \(turn)")
                    vault.lock()
                    try vault.unlock(.key())
                }
            }
            let kept = try vault.readers.releases.page(before: nil, limit: 100_000).elements
            #expect(kept.allSatisfy { made[$0.release.app]?.contains($0.number) ?? false })
            for app in apps {
                let left = kept.filter { $0.release.app == app }.map(\.number)
                // The newest ones, and all of them where they are less than a share.
                #expect(left.reversed() == (made[app] ?? []).suffix(left.count), "\(round), \(app)")
                if apps.count < 9, (made[app]?.count ?? 0) * Self.length < limits.releaseBytes / 8 {
                    #expect(left.count == made[app]?.count, "\(round), \(app)")
                }
            }
            #expect(kept.count * Self.length <= limits.releaseBytes)
        }
    }

    @Test("A row as it was before entries were dropped from it is found, and so is a gap that is lengthened or missing")
    func tampered() throws {
        let home = try TemporaryDirectory()
        let vault = try Vault.new(home.vault, limits: Self.limits)
        try vault.releases.append(.test(1))
        try flood(vault, 500)
        try vault.releases.append(.test(2))
        try flood(vault, 500)
        vault.close()
        let copy = home.path + "/former.sqlite"
        try FileManager.default.copyItem(atPath: home.database, toPath: copy)
        let later = try open(home, seed: 5)
        try flood(later, 6000)
        #expect(try later.check().isIntact)
        later.close()
        for sql in [
            "ATTACH '\(copy)' AS old; REPLACE INTO release SELECT * FROM old.release WHERE first = 1",
            "UPDATE release SET entries = substr(entries, 1, \(Self.length)) WHERE first = 1",
            "DELETE FROM release WHERE first = (SELECT min(first) FROM release WHERE first > 1)",
        ] {
            let changed = try TemporaryDirectory()
            try Tampering.copyFiles(from: home.vaultPath, to: changed)
            try Tampering.execute(sql, on: changed.database)
            let vault = try open(changed, seed: 6)
            #expect(try vault.check().findings.contains { $0.isOfReleases }, "\(sql)")
            #expect(try vault.repair(at: .at()).after.isIntact)
            #expect(try entries(vault, of: "org.example.Shop").contains(1))
        }
    }

    @Test("An entry of a flood costs no more time once the record is full, with others' entries in the way")
    func time() throws {
        let home = try TemporaryDirectory()
        let vault = try Vault.new(home.vault, limits: Self.limits)
        // A third of the record is of others, in rows of their own and among the flood's.
        for number in 0..<1000 { try vault.releases.append(.test(Int64(number), app: "org.example.App\(number % 7)")) }
        func measure() throws -> Duration {
            let start = threadTime()
            try flood(vault, 2000)
            return threadTime() - start
        }
        let (empty, _, full) = (try measure(), try flood(vault, 6000), try min(measure(), measure()))
        print("flood of 2,000: \(empty) while there is space, \(full) when it is full")
        // 1.2 on a quiet machine; 2 where each entry that is deleted is opened, and this machine has others.
        #expect(full < empty * 3)
        #expect(try vault.check().isIntact)
    }
}
