// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

/// The manifest that is in memory, and what was compared with it, describe one file. (attacks.md, the vault, 2)
@Suite("A file that the unlocked vault does not describe")
struct OtherFileTests {
    private let directory: TemporaryDirectory
    private let home: VaultDirectory
    private let vault: Vault
    /// An older copy of the vault.
    private let copy: String

    init() throws {
        directory = try TemporaryDirectory()
        home = VaultDirectory(path: directory.vaultPath)
        copy = directory.path + "/copy"
        vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "older")
        _ = try vault.backups.make(at: copy, at: .at())
        try vault.writers.credentials.save("shop.example", "ann", "newer")
    }

    /// What a repair does once it has copied all rows into a new file.
    private func exchange() throws {
        try FileManager.default.copyItem(atPath: copy, toPath: home.draft)
        _ = try BackupRestore(vault).exchange(home, withReleases: false)
    }

    private func putOlder() throws {
        try #require(remove(home.database) == 0)
        try FileManager.default.copyItem(atPath: copy, toPath: home.database)
    }

    private func expectRollback() throws {
        #expect(vault.state == .locked && vault.counts == nil)
        #expect(failure { _ = try vault.password("shop.example", "ann") } == .locked)
        #expect(try vault.unlock(.key()).findings.map(\.code) == ["rollback"])
        #expect(failure { _ = try vault.password("shop.example", "ann") } == .outdated)
    }

    @Test("An older copy that is put where an exchange has left no vault is not read with the former manifest")
    func notOpened() throws {
        try FileManager.default.moveItem(atPath: home.database, toPath: directory.path + "/away")
        try FileManager.default.createDirectory(atPath: home.database, withIntermediateDirectories: false)
        #expect(failure { try exchange() } != nil)
        #expect(vault.state == .missing && vault.counts == nil)
        #expect(failure { _ = try vault.password("shop.example", "ann") } == .missing)
        try putOlder()
        try vault.openIfThere()
        try expectRollback()
    }

    @Test("An older copy that was put there before an exchange failed is not read with the former manifest")
    func anotherOpened() throws {
        try putOlder()
        try Data().write(to: URL(fileURLWithPath: home.replaced))
        #expect(failure { try exchange() } != nil)
        #expect(vault.state == .missing)
        try FileManager.default.removeItem(atPath: home.replaced)
        try vault.openIfThere()
        try expectRollback()
    }

    @Test("After an exchange that failed and has changed nothing the vault is unlocked as before")
    func sameOpened() throws {
        try Data().write(to: URL(fileURLWithPath: home.replaced))
        #expect(failure { try exchange() } != nil)
        #expect(try vault.state == .unlocked && vault.password("shop.example", "ann") == "newer")
        try vault.writers.credentials.save("shop.example", "ann", "newest")
        #expect(try vault.check().isIntact)
    }

    @Test("A frozen vault reads no other file that is put at its path")
    func frozen() throws {
        let frozen = try #require(try vault.freeze())
        try putOlder()
        let path = directory.path + "/b.sqlite"
        #expect(failure { _ = try frozen.copy(to: path, VaultProgress()) } == .replaced(path: home.database))
        #expect(failure { _ = try frozen.check(VaultProgress()) } == .replaced(path: home.database))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("What was read of a frozen vault is not used where another file is at its path by then")
    func exchangedWhileRead() throws {
        let frozen = try #require(try vault.freeze())
        var isExchanged = false
        let refused = failure {
            try frozen.eachCredential(VaultProgress()) { _ in
                isExchanged = (try? putOlder()) != nil
                return true
            }
        }
        #expect(isExchanged && refused == .replaced(path: home.database))
    }

    @Test("A connection reports that the path names another file than its own, or none, and only then")
    func moved() throws {
        let (other, away) = (directory.path + "/other", directory.path + "/away")
        try FileManager.default.copyItem(atPath: copy, toPath: other)
        let seen = try VaultSnapshot.read(copy) { snapshot throws(VaultError) -> [Bool] in
            var seen = [snapshot.connection.hasMoved]
            for (from, to) in [(copy, away), (other, copy), (away, copy)] {
                seen.append(rename(from, to) == 0 && snapshot.connection.hasMoved)
            }
            return seen
        }
        #expect(seen == [false, true, true, false])
    }

    @Test(
        "Where a repair has copied an older row into a new file, and cannot go on, that row is not returned and the vault opens",
        arguments: [false, true], [false, true])
    func copyNotRepaired(losesSlots: Bool, isLocked: Bool) throws {
        for number in 0..<100 { try vault.writers.credentials.save("d\(number).example", "ann", "p") }
        vault.close()
        var older = try Data(contentsOf: URL(fileURLWithPath: home.database))
        let again = try Vault.unlocked(directory.vault)
        let id = try again.writers.credentials.save("shop.example", "ann", "newest").id
        again.close()
        let open = try Vault.unlocked(directory.vault, seed: 3)
        #expect(try open.password("shop.example", "ann") == "newest")
        let sealed = try open.file.openDatabase.statements.records.byID.first(key: id.stored) {
            row throws(VaultError) in row.copy(3)
        }
        // The page with the row is damaged, and pages of an older file follow. Slots are on the first page of their table.
        let slots = try open.file.openDatabase.access { connection throws(VaultError) in
            try SQLStatement("SELECT rootpage FROM sqlite_schema WHERE name = 'slot'", on: connection).first {
                row in row.integer(0)
            }
        }
        let slotPage = (Int(try #require(slots)) - 1) * 4096
        let damage = Data(repeating: 0xA5, count: 4096)
        if losesSlots { older.replaceSubrange(slotPage..<slotPage + 4096, with: damage) }
        let content = try Data(contentsOf: URL(fileURLWithPath: home.database))
        let row = Data(try #require(sealed))
        let place = try #require(content.range(of: row)?.lowerBound)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: home.database))
        try file.seek(toOffset: UInt64(place / 4096 * 4096))
        try file.write(contentsOf: damage)
        if losesSlots {
            try file.seek(toOffset: UInt64(slotPage))
            try file.write(contentsOf: damage)
        }
        try file.seekToEnd()
        try file.write(contentsOf: older)
        try file.close()
        // It draws no random number before it writes the manifest.
        open.store.entropy = WatchedEntropy(seed: 11) { [file = open.file] in
            try? file.database?.access { connection throws(VaultError) in
                try connection.run("PRAGMA query_only = ON")
            }
        }
        let report = try open.repair()
        #expect(report.replaced != nil && report.quarantined == 0 && !report.after.isIntact)
        open.store.entropy = SeededGenerator(seed: 12)
        #expect(open.state == .unlocked)
        try open.file.openDatabase.access { connection throws(VaultError) in
            try connection.run("PRAGMA query_only = OFF")
        }
        if isLocked {
            open.lock()
            #expect(try !open.unlock(.key()).findings.isEmpty)
        }
        #expect(failure { _ = try open.password("shop.example", "ann") } == .recordDamaged(id))
        #expect(try open.repair().after.isIntact)
    }
}
