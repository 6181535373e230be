// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import Testing

@testable import CredentialStorage

/// SQLite applies a log to whatever database has its name.
@Suite("A log whose vault's file was removed")
struct StrayLogTests {
    private let directory: TemporaryDirectory
    private let log: Data
    private var logPath: String { directory.database + "-wal" }
    private var backup: String { directory.path + "/backup.sqlite" }

    init() throws {
        directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        for number in 0..<20 { try vault.writers.credentials.save("d\(number).example", "ann", "p\(number)") }
        _ = try vault.backups.make(at: directory.path + "/backup.sqlite", at: .at(1))
        log = try Data(contentsOf: URL(fileURLWithPath: directory.database + "-wal"))
        try #require(!log.isEmpty)
        vault.close(at: .at(2))
        try FileManager.default.removeItem(atPath: directory.database)
        try log.write(to: URL(fileURLWithPath: logPath))
    }

    private var kept: Data? {
        FileManager.default.contents(atPath: directory.vaultPath + "/replaced/vault-1.sqlite-wal")
    }

    @Test("It is not applied to a new vault, and is kept")
    func created() throws {
        let vault = try Vault.new(directory.vault, seed: 9)
        #expect(kept == log)
        try vault.writers.credentials.save("new.example", "ann", "new")
        vault.close(at: .at(3))
        let again = try Vault.unlocked(directory.vault)
        #expect(try again.password("new.example", "ann") == "new")
        #expect(try again.check().isSound && again.counts?.credentials == 1)
    }

    @Test("It is not applied to a backup that is restored, and is kept")
    func restored() throws {
        let vault = try Vault.open(directory.vault)
        let outcome = try vault.restoreAttempt(from: backup, secret: .key()).derive()
        #expect(try vault.restore(from: backup, with: outcome, at: .at(3)).records == 20)
        #expect(kept == log)
        vault.close(at: .at(4))
        let again = try Vault.unlocked(directory.vault)
        #expect(try again.password("d7.example", "ann") == "p7" && again.check().isSound)
    }
}
