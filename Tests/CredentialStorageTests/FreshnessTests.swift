// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

/// Someone, or a fault of the disk, puts the vault back to what it was: the file, its log, or its manifest's root.
/// 100 cases; 1,000 with AUTOFILL_FULL=1.
///
/// attacks.md, the vault, 4
@Suite("A vault that was put back")
struct FreshnessTests {
    private static let cases = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1" ? 1000 : 100
    private static let domains = 12
    private static let states = 8

    /// What is there of a vault after so many rounds of saves, as a kill leaves it, or closed.
    private struct Stage {
        let killed, closed: TemporaryDirectory
    }

    /// A history of a vault: in each round every credential gets the round's password, and releases are recorded.
    private static func history() throws -> [Stage] {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        return try (0..<states).map { round in
            if vault.state == .locked { try vault.unlock(.key()) }
            for number in 0..<domains {
                try vault.writers.credentials.save("d\(number).example", "ann", "p\(round)")
                try vault.releases.append(.test(Int64(number)))
                try vault.releases.commit()
                if number % 4 == 0 { try vault.releases.sync(at: .at()) }
            }
            let (killed, closed) = (try TemporaryDirectory(), try TemporaryDirectory())
            try Tampering.copyFiles(from: directory.vaultPath, to: killed)
            if round % 3 == 1 { vault.lock() }
            try Tampering.copyFiles(from: directory.vaultPath, to: closed)
            return Stage(killed: killed, closed: closed)
        }
    }

    private enum Fault: CaseIterable { case olderFile, droppedLog, flippedLog, lostRoot }

    /// Whether all that was saved last is what the vault returns.
    private func isNewest(_ vault: Vault) throws -> Bool {
        try (0..<Self.domains).allSatisfy { number in
            do { return try vault.password("d\(number).example", "ann") == "p\(Self.states - 1)" } catch is VaultError {
                return false
            }
        }
    }

    @Test("An older file, a log that is missing or damaged, a lost root: none is served as new without a finding")
    func nothingOlder() throws {
        let history = try Self.history()
        let last = try #require(history.last)
        var generator = SeededGenerator(seed: 13)
        var (found, whole): ([Fault: Int], [Fault: Int]) = ([:], [:])
        for number in 0..<Self.cases {
            let fault = Fault.allCases[number % Fault.allCases.count]
            let copy = try TemporaryDirectory()
            try Tampering.copyFiles(from: last.killed.vaultPath, to: copy)
            let former = history[Int.random(in: 0..<history.count - 1, using: &generator)]
            let source = Bool.random(using: &generator) ? former.killed : former.closed
            try apply(fault, to: copy, source.vaultPath, &generator)
            let vault = try Vault.open(copy.vault, seed: UInt64(number))
            let findings = try vault.unlock(.key()).findings
            if findings.isEmpty {
                #expect(try isNewest(vault) && vault.check().isIntact, "\(fault) \(number)")
                whole[fault, default: 0] += 1
            } else {
                #expect(try !vault.check().isIntact, "\(fault) \(number)")
                found[fault, default: 0] += 1
                guard findings.contains(where: \.isOfAge) else { continue }
                // Nothing of it is released or changed before the user's consent.
                #expect(failure { _ = try vault.password("d0.example", "ann") } == .outdated)
                #expect(failure { try vault.writers.credentials.save("d0.example", "ann", "x") } == .outdated)
                #expect(failure { _ = try vault.repair(at: .at()) } == .outdated)
            }
        }
        for fault in [Fault.olderFile, .droppedLog, .lostRoot] { #expect(whole[fault] == nil, "\(fault)") }
        #expect((found[.flippedLog] ?? 0) > Self.cases / 8)
    }

    private func apply(
        _ fault: Fault, to copy: TemporaryDirectory, _ former: String, _ generator: inout SeededGenerator
    ) throws {
        let log = copy.database + "-wal"
        switch fault {
        case .olderFile:
            for suffix in ["", "-wal"] {
                try? FileManager.default.removeItem(atPath: copy.database + suffix)
                try? FileManager.default.copyItem(
                    atPath: former + "/vault.sqlite" + suffix, toPath: copy.database + suffix)
            }
        case .droppedLog: try FileManager.default.removeItem(atPath: log)
        case .flippedLog:
            var bytes = try Data(contentsOf: URL(fileURLWithPath: log))
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            try bytes.write(to: URL(fileURLWithPath: log))
        case .lostRoot:
            var sql = "DELETE FROM manifest WHERE node = 0"
            if Bool.random(using: &generator) {
                sql = "ATTACH '\(former)/vault.sqlite' AS old; REPLACE INTO record SELECT * FROM old.record; \(sql)"
            }
            try Tampering.execute(sql, on: copy.database)
        }
    }

    @Test("Whenever a kill happens, and however old the mark is that a power cut leaves, no vault is treated as older")
    func noFalseAlarm() throws {
        let history = try Self.history()
        let last = try #require(history.last)
        for stage in history {
            for state in [stage.killed, stage.closed] {
                let copy = try TemporaryDirectory()
                try Tampering.copyFiles(from: state.vaultPath, to: copy)
                #expect(try Vault.open(copy.vault, seed: 5).unlock(.key()).findings.isEmpty)
            }
            let copy = try TemporaryDirectory()
            try Tampering.copyFiles(from: last.killed.vaultPath, to: copy)
            try put(stage.killed.vaultPath, "vault.releases", in: copy)
            let vault = try Vault.open(copy.vault, seed: 6)
            #expect(try vault.unlock(.key()).findings.isEmpty)
            #expect(try isNewest(vault))
        }
        // Each step of a vault's lifecycle that draws a new key or uses another file.
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let backup = directory.path + "/b.sqlite"
        _ = try vault.backups.make(at: backup, at: .at())
        func reopen(_ secret: VaultSecret, _ step: String) throws {
            let killed = try TemporaryDirectory()
            try Tampering.copyFiles(from: directory.vaultPath, to: killed)
            #expect(try Vault.open(killed.vault, seed: 7).unlock(secret).findings.isEmpty, "\(step)")
            vault.lock()
            #expect(try vault.unlock(secret).findings.isEmpty, "\(step)")
        }
        try reopen(.key(), "create")
        try vault.writers.credentials.save("shop.example", "ann", "p")
        let outcome = try vault.restoreAttempt(from: backup, secret: .key()).derive()
        _ = try vault.restore(from: backup, with: outcome)
        try reopen(.key(), "restore")
        try vault.rekey([.test(.key(9))], at: .at())
        try reopen(.key(9), "rekey")
        _ = try vault.slots.add(.test(.key(10)), at: .at())
        try reopen(.key(10), "slot")
    }

    @Test("A vault with as many changes as the recorded one, but other changes, is not served as that one")
    func otherBranch() throws {
        let directory = try TemporaryDirectory()
        try Vault.new(directory.vault).close()
        let other = try TemporaryDirectory()
        try Tampering.copyFiles(from: directory.vaultPath, to: other)
        for (seed, home) in [(UInt64(5), directory), (6, other)] {
            let vault = try Vault.unlocked(home.vault, seed: seed)
            try vault.writers.credentials.save("shop.example", "ann", "p\(seed)")
            vault.close()
        }
        try put(other.vaultPath, "vault.sqlite", in: directory)
        let vault = try Vault.open(directory.vault, seed: 7)
        #expect(try vault.unlock(.key()).findings.contains(where: \.isOfAge))
        #expect(failure { _ = try vault.password("shop.example", "ann") } == .outdated)
    }

    @Test("While the daemon runs it has recorded how new its vault is, and detects that vault.releases was removed")
    func inMemory() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "older")
        vault.lock()
        let older = try TemporaryDirectory()
        try Tampering.copyFiles(from: directory.vaultPath, to: older)
        try vault.unlock(.key())
        try vault.writers.credentials.save("shop.example", "ann", "newer")
        vault.lock()
        let newer = try TemporaryDirectory()
        try Tampering.copyFiles(from: directory.vaultPath, to: newer)
        // All files together: no single file shows it.
        for name in ["vault.sqlite", "vault.releases"] { try put(older.vaultPath, name, in: directory) }
        #expect(try vault.unlock(.key()).findings.contains(where: \.isOfAge))
        vault.lock()
        for name in ["vault.sqlite", "vault.releases"] { try put(newer.vaultPath, name, in: directory) }
        #expect(try vault.unlock(.key()).findings.isEmpty)
        #expect(try vault.password("shop.example", "ann") == "newer")
        vault.close()
        try FileManager.default.removeItem(atPath: directory.vaultPath + "/vault.releases")
        let again = try Vault.open(directory.vault, seed: 4)
        #expect(try again.unlock(.key()).findings == [.unmarked])
        #expect(failure { _ = try again.password("shop.example", "ann") } == .outdated)
        #expect(try again.repair(at: .at(), takesOlder: true).after.isIntact)
        #expect(try again.password("shop.example", "ann") == "newer")
    }

    @Test(
        "The user accepts an older vault as it is: it is complete, keeps record and name, and is the newest from then on"
    )
    func taken() throws {
        let history = try Self.history()
        let last = try #require(history.last)
        let copy = try TemporaryDirectory()
        try Tampering.copyFiles(from: last.closed.vaultPath, to: copy)
        // The newest entries of the record are in `vault.releases` only.
        let waiting = try Vault.unlocked(copy.vault, seed: 3)
        let (name, generation) = try #require(waiting.store.unlockedVault?.manifest?.root).nameAndAge
        try waiting.releases.append(.test(999, app: "org.example.Late"))
        try waiting.releases.commit()
        let killed = try TemporaryDirectory()
        try Tampering.copyFiles(from: copy.vaultPath, to: killed)
        let newest = try Data(contentsOf: URL(fileURLWithPath: copy.database))
        for suffix in ["", "-wal"] { try? FileManager.default.removeItem(atPath: killed.database + suffix) }
        try put(history[1].closed.vaultPath, "vault.sqlite", in: killed)

        let vault = try Vault.open(killed.vault, seed: 8)
        let findings = try vault.unlock(.key()).findings
        guard case .rolledBack(let found, let expected)? = findings.first else {
            Issue.record("\(findings)")
            return
        }
        #expect(findings.count == 1 && found < expected)
        // What happens meanwhile is recorded, and survives.
        try vault.releases.append(.test(1000, app: "org.example.Meanwhile"))
        try vault.releases.commit()
        vault.lock()
        #expect(try vault.unlock(.key()).findings.first == findings.first)
        #expect(try vault.check().findings.first == findings.first)
        let report = try vault.repair(at: .at(), takesOlder: true)
        #expect(report.quarantined == 0 && report.after.isIntact)
        for number in 0..<Self.domains { #expect(try vault.password("d\(number).example", "ann") == "p1") }
        let apps = try vault.readers.releases.page(before: nil, limit: 500).elements.map(\.release.app)
        #expect(apps.contains("org.example.Late") && apps.contains("org.example.Meanwhile"))
        let root = try #require(vault.store.unlockedVault?.manifest?.root).nameAndAge
        #expect(root.name == name && root.age > generation)
        try vault.writers.credentials.save("d0.example", "ann", "taken")
        vault.close()
        #expect(try Vault.open(killed.vault, seed: 9).unlock(.key()).findings.isEmpty)
        // The newer one is an older one now, and complete once the user accepts that.
        try newest.write(to: URL(fileURLWithPath: killed.database))
        let back = try Vault.open(killed.vault, seed: 10)
        #expect(try back.unlock(.key()).findings.contains(where: \.isOfAge))
        #expect(try back.repair(at: .at(), takesOlder: true).after.isIntact)
        #expect(try isNewest(back))
    }

    @Test("A vault whose root is lost keeps its name when it is repaired")
    func keepsName() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "p")
        let (name, age) = try #require(vault.store.unlockedVault?.manifest?.root).nameAndAge
        vault.close()
        try Tampering.execute("DELETE FROM manifest WHERE node = 0", on: directory.database)
        let again = try Vault.unlocked(directory.vault)
        #expect(try again.repair(at: .at()).after.isIntact)
        let root = try #require(again.store.unlockedVault?.manifest?.root).nameAndAge
        #expect(root.name == name && root.age > age)
        again.close()
        #expect(try Vault.open(directory.vault, seed: 6).unlock(.key()).findings.isEmpty)
    }

    private func put(_ folder: String, _ name: String, in copy: TemporaryDirectory) throws {
        let target = copy.vaultPath + "/" + name
        try? FileManager.default.removeItem(atPath: target)
        try FileManager.default.copyItem(atPath: folder + "/" + name, toPath: target)
    }
}

extension ManifestRoot {
    fileprivate var nameAndAge: (name: SealTag, age: UInt64) { (vaultID, generation) }
}
