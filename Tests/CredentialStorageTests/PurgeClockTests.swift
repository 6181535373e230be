// SPDX-License-Identifier: Apache-2.0
import Credentials
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
        vault.close(at: .at())
    }

    /// A run of the daemon that begins at a time, and has its maintenance after some more of it.
    private func run(from start: Int64, for length: Int64) throws -> Int {
        let vault = try Vault.open(directory.vault, seed: UInt64(bitPattern: start) ^ 77)
        try vault.unlock(.key(), at: .at(start))
        let removed = try vault.purge(at: .at(start)) + vault.purge(at: .at(start + length))
        vault.close(at: .at(start + length))
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
        vault.close(at: past)
    }

    @Test("A start with a clock far behind stops no removal, and what was deleted under it is kept for its time")
    func farBehind() throws {
        #expect(try run(from: 0, for: 0) == 0)
        try runFarBehind()
        #expect(try run(from: Self.day, for: 0) == 0)
        #expect(try run(from: Self.day + 1, for: Self.month) == 3)
    }

    @Test("A clock that was ahead once does not stay so")
    func setBack() throws {
        #expect(try run(from: 1000 * Self.day, for: 0) == 0)
        #expect(try run(from: 0, for: Self.month - 1) == 0)
        #expect(try run(from: Self.month - 1, for: 2) == 1)
    }
}
