// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import Foundation
import SecretMemory
import TestGround
import Testing

@Suite("Flipped bytes")
struct FlipTests {
    /// The outcome of a flip.
    private enum Outcome: Hashable {
        /// The vault was not opened, for a stated reason.
        case refused
        /// It was opened, and `check` named what is wrong.
        case found
        /// All rows of all tables are what they were: the byte is free space, or one that SQLite does not read.
        case outside
    }

    @Test(
        "A thousand flips over the file: none crashes, none returns a wrong secret, each is detected or outside all that matters"
    )
    func thousandFlips() throws {
        let original = try TemporaryDirectory()
        let vault = try Vault.new(original.vault)
        try vault.writers.credentials.insert(Credential.many(60))
        for number in 0..<5 { try vault.writers.offers.insert(Offer.test(UInt64(number) + 1)) }
        for number in 0..<20 { try vault.releases.append(.test(Int64(number))) }
        try vault.releases.sync(at: .at())
        vault.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: original.database))
        let releases = try Data(contentsOf: URL(fileURLWithPath: original.vaultPath + "/vault.releases"))
        let content = try Tampering.content(of: original.database)

        var generator = SeededGenerator(seed: 2026)
        var outcomes: [Outcome: Int] = [:]
        let count = ProcessInfo.processInfo.environment["AUTOFILL_FLIPS"].flatMap { Int($0) } ?? 1000
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.vaultPath, withIntermediateDirectories: true)
        for _ in 0..<count {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
            unlink(directory.database + "-wal")
            try releases.write(to: URL(fileURLWithPath: directory.vaultPath + "/vault.releases"))
            var flipped = bytes
            flipped[place] ^= bit
            try flipped.write(to: URL(fileURLWithPath: directory.database))
            let outcome = try outcome(directory, content)
            if outcome == nil { Issue.record("byte \(place) of page \(place / 4096 + 1), bit \(bit): not detected") }
            outcomes[outcome ?? .outside, default: 0] += 1
        }
        print(
            "flips: \(count), refused \(outcomes[.refused] ?? 0), found \(outcomes[.found] ?? 0), outside \(outcomes[.outside] ?? 0)"
        )
        #expect((outcomes[.found] ?? 0) > count / 3)
    }

    /// nil where the flip changed a row and was not noticed.
    private func outcome(_ directory: TemporaryDirectory, _ content: [String]) throws -> Outcome? {
        do {
            let vault = try Vault.open(directory.vault, seed: 3)
            defer { vault.close() }
            try vault.unlock(.key())
            for number in stride(from: 0, to: 60, by: 7) {
                let password: String?
                do { password = try vault.password("d\(number).example", "ann") } catch { continue }
                #expect(password == nil || password == "p\(number)")
            }
            if try !vault.check().isIntact { return .found }
        } catch is VaultError { return .refused }
        return (try? Tampering.content(of: directory.database)) == content ? .outside : nil
    }
}
