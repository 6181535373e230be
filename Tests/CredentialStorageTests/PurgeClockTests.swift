// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// attacks.md, the vault, 14: a jump of the clock removed for good what could still be got back.
@Suite("Removal for good, and the clock")
struct PurgeClockTests {
    private let directory: TemporaryDirectory
    private let id: ObjectID
    private static let day: Int64 = 86_400_000
    private static let month = 30 * day

    /// A closed vault with a credential that was deleted a moment ago.
    init() throws {
        directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        id = try vault.writers.credentials.save("shop.example", "ann", "p").id
        _ = try vault.writers.credentials.delete(id, at: .at())
        vault.close()
    }

    /// A run of the daemon that begins at a time, and has its maintenance after some more of it.
    private func run(from start: Int64, for length: Int64, in home: TemporaryDirectory? = nil) throws -> Int {
        let vault = try Vault.open((home ?? directory).vault, seed: UInt64(bitPattern: start) ^ 77)
        try vault.unlock(.key(), at: .at(start))
        let removed = try vault.purge(at: .at(start)) + vault.purge(at: .at(start + length))
        vault.close()
        return removed
    }

    @Test(
        "A clock that is years ahead at a start, or at several, removes nothing; with the right one again all is there")
    func ahead() throws {
        for start in 1...5 { #expect(try run(from: 1000 * Self.day + Int64(start), for: Self.day) == 0) }
        #expect(try run(from: Self.day, for: Self.day) == 0)
        let vault = try Vault.unlocked(directory.vault, seed: 99)
        #expect(try vault.writers.credentials.undelete(id, at: .at(2 * Self.day)).changed)
        #expect(try vault.password("shop.example", "ann") == "p")
    }

    @Test("Where no daemon ran for long, what is due is removed some days later")
    func behind() throws {
        var starts = 0
        while try run(from: 100 * Self.day + Int64(starts) * Self.day, for: Self.day / 2) == 0, starts < 40 {
            starts += 1
        }
        #expect((15...25).contains(starts))
    }

    @Test("In a process that keeps running, it is removed when it is due")
    func running() throws {
        let vault = try Vault.open(directory.vault, seed: 5)
        try vault.unlock(.key(), at: .at())
        #expect(try vault.purge(at: .at(Self.month - 1)) == 0)
        #expect(try vault.purge(at: .at(Self.month)) == 1)
    }

    /// A run of the daemon under a clock that is 50 years behind, in which a credential is deleted.
    private func runFarBehind() throws {
        let past = Timestamp.at(-50 * 365 * Self.day)
        let vault = try Vault.open(directory.vault, seed: 6)
        try vault.unlock(.key(), at: past)
        #expect(try vault.purge(at: past) == 0)
        let later = try vault.writers.credentials.save("later.example", "ann", "p", at: past).id
        _ = try vault.writers.credentials.delete(later, at: past)
        let offer = Offer.test(1)
        try vault.writers.offers.insert(offer)
        _ = try vault.writers.offers.decline(offer.id, at: past)
        vault.close()
    }

    @Test("A start with a clock far behind stops no removal, and what was deleted under it is kept for its time")
    func farBehind() throws {
        #expect(try run(from: 0, for: 0) == 0)
        try runFarBehind()
        #expect(try run(from: Self.day, for: 0) == 0)
        #expect(try run(from: Self.day + 1, for: Self.month) == 3)
    }

    @Test("A time of 1970 that was kept is replaced, and what was deleted under it can be restored for its time")
    func poisoned() throws {
        let past = Timestamp(milliseconds: Self.day)
        let vault = try Vault.unlocked(directory.vault, seed: 7)
        let later = try vault.writers.credentials.save("later.example", "ann", "p").id
        _ = try vault.writers.credentials.delete(later, at: past)
        try vault.writers.settings.set(PurgeClock.setting, to: BinaryWriter.encode { $0.put(past) }, at: past)
        vault.close()

        let healed = try Vault.open(directory.vault, seed: 8)
        try healed.unlock(.key(), at: .at(Self.day))
        #expect(try healed.purge(at: .at(Self.day)) == 0)
        #expect(healed.takeWrongPurgeTime() == past && healed.takeWrongPurgeTime() == nil)
        healed.close()
        #expect(try run(from: Self.day + 1, for: Self.month - 2) == 1)
        let again = try Vault.open(directory.vault, seed: 9)
        try again.unlock(.key(), at: .at(Self.day + Self.month))
        #expect(try again.purge(at: .at(Self.day + Self.month)) == 1)
        #expect(again.takeWrongPurgeTime() == nil)
    }

    @Test("A first run under a clock that is years ahead, in which nothing is deleted, stops no removal for ever")
    func firstAhead() throws {
        let home = try TemporaryDirectory()
        let vault = try Vault.open(home.vault)
        try vault.create([.test()], at: .at(1000 * Self.day))
        #expect(try vault.purge(at: .at(1000 * Self.day)) == 0)
        vault.close()
        let right = try Vault.open(home.vault, seed: 3)
        try right.unlock(.key(), at: .at())
        let id = try right.writers.credentials.save("later.example", "ann", "p").id
        _ = try right.writers.credentials.delete(id, at: .at())
        right.close()
        let removed = try (0..<31).map { try run(from: $0 * Self.day, for: Self.day, in: home) }
        #expect(removed.prefix(29).allSatisfy { $0 == 0 } && removed.reduce(0, +) == 1)
    }

    @Test("With short runs, too, what was deleted after a run under a clock that is years ahead is removed in time")
    func shortRuns() throws {
        let home = try TemporaryDirectory()
        let vault = try Vault.open(home.vault)
        try vault.create([.test()], at: .at(1000 * Self.day))
        #expect(try vault.purge(at: .at(1000 * Self.day)) == 0)
        vault.close()
        let right = try Vault.open(home.vault, seed: 3)
        try right.unlock(.key(), at: .at())
        let id = try right.writers.credentials.save("later.example", "ann", "p").id
        _ = try right.writers.credentials.delete(id, at: .at())
        right.close()
        let hour = Self.day / 24
        let removed = try (0..<33).map { try run(from: $0 * Self.day, for: 4 * hour, in: home) }
        #expect(removed.prefix(29).allSatisfy { $0 == 0 } && removed.reduce(0, +) == 1)
        // Many starts on one day do not shorten the time.
        let other = try Vault.open(home.vault, seed: 4)
        try other.unlock(.key(), at: .at(40 * Self.day))
        let later = try other.writers.credentials.save("late.example", "ann", "p").id
        _ = try other.writers.credentials.delete(later, at: .at(40 * Self.day))
        other.close()
        for start in 1...60 { #expect(try run(from: 40 * Self.day + Int64(start), for: 0, in: home) == 0) }
    }

    @Test("What is deleted under a clock that is years ahead can be restored for its time, and goes within twice that")
    func deletedAhead() throws {
        #expect(try run(from: 0, for: 0) == 0)
        let ahead = Timestamp.at(1000 * Self.day)
        let vault = try Vault.open(directory.vault, seed: 10)
        try vault.unlock(.key(), at: ahead)
        let later = try vault.writers.credentials.save("later.example", "ann", "p", at: ahead).id
        _ = try vault.writers.credentials.delete(later, at: ahead)
        vault.close()
        #expect(try run(from: Self.day, for: Self.month) == 1, "what was deleted before")
        #expect(try run(from: Self.month + Self.day, for: Self.month) == 1)
    }

    @Test("Starts with the right clock after a long time do not shorten that of what is deleted then")
    func deletedBehind() throws {
        #expect(try run(from: 0, for: 0) == 0)
        let now = 25 * Self.day
        let vault = try Vault.open(directory.vault, seed: 11)
        try vault.unlock(.key(), at: .at(now))
        let later = try vault.writers.credentials.save("later.example", "ann", "p", at: .at(now)).id
        _ = try vault.writers.credentials.delete(later, at: .at(now))
        vault.close()
        for start in 1...60 { _ = try run(from: now + Int64(start), for: 0) }
        #expect(try run(from: now + Self.day, for: Self.month - Self.day - 1) == 1, "what was deleted before")
        #expect(try run(from: now + Self.month - 1, for: 1) == 1)
    }

    @Test("The clock of a vault that was ahead removes nothing from another vault that is put in its place")
    func replaced() throws {
        let home = try TemporaryDirectory()
        let ahead = try Vault.open(home.vault, seed: 12)
        try ahead.create([.test()], at: .at(400 * Self.day))
        #expect(try ahead.purge(at: .at(400 * Self.day)) == 0)
        ahead.close()
        let vault = try Vault.open(home.vault, seed: 13)
        try vault.unlock(.key(), at: .at())
        #expect(try vault.purge(at: .at()) == 0)
        vault.lock()
        for name in ["/vault.sqlite", "/vault.releases"] {
            try FileManager.default.removeItem(atPath: home.vaultPath + name)
            try FileManager.default.copyItem(atPath: directory.vaultPath + name, toPath: home.vaultPath + name)
        }
        #expect(try vault.unlock(.key(), at: .at()).findings == [])
        #expect(try vault.purge(at: .at()) == 0)
        #expect(try vault.writers.credentials.undelete(id, at: .at()).changed)
    }

    @Test("A clock that was ahead once does not stay so")
    func setBack() throws {
        #expect(try run(from: 1000 * Self.day, for: 0) == 0)
        #expect(try run(from: 0, for: Self.month - 1) == 0)
        #expect(try run(from: Self.month - 1, for: 2) == 1)
    }
}
