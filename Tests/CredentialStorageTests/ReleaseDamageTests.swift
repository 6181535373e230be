// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

/// Every kind of damage of `vault.releases`, while the vault is closed, while it is open, and after a kill. 64 tries; 504 with
/// AUTOFILL_FULL=1.
///
/// attacks.md, the vault: flipped bytes in `vault.releases`
@Suite("A damaged vault.releases")
struct ReleaseDamageTests {
    private static let tries = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1" ? 504 : 64

    private enum Situation: CaseIterable { case closed, killed, open }
    private enum Outcome: Hashable { case named, unchanged, lastSecond }

    /// The files of a vault as a kill leaves them, and how many releases were recorded in all. The time of each is its number.
    private struct Stage {
        let files = try? TemporaryDirectory()
        var count = 0
        var path: String { files?.vaultPath ?? "" }
    }

    /// A vault in use, and what is known of its record from outside.
    private final class Use {
        let vault: Vault
        private(set) var count: Int
        /// How many there were at the last commit of the vault.
        private(set) var committed: Int

        init(_ vault: Vault, count: Int) throws {
            (self.vault, self.count) = (vault, count)
            committed = count - (try vault.store.unlocked.releases.pendingCount)
        }

        func release(_ number: Int, _ generator: inout SeededGenerator) throws {
            for _ in 0..<number {
                count += 1
                let app = "org.example.App" + String(repeating: "x", count: .random(in: 0...200, using: &generator))
                try vault.releases.append(.test(Int64(count), app: app))
                if Bool.random(using: &generator) { try vault.releases.commit() }
            }
            try vault.releases.commit()
        }

        func commit(_ generator: inout SeededGenerator) throws {
            if Bool.random(using: &generator) {
                try vault.releases.sync(at: .at())
            } else {
                try vault.writers.credentials.save("shop.example", "ann", "p\(count)")
            }
            committed = count
        }

        func close() {
            vault.close()
            committed = count
        }

        /// The bytes of the entries that the vault's last commit may not have, by their numbers.
        func waiting() throws -> [Int: Data] {
            try vault.store.unlocked.releases.pending.withUnsafeBytes { bytes in
                Dictionary(uniqueKeysWithValues: ReleaseEntry.all(in: bytes).map { (Int($0.sequence), Data($0.bytes)) })
            }
        }
    }

    private static func history(_ generator: inout SeededGenerator) throws -> [Stage] {
        let home = try TemporaryDirectory()
        let use = try Use(Vault.new(home.vault, seed: generator.next()), count: 0)
        return try (0..<8).map { _ in
            try use.release(.random(in: 1...14, using: &generator), &generator)
            var stage = Stage()
            stage.count = use.count
            try Tampering.copyFiles(from: home.vaultPath, to: #require(stage.files))
            if Int.random(in: 0..<3, using: &generator) > 0 { try use.commit(&generator) }
            return stage
        }
    }

    @Test("What is missing is named, or was recorded after the vault's last commit, and no intact entry is lost")
    func damaged() throws {
        var generator = SeededGenerator(seed: 26)
        var (outcomes, history): ([Outcome: Int], [Stage]) = ([:], [])
        for number in 0..<Self.tries {
            if number % 24 == 0 { history = try Self.history(&generator) }
            let damage = ReleaseDamage.allCases[number % 8]
            let situation = Situation.allCases[number / 8 % 3]
            let last = Int.random(in: 1..<history.count, using: &generator)
            let older = history[Int.random(in: 0..<last, using: &generator)].path + "/vault.releases"
            let outcome = try attempt(
                damage, situation, on: history[last], older, "\(number): \(damage), \(situation)", &generator)
            outcomes[outcome, default: 0] += 1
        }
        print(
            "damaged vault.releases: \(outcomes[.named] ?? 0) named, \(outcomes[.unchanged] ?? 0) unchanged, "
                + "\(outcomes[.lastSecond] ?? 0) in the last second")
        for outcome in [Outcome.named, .unchanged, .lastSecond] { #expect((outcomes[outcome] ?? 0) > 3) }
    }

    private func attempt(
        _ damage: ReleaseDamage, _ situation: Situation, on stage: Stage, _ older: String, _ name: String,
        _ generator: inout SeededGenerator
    ) throws -> Outcome {
        let home = try TemporaryDirectory()
        try Tampering.copyFiles(from: stage.path, to: home)
        let log = home.vaultPath + "/vault.releases"
        let use = try Use(Vault.unlocked(home.vault, seed: generator.next()), count: stage.count)
        var waiting: [Int: Data] = [:]
        let reopened = try TemporaryDirectory()
        switch situation {
        case .closed:
            use.close()
            try damage.apply(to: log, older: older, using: &generator)
            try Tampering.copyFiles(from: home.vaultPath, to: reopened)
        case .killed:
            waiting = try use.waiting()
            try Tampering.copyFiles(from: home.vaultPath, to: reopened)
            try damage.apply(to: reopened.vaultPath + "/vault.releases", older: older, using: &generator)
        case .open:
            try use.release(.random(in: 0...6, using: &generator), &generator)
            try damage.apply(to: log, older: older, using: &generator)
            if Bool.random(using: &generator) { try use.commit(&generator) }
            try use.release(.random(in: 0...3, using: &generator), &generator)
            if Bool.random(using: &generator) { use.close() } else { waiting = try use.waiting() }
            try Tampering.copyFiles(from: home.vaultPath, to: reopened)
        }
        let content = (try? Data(contentsOf: URL(filePath: reopened.vaultPath + "/vault.releases"))) ?? Data()
        let intact = waiting.filter { content.range(of: $0.value) != nil }.keys
        let vault = try Vault.unlocked(reopened.vault, seed: generator.next())
        return try judge(vault, use.count, use.committed, Set(intact), name)
    }

    private func judge(
        _ vault: Vault, _ count: Int, _ committed: Int, _ intact: Set<Int>, _ name: String
    ) throws -> Outcome {
        let page = try vault.readers.releases.page(before: nil, limit: 10_000)
        let times = page.elements.map { Int($0.release.time.milliseconds - Timestamp.at().milliseconds) }
        let listed = Set(times)
        #expect(listed.count == times.count && listed.allSatisfy { (1...count).contains($0) }, "\(name)")
        #expect(listed.isSuperset(of: 1..<committed + 1), "\(name): what the vault's last commit had")
        #expect(listed.isSuperset(of: intact), "\(name): \(intact.subtracting(listed).sorted()) are intact")
        let missing = Set(1..<count + 1).subtracting(listed)
        let findings = try vault.check().findings
        let isIntact = findings.allSatisfy(\.isOfAge)
        var named: Set<Int> = []
        for case .releases(let first, let last) in findings { named.formUnion(Int(first)...Int(last)) }
        #expect(named.isSubset(of: missing), "\(name): \(named.intersection(listed).sorted()) are listed")
        let gone = Set(page.missing.flatMap { Int($0.lowerBound)...Int($0.upperBound) })
        #expect(gone == named, "\(name): missing in the list, and by the check")
        let unnamed = missing.subtracting(named)
        #expect(unnamed.allSatisfy { $0 > listed.max() ?? 0 }, "\(name): \(unnamed.sorted()) are not named")
        #expect(isIntact == named.isEmpty, "\(name): \(findings)")
        try expectRepair(of: vault, times, gone, name)
        return !findings.isEmpty ? .named : missing.isEmpty ? .unchanged : .lastSecond
    }

    /// A repair keeps what is listed, and where entries are missing.
    private func expectRepair(of vault: Vault, _ times: [Int], _ gone: Set<Int>, _ name: String) throws {
        #expect(try vault.repair(at: .at(), takesOlder: true).after.isIntact, "\(name)")
        try vault.releases.append(.test(9999))
        try vault.releases.sync(at: .at())
        #expect(try vault.check().isIntact, "\(name)")
        let later = try vault.readers.releases.page(before: nil, limit: 10_000)
        let left = later.elements.dropFirst().map { Int($0.release.time.milliseconds - Timestamp.at().milliseconds) }
        #expect(left == times, "\(name)")
        #expect(Set(later.missing.flatMap { Int($0.lowerBound)...Int($0.upperBound) }) == gone, "\(name)")
    }
}
