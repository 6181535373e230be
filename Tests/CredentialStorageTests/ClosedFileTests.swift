// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

/// What may happen to the vault's files while nobody has them open. (The vault: points 2, 8 and 12 of what attackers found.)
@Suite("The closed file of the vault")
struct ClosedFileTests {
    private let directory: TemporaryDirectory
    private let vault: Vault

    init() throws {
        directory = try TemporaryDirectory()
        vault = try Vault.new(directory.vault)
    }

    private func names(_ folder: String? = nil) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder ?? directory.vaultPath).sorted()
    }

    private func credentials(in path: String) throws -> Int {
        try Tampering.integer("SELECT count(*) FROM record WHERE substr(id, 1, 1) = x'01'", on: path)
    }

    private static let atRest = ["vault.lock", "vault.releases", "vault.sqlite"]

    @Test("A locked vault is one file without a log, whatever it is asked for, and nobody else may open it")
    func atRest() throws {
        try vault.writers.credentials.save("shop.example", "ann", "secret")
        try vault.releases.append(.test(1))
        #expect(try names() == Self.atRest + ["vault.sqlite-wal"])
        vault.lock()
        #expect(vault.state == .locked)
        #expect(try names() == Self.atRest)
        #expect(try vault.slots.list().map(\.id) == [1])
        #expect(failure { try vault.unlock(.key(9)) } == .wrongSecret(retryAfterMilliseconds: 250))
        _ = try vault.backups.make(at: directory.path + "/b.sqlite", at: .at())
        #expect(try names() == Self.atRest)
        #expect(failure { _ = try Vault.open(directory.vault) } == .held(processID: getpid(), program: "tests"))
        #expect(try credentials(in: directory.database) == 1)

        try vault.unlock(.key(), at: .at(1000))
        #expect(vault.replacements == 0)
        #expect(try vault.password("shop.example", "ann") == "secret")
        #expect(try vault.readers.releases.page(before: nil, limit: 9).elements.map(\.number) == [1])
        vault.close()
        #expect(try names() == Self.atRest)
        let again = try Vault.open(directory.vault)
        #expect(again.state == .locked)
        #expect(try names() == Self.atRest)
    }

    @Test(
        "An older copy that replaces a locked vault, or is written over it, is opened completely",
        arguments: [false, true])
    func olderCopy(isWrittenOver: Bool) throws {
        for number in 0..<60 { try vault.writers.credentials.save("d\(number).example", "ann", "older") }
        let copy = directory.path + "/copy"
        _ = try vault.backups.make(at: copy, at: .at())
        for number in 0..<60 { try vault.writers.credentials.save("d\(number).example", "ann", "newer") }
        for number in 60..<90 { try vault.writers.credentials.save("d\(number).example", "ann", "newer") }
        vault.lock()
        // Counting a failure writes to the file, too.
        #expect(failure { try vault.unlock(.key(9)) } != nil)
        if isWrittenOver {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: directory.database))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data(contentsOf: URL(fileURLWithPath: copy)))
            try file.close()
        } else {
            try FileManager.default.removeItem(atPath: directory.database)
            try FileManager.default.moveItem(atPath: copy, toPath: directory.database)
        }
        #expect(try vault.unlock(.key(), at: .at(1000)).findings.map(\.code) == ["rollback"])
        #expect(vault.replacements == 1)
        #expect(failure { _ = try vault.password("d0.example", "ann") } == .outdated)
        #expect(try vault.repair(at: .at(), takesOlder: true).quarantined == 0)
        #expect(try vault.check().isIntact)
        for number in 0..<60 { #expect(try vault.password("d\(number).example", "ann") == "older") }
        #expect(vault.counts?.credentials == 60)
        try vault.writers.credentials.save("late.example", "ann", "p")
        vault.close()
        #expect(try Vault.unlocked(directory.vault, seed: 7).password("late.example", "ann") == "p")
    }

    /// attacks.md, the vault, 2
    @Test("An older copy that replaces an open vault finds no log of it when it is opened")
    func replacedWhileOpen() throws {
        try vault.writers.credentials.save("shop.example", "ann", "older")
        let copy = directory.path + "/copy"
        _ = try vault.backups.make(at: copy, at: .at())
        for number in 0..<60 { try vault.writers.credentials.save("d\(number).example", "ann", "newer") }
        let away = directory.path + "/away"
        try FileManager.default.moveItem(atPath: directory.database, toPath: away)
        try FileManager.default.moveItem(atPath: copy, toPath: directory.database)
        vault.lock()
        #expect(try vault.unlock(.key()).findings.map(\.code) == ["rollback"])
        #expect(try vault.repair(at: .at(), takesOlder: true).after.isIntact && vault.counts?.credentials == 1)
        // And the one that was moved away has all that was in its log.
        #expect(try credentials(in: away) == 61)
    }

    @Test("A file that is no vault and replaces a locked one is reported, and the vault is found again when it is back")
    func noVault() throws {
        try vault.writers.credentials.save("shop.example", "ann", "secret")
        vault.lock()
        let away = directory.path + "/away"
        try FileManager.default.moveItem(atPath: directory.database, toPath: away)
        try Data("no vault".utf8).write(to: URL(fileURLWithPath: directory.database))
        #expect(failure { try vault.unlock(.key()) } == .notAVault(path: directory.database))
        #expect(vault.state == .missing)
        try FileManager.default.removeItem(atPath: directory.database)
        try FileManager.default.moveItem(atPath: away, toPath: directory.database)
        try vault.openIfThere()
        try vault.unlock(.key())
        #expect(try vault.password("shop.example", "ann") == "secret")
    }

    @Test("A locked vault is restored into, and one that cannot be stays closed and locked")
    func restored() throws {
        try vault.writers.credentials.save("shop.example", "ann", "former")
        let backup = directory.path + "/b.sqlite"
        _ = try vault.backups.make(at: backup, at: .at())
        try vault.writers.credentials.save("shop.example", "ann", "present")
        vault.lock()
        let outcome = try vault.restoreAttempt(from: backup, secret: .key()).derive()
        #expect(failure { _ = try vault.restore(from: directory.path + "/no", with: outcome) } != nil)
        #expect(vault.state == .locked)
        #expect(try names() == Self.atRest)
        #expect(failure { _ = try Vault.open(directory.vault) } == .held(processID: getpid(), program: "tests"))
        let kept = try #require(try vault.restore(from: backup, with: outcome).replaced)
        #expect(try vault.password("shop.example", "ann") == "former")
        _ = try vault.restore(from: kept, with: outcome)
        #expect(try vault.password("shop.example", "ann") == "present")
    }

    /// attacks.md, the vault, 8
    @Test("The wrapped key of a slot that was changed or removed is in no file any more")
    func wrappedKeys() throws {
        let second = try vault.slots.add(.test(.key(8), seed: 8), at: .at())
        // Counted failures write a slot's row again.
        vault.lock()
        #expect(failure { try vault.unlock(.key(9)) } != nil)
        try vault.unlock(.key(), at: .at(1000))
        func wrapped(_ id: Slot.ID) throws -> Data {
            Data(try #require(try vault.file.slotRows().first { $0.id == id }).wrapped)
        }
        func holders(of bytes: Data) throws -> [String] {
            try names().filter { name in
                let content = FileManager.default.contents(atPath: directory.vaultPath + "/" + name)
                return content?.range(of: bytes) != nil
            }
        }
        let (first, former) = (try wrapped(1), try wrapped(second))
        #expect(try !holders(of: first).isEmpty && !holders(of: former).isEmpty)
        _ = try vault.slots.change(second, to: .test(.key(10), seed: 10), at: .at())
        #expect(try holders(of: former).isEmpty)
        let latter = try wrapped(second)
        #expect(try !holders(of: latter).isEmpty)
        _ = try vault.slots.remove(second)
        #expect(try holders(of: latter).isEmpty)
        try vault.rekey([.test(.key(11), seed: 11)], at: .at())
        #expect(try holders(of: first).isEmpty)
    }

    /// attacks.md, the vault, 12
    @Test("The next start removes what a killed daemon has left of a restore, and the vault is complete")
    func killedRestore() throws {
        try vault.writers.credentials.save("shop.example", "ann", "secret")
        vault.close()
        for suffix in ["", "-wal", "-journal"] {
            try Data("half".utf8).write(to: URL(fileURLWithPath: directory.database + ".new" + suffix))
        }
        // The vault was being put aside: it has a second name, and its record's log has only that one.
        let kept = try VaultDirectory(path: directory.vaultPath).putAside(directory.database)
        let releases = directory.vaultPath + "/vault.releases"
        try FileManager.default.moveItem(atPath: releases, toPath: kept + ".releases")
        // One that was put aside long ago is no part of this.
        let former = directory.vaultPath + "/replaced/vault-9.sqlite"
        try Data("former".utf8).write(to: URL(fileURLWithPath: former))

        let again = try Vault.open(directory.vault)
        #expect(try names() == (["replaced"] + Self.atRest).sorted())
        #expect(try names(directory.vaultPath + "/replaced") == ["vault-9.sqlite"])
        try again.unlock(.key())
        #expect(try again.password("shop.example", "ann") == "secret")
    }

    @Test("The vault's next backup removes an unfinished one of a killed daemon beside it, and no other daemon's")
    func killedBackup() throws {
        let folder = directory.path + "/mine"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let owner = try #require(PartialBackup.owner(VaultDirectory(path: directory.vaultPath)))
        let (own, other) = (PartialBackup.name(madeBy: owner), PartialBackup.name(madeBy: owner ^ 1))
        #expect(PartialBackup.isOne(own) && PartialBackup.isOne(other))
        #expect(PartialBackup.isOne(PartialBackup.name(madeBy: nil)))
        for name in [own, other] { try Data("half".utf8).write(to: URL(fileURLWithPath: folder + "/" + name)) }
        _ = try vault.backups.make(at: folder + "/b", at: .at())
        #expect(try names(folder) == [other, "b"])
    }
}
