// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

/// A repair never deletes what can be read.
///
/// attacks.md, the vault, 9
@Suite("Rows that are damaged beside what is sealed")
struct RepairedRowTests {
    private let directory: TemporaryDirectory
    private let ids: [ObjectID]

    init() throws {
        directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        ids = try (0..<40).map { try vault.writers.credentials.save("d\($0).example", "ann", "p\($0)").id }
        vault.close()
    }

    private func readable(_ vault: Vault) throws -> Int {
        try (0..<40).count { number in
            do { return try vault.password("d\(number).example", "ann") == "p\(number)" } catch is VaultError {
                return false
            }
        }
    }

    @Test(
        "A row's look-up, its version or its id is restored from the record itself",
        arguments: [
            "lookup = zeroblob(32)", "lookup = x'00'", "version = 9", "id = zeroblob(17)",
            "id = x'01' || zeroblob(16), version = 0, lookup = x'00'",
        ])
    func repaired(_ change: String) throws {
        try Tampering.execute(
            "UPDATE record SET \(change) WHERE id = \(Tampering.literal(ids[3]))".replacingOccurrences(
                of: "id = x'01' || zeroblob(16)", with: "id = CAST(x'01' || zeroblob(16) AS BLOB)"),
            on: directory.database)
        let vault = try Vault.unlocked(directory.vault)
        #expect(try !vault.check().isIntact)
        let report = try vault.repair(at: .at())
        #expect(report.after.isIntact && report.quarantined == 0)
        #expect(try readable(vault) == 40)
    }

    @Test("A flip of the look-up in the row alone, which the index still finds, costs nothing")
    func flippedRow() throws {
        let lookup = try lookup(of: ids[3])
        var bytes = try Data(contentsOf: URL(fileURLWithPath: directory.database))
        // In the table the record's id is right before it; in the index it is not.
        let place = try #require(bytes.range(of: Data(ids[3].stored) + lookup)).lowerBound + 17
        bytes[place + 20] ^= 4
        try bytes.write(to: URL(fileURLWithPath: directory.database))
        let vault = try Vault.unlocked(directory.vault)
        #expect(try !vault.check().isIntact)
        #expect(try vault.repair(at: .at()).after.isIntact)
        #expect(try readable(vault) == 40 && vault.quarantined().isEmpty)
    }

    private func lookup(of id: ObjectID) throws -> Data {
        let connection = try SQLConnection(directory.database, at: directory.database, flags: 1)
        let sql = "SELECT lookup FROM record WHERE id = \(Tampering.literal(id))"
        return try #require(try SQLStatement(sql, on: connection).first { row in Data(row.copy(0)) })
    }

    @Test("After any flip a repair leaves no record unreadable that could be read before it")
    func flips() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.database))
        let releases = try Data(contentsOf: URL(fileURLWithPath: directory.vaultPath + "/vault.releases"))
        var generator = SeededGenerator(seed: 9)
        let count = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1" ? 1360 : 136
        for number in 0..<count {
            let copy = try TemporaryDirectory()
            try FileManager.default.createDirectory(atPath: copy.vaultPath, withIntermediateDirectories: true)
            var flipped = bytes
            let place = Int.random(in: 4096..<bytes.count, using: &generator)
            flipped[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            try flipped.write(to: URL(fileURLWithPath: copy.database))
            try releases.write(to: URL(fileURLWithPath: copy.vaultPath + "/vault.releases"))
            guard let vault = try? Vault.unlocked(copy.vault, seed: UInt64(number)) else { continue }
            let before = try readable(vault)
            guard let report = try? vault.repair(at: .at()) else { continue }
            #expect(report.after.isIntact, "byte \(place)")
            #expect(try readable(vault) >= before, "byte \(place)")
        }
    }
}
