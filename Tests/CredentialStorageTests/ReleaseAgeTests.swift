// SPDX-License-Identifier: Apache-2.0
import Credentials
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// A clock that jumps costs nothing of the record of releases.
@Suite("The record of releases, and the clock")
struct ReleaseAgeTests {
    private static let day: Int64 = 86_400_000
    private let directory: TemporaryDirectory

    /// A closed vault with two entries of the first day.
    init() throws {
        directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        for number in 1...2 {
            try vault.releases.append(.test(Int64(number)))
            try vault.releases.sync(at: .at(Int64(number)))
        }
        vault.close()
    }

    /// A run of the daemon that begins at a time, puts an entry on record and checks the ages after some more of it.
    private func run(from start: Int64, for length: Int64 = day, jump: Int64 = 0, keeping days: Int64 = 366) throws
        -> [UInt64]
    {
        let vault = try Vault.open(directory.vault, seed: UInt64(bitPattern: start) ^ 77)
        vault.limits.releaseMilliseconds = days * Self.day
        try vault.unlock(.key(), at: .at(start))
        // As the daemon does, which writes down how far it has come.
        _ = try vault.purge(at: .at(start))
        for time in [start, start + length] {
            // By the wall clock; it was set in the meantime.
            try vault.releases.append(.test(time + jump))
            try vault.releases.sync(at: .at(time))
        }
        vault.close()
        let again = try Vault.unlocked(directory.vault, seed: 5)
        #expect(try again.check().isIntact)
        return try again.readers.releases.page(before: nil, limit: 1000).elements.map(\.number).reversed()
    }

    @Test("A clock that is years ahead at a start, or at several, and back again, costs no entry")
    func ahead() throws {
        for start in 1...5 { #expect(try run(from: 1000 * Self.day + Int64(start)).prefix(2) == [1, 2]) }
        #expect(try run(from: Self.day).prefix(2) == [1, 2])
        #expect(try run(from: 300 * Self.day).prefix(2) == [1, 2])
    }

    @Test("One that is set forward while the daemon runs costs none, nor at the next start")
    func setForward() throws {
        #expect(try run(from: Self.day, jump: 400 * Self.day).prefix(2) == [1, 2])
        #expect(try run(from: 401 * Self.day).prefix(2) == [1, 2])
        #expect(try run(from: 3 * Self.day).prefix(2) == [1, 2])
    }

    @Test("In a daemon that runs on for more than a year they go")
    func running() throws {
        #expect(try run(from: Self.day, for: 300 * Self.day).prefix(2) == [1, 2])
        #expect(try run(from: Self.day, for: 370 * Self.day).prefix(2) != [1, 2])
    }

    @Test("Where no daemon ran for years they go some days later")
    func behind() throws {
        var starts: Int64 = 0
        while try run(from: (500 + starts) * Self.day, for: Self.day / 2, keeping: 20).first == 1, starts < 60 {
            starts += 1
        }
        #expect((5..<60).contains(starts))
    }
}
