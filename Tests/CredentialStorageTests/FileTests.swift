// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import Foundation
import SecretMemory
import Testing

@testable import VaultRecovery

@Suite("The vault's files", .serialized)
struct FileTests {
    @Test("Opening where no vault is creates nothing")
    func missing() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.open(directory.vault)
        #expect(vault.state == .missing)
        #expect(failure { _ = try vault.password("a", "b") } == .missing)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }

    @Test("Directories are 0700 and files 0600 whatever the umask, and are closed again where they were open")
    func permissions() throws {
        // The mask is the whole process's: the tests that run beside this one need theirs.
        let (status, output) = try runInOwnProcess("UnmaskedChild", "AUTOFILL_UNMASKED_CHILD")
        #expect(status == 0, "\(output)")
    }

    @Test("A second process is given the holder of the vault, and can open it when that one has ended")
    func secondOpener() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        #expect(failure { _ = try Vault.open(directory.vault) } == .held(processID: getpid(), program: "tests"))
        try vault.writers.credentials.save("shop.example", "ann", "secret")
        vault.close()
        #expect(try Vault.unlocked(directory.vault).password("shop.example", "ann") == "secret")
    }

    @Test("Two that find no vault do not both make one")
    func racingCreation() throws {
        let directory = try TemporaryDirectory()
        let first = try Vault.open(directory.vault)
        let second = try Vault.open(directory.vault)
        try first.create([.test()], at: .at())
        #expect(failure { try second.create([.test()], at: .at()) } == .held(processID: getpid(), program: "tests"))
        first.close()
        #expect(failure { try second.create([.test()], at: .at()) } == .exists)
    }

    @Test("A file that is no vault is refused and left as it is")
    func notAVault() throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.vaultPath, withIntermediateDirectories: true)
        let text = Data(String(repeating: "This is no database. ", count: 100).utf8)
        for content in [text, Data()] {
            try content.write(to: URL(fileURLWithPath: directory.database))
            #expect(failure { _ = try Vault.open(directory.vault) } == .notAVault(path: directory.database))
            #expect(try Data(contentsOf: URL(fileURLWithPath: directory.database)) == content)
        }
    }

    @Test("A vault that was moved away or replaced is not written to, and is opened again when locked")
    func replaced() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "one")
        let away = directory.path + "/away.sqlite"
        try FileManager.default.moveItem(atPath: directory.database, toPath: away)
        #expect(
            failure { try vault.writers.credentials.save("shop.example", "ann", "two") }
                == .replaced(path: directory.database))
        #expect(try vault.password("shop.example", "ann") == "one")
        try FileManager.default.moveItem(atPath: away, toPath: directory.database)
        try vault.writers.credentials.save("shop.example", "ann", "three")
        #expect(try vault.password("shop.example", "ann") == "three")

        _ = try vault.backups.make(at: away, at: .at())
        try vault.writers.credentials.save("shop.example", "ann", "four")
        vault.lock()
        try FileManager.default.removeItem(atPath: directory.database)
        try FileManager.default.moveItem(atPath: away, toPath: directory.database)
        #expect(try vault.unlock(.key()).findings.map(\.code) == ["rollback"])
        #expect(try vault.repair(at: .at(), takesOlder: true).after.isIntact)
        #expect(try vault.password("shop.example", "ann") == "three")
        try vault.writers.credentials.save("shop.example", "ann", "five")
        #expect(try vault.check().isIntact)
    }

    @Test("A log that was deleted under the vault is noticed before the next save")
    func logDeleted() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "one")
        try FileManager.default.removeItem(atPath: directory.database + "-wal")
        #expect(
            failure { try vault.writers.credentials.save("shop.example", "ann", "two") }
                == .replaced(path: directory.database + "-wal"))
    }

    @Test("A key file must be the user's own, closed to others, and 32 bytes long")
    func keyFiles() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/key"
        #expect(failure { _ = try KeyFile.read(path) } == .keyFile(path: path, .absent))
        var generator = SystemEntropy()
        let key = try KeyFile.create(path, using: &generator)
        #expect(try KeyFile.read(path).equals(key))
        #expect(try mode(path) == 0o600)
        #expect(failure { _ = try KeyFile.create(path, using: &generator) } == .keyFile(path: path, .present))
        chmod(path, 0o640)
        #expect(failure { _ = try KeyFile.read(path) } == .keyFile(path: path, .openToOthers))
        chmod(path, 0o400)
        #expect(try KeyFile.read(path).equals(key))
        chmod(path, 0o600)
        // Only root can make a file another user's.
        if geteuid() == 0 {
            try #require(chown(path, 65_534, 65_534) == 0)
            #expect(failure { _ = try KeyFile.read(path) } == .keyFile(path: path, .foreignOwner))
            try #require(chown(path, 0, 0) == 0)
        }
        truncate(path, 31)
        #expect(failure { _ = try KeyFile.read(path) } == .keyFile(path: path, .wrongLength))
        #expect(failure { _ = try KeyFile.read(directory.path) } == .keyFile(path: directory.path, .notAFile))
        #expect(KeyFile.path(inCredentialsDirectory: nil) == nil)
        #expect(KeyFile.path(inCredentialsDirectory: directory.path) == nil)
        try FileManager.default.moveItem(atPath: path, toPath: directory.path + "/autofilld.vault-key")
        #expect(KeyFile.path(inCredentialsDirectory: directory.path) == directory.path + "/autofilld.vault-key")
    }
    @Test("An older complete copy that replaces the vault is not detected, and returns what it had")
    func olderCopy() throws {
        let directory = try TemporaryDirectory()
        let first = try Vault.new(directory.vault)
        try first.writers.credentials.save("shop.example", "ann", "older")
        first.close()
        let copy = directory.path + "/copy"
        try FileManager.default.copyItem(atPath: directory.vaultPath, toPath: copy)
        let second = try Vault.unlocked(directory.vault)
        try second.writers.credentials.save("shop.example", "ann", "newer")
        second.close()
        try FileManager.default.removeItem(atPath: directory.vaultPath)
        try FileManager.default.moveItem(atPath: copy, toPath: directory.vaultPath)
        let third = try Vault.unlocked(directory.vault)
        #expect(try third.password("shop.example", "ann") == "older")
    }
}

/// What runs in a process without a mask.
@Suite(.enabled(if: getenv("AUTOFILL_UNMASKED_CHILD") != nil, "runs within another test"))
struct UnmaskedChild {
    @Test("A mask that closes nothing opens nothing") func permissions() throws {
        umask(0)
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "secret")
        try vault.releases.append(.test(1))
        try vault.releases.commit()
        #expect(try mode(directory.path + "/data") == 0o700)
        #expect(try mode(directory.vaultPath) == 0o700)
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.vaultPath)
        #expect(files.sorted() == ["vault.lock", "vault.releases", "vault.sqlite", "vault.sqlite-wal"])
        for file in files { #expect(try mode(directory.vaultPath + "/" + file) == 0o600, "\(file)") }
        vault.close()

        chmod(directory.vaultPath, 0o755)
        chmod(directory.database, 0o644)
        let again = try Vault.unlocked(directory.vault)
        try again.writers.credentials.save("shop.example", "bob", "secret")
        #expect(try mode(directory.vaultPath) == 0o700)
        #expect(try mode(directory.database) == 0o600)
        #expect(try mode(directory.database + "-wal") == 0o600)
    }
}

private func mode(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mode & 0o7777
}
