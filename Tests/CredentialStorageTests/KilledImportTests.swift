// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import Glibc
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// 20 kills; 200 with AUTOFILL_FULL=1.
@Suite("An import that is interrupted leaves everything as it was", .serialized)
struct KilledImportTests {
    private static let kills = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1" ? 200 : 20
    static let entries = 400

    @Test("Killed at any moment of an import or its undo: all entries are there, or none, and the vault is intact")
    func killed() throws {
        var generator = SeededGenerator(seed: 11)
        let home = try TemporaryDirectory()
        try Vault.new(home.vault).writers.credentials.insert(Array(Credential.many(50)))
        var outcomes: Set<String> = []
        for round in 0..<Self.kills {
            let point = Int.random(in: 0...Self.entries, using: &generator)
            let delay = Int.random(in: 0..<3000, using: &generator)
            let ended = try run(in: home, round: round, killingAt: point, after: delay)
            let vault = try Vault.unlocked(home.vault, seed: UInt64(round) + 1000)
            let credentials = try #require(vault.counts).credentials
            let changed = try vault.passwords("d0.example").first
            let isWhole = credentials == Self.entries && changed == "new 0"
            let isUntouched = credentials == 50 && changed == "p0"
            #expect(isWhole || isUntouched, "round \(round): \(credentials) credentials, \(changed ?? "none")")
            #expect(try vault.check().isIntact, "round \(round)")
            outcomes.insert("\(isWhole) \(ended)")
            vault.close()
        }
        // Some were killed before the end, and some imports were done.
        #expect(outcomes.contains("false false") && outcomes.contains { $0.hasPrefix("true") }, "\(outcomes)")
    }

    /// Imports into the vault, or reverts the import that it has, in a process that is killed after so many entries.
    ///
    /// - Returns: whether it had ended before.
    private func run(in home: TemporaryDirectory, round: Int, killingAt point: Int, after delay: Int) throws -> Bool {
        let process = Process()
        process.executableURL = URL(
            filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        process.arguments = ["--testing-library", "swift-testing", "--filter", "KilledImportChild"]
        let pipe = Pipe()
        process.environment = ProcessInfo.processInfo.environment.merging([
            "AUTOFILL_KILLED_IMPORT_CHILD": home.vaultPath, "AUTOFILL_KILLED_IMPORT_SEED": "\(2000 + round)",
        ]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = pipe
        try process.run()
        var seen = 0
        var hasEnded = false
        while seen <= point, let bytes = try pipe.fileHandleForReading.read(upToCount: 1), let byte = bytes.first {
            if byte == KilledImportChild.entry { seen += 1 }
            if byte == KilledImportChild.end { hasEnded = true }
        }
        for _ in 0..<delay { sched_yield() }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return hasEnded
    }

    @Test("A cancelled import has saved nothing, and the same import can be made then")
    func cancelled() throws {
        let vault = try Vault.new()
        try vault.writers.credentials.save("d0.example", "ann", "saved")
        let staging = try ImportStaging.of(ImportEntry.many(20))
        let progress = VaultProgress()
        progress.cancel()
        let error = failure {
            _ = try vault.writers.imports.commit(
                staging, .newer, by: .administrator, at: .at(), steady: .at(), progress)
        }
        #expect(error == .cancelled)
        #expect(vault.counts?.credentials == 1)
        let report = try vault.writers.imports.commit(
            staging, .newer, by: .administrator, at: .at(), steady: .at())
        #expect(report.added == 19 && report.changed == 1)
        #expect(try vault.check().isIntact)
    }
}

/// Runs in the process that is killed: it writes a mark for each entry, and another one when the import is durable.
@Suite(.enabled(if: getenv("AUTOFILL_KILLED_IMPORT_CHILD") != nil, "runs within another test"))
struct KilledImportChild {
    static let entry: UInt8 = 1
    static let end: UInt8 = 2

    @Test("Imports, or reverts the import, and waits to be killed")
    func run() throws {
        let path = try #require(getenv("AUTOFILL_KILLED_IMPORT_CHILD").map { String(cString: $0) })
        let seed = try #require(getenv("AUTOFILL_KILLED_IMPORT_SEED").flatMap { UInt64(String(cString: $0)) })
        let vault = try Vault.unlocked(.directory(path), seed: seed)
        let progress = VaultProgress()
        Thread.detachNewThread {
            var written = 0
            while true {
                while written < progress.count.done {
                    Self.write(Self.entry)
                    written += 1
                }
                sched_yield()
            }
        }
        if try #require(vault.counts).credentials == 50 {
            let entries = (0..<KilledImportTests.entries).map { number in
                ImportEntry.of("d\(number).example", password: "new \(number)", changed: 9)
            }
            _ = try vault.writers.imports.commit(
                .of(entries, seed: seed), .newer, by: .administrator, at: .at(1), steady: .at(1), progress)
        } else {
            _ = try vault.writers.imports.revert(at: .at(2), steady: .at(2), progress)
        }
        Self.write(Self.end)
        for _ in 0...KilledImportTests.entries { Self.write(Self.entry) }
        while true { pause() }
    }

    private static func write(_ byte: UInt8) {
        var byte = byte
        _ = Glibc.write(STDERR_FILENO, &byte, 1)
    }
}
