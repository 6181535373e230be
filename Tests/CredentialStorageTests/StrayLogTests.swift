// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

/// SQLite applies a log to whatever database has its name.
@Suite("A log and a releases file whose vault's file was removed")
struct StrayLogTests {
    private let directory: TemporaryDirectory
    private let log: Data
    private let releases: Data
    private var logPath: String { directory.database + "-wal" }
    private var backup: String { directory.path + "/backup.sqlite" }

    init() throws {
        directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        for number in 0..<20 { try vault.writers.credentials.save("d\(number).example", "ann", "p\(number)") }
        _ = try vault.backups.make(at: directory.path + "/backup.sqlite", at: .at(1))
        log = try Data(contentsOf: URL(fileURLWithPath: directory.database + "-wal"))
        vault.close()
        releases = try Data(contentsOf: URL(fileURLWithPath: directory.vaultPath + "/vault.releases"))
        try #require(!log.isEmpty && !releases.isEmpty)
        try FileManager.default.removeItem(atPath: directory.database)
        try log.write(to: URL(fileURLWithPath: logPath))
    }

    private var kept: Data? {
        FileManager.default.contents(atPath: directory.vaultPath + "/replaced/vault-1.sqlite-wal")
    }
    private var keptReleases: Data? {
        FileManager.default.contents(atPath: directory.vaultPath + "/replaced/vault-1.sqlite.releases")
    }

    @Test("They are not applied to a new vault, and are kept")
    func created() throws {
        let vault = try Vault.new(directory.vault, seed: 9)
        #expect(kept == log && keptReleases == releases)
        try vault.writers.credentials.save("new.example", "ann", "new")
        vault.close()
        let again = try Vault.unlocked(directory.vault)
        #expect(try again.password("new.example", "ann") == "new")
        #expect(try again.check().isIntact && again.counts?.credentials == 1)
    }

    @Test("A releases file alone is kept, too")
    func alone() throws {
        try FileManager.default.removeItem(atPath: logPath)
        try Vault.new(directory.vault, seed: 9).close()
        #expect(keptReleases == releases && kept == nil)
    }

    @Test("A vault is made also where the releases file cannot be read, or is none: it is kept, once")
    func unreadable() throws {
        let path = directory.vaultPath + "/vault.releases"
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        try Vault.new(directory.vault, seed: 9).close()
        let kept = directory.vaultPath + "/replaced/vault-1.sqlite.releases"
        try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: kept)
        #expect(keptReleases == releases)

        for file in [directory.database, path] { try files.removeItem(atPath: file) }
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        try Vault.new(directory.vault, seed: 10).close()
        let names = try files.contentsOfDirectory(atPath: directory.vaultPath + "/replaced")
        let expected = ["vault-1.sqlite-wal", "vault-1.sqlite.releases", "vault-2.sqlite.releases"]
        #expect(names.sorted() == expected)
    }

    @Test("They are not applied to a backup that is restored, and are kept")
    func restored() throws {
        let vault = try Vault.open(directory.vault)
        let outcome = try vault.restoreAttempt(from: backup, secret: .key()).derive()
        #expect(try vault.restore(from: backup, with: outcome).records == 20)
        #expect(kept == log && keptReleases == releases)
        vault.close()
        let again = try Vault.unlocked(directory.vault)
        #expect(try again.password("d7.example", "ann") == "p7" && again.check().isIntact)
    }
}
