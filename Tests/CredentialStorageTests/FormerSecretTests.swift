// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

/// attacks.md, the vault, 6
@Suite("What former secrets still open")
struct FormerSecretTests {
    @Test(
        "A rekey names every file that the former secret opens: beside the vault, put aside, and made before a restore")
    func named() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "p")
        let (first, later) = (directory.path + "/first.sqlite", directory.path + "/later.sqlite")
        _ = try vault.backups.make(at: first, at: .at())
        _ = try vault.backups.make(at: later, at: .at(1))
        _ = try vault.backups.makeIfDue(keeping: 3, at: .at(2))
        let automatic = try #require(vault.backups.automatic.first)
        let outcome = try vault.restoreAttempt(from: first, secret: .key()).derive()
        // The one that is restored has neither: only the vault that it replaced has them.
        let replaced = try #require(try vault.restore(from: first, with: outcome).replaced)
        #expect(try vault.backups.list().map(\.path) == [automatic])
        let (draft, damaged) = (directory.database + ".new", directory.vaultPath + "/backups/old.sqlite")
        try FileManager.default.copyItem(atPath: later, toPath: draft)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: later))
        bytes.replaceSubrange(0..<100, with: Data(count: 100))
        try bytes.write(to: URL(fileURLWithPath: damaged))
        // Another vault's is nobody's business.
        let other = try TemporaryDirectory()
        let foreign = try Vault.open(other.vault, seed: 9)
        try foreign.create([.test(.key(3), seed: 7)], at: .at())
        _ = try foreign.backups.make(at: directory.vaultPath + "/backups/foreign.sqlite", at: .at())

        let described = try vault.rekey([.test(.key(40))], at: .at(4)).found
        #expect(Set(described) == [first, later, automatic, replaced, draft, damaged])
        #expect(described == described.sorted())
    }
    @Test("A backup elsewhere is not read with the vault in use, and one that cannot be read is no other's")
    func elsewhere() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let names = ["gone", "here", "link"].map { directory.path + "/" + $0 }
        for (number, name) in names.enumerated() { _ = try vault.backups.make(at: name, at: .at(Int64(number))) }
        let automatic = try #require(try vault.backups.makeIfDue(keeping: 3, at: .at(3)))
        let former = try vault.slots.change(1, to: .test(.key(9), seed: 2), at: .at(4))
        try FileManager.default.removeItem(atPath: names[0])
        try FileManager.default.removeItem(atPath: names[2])
        // stat(2) fails with ELOOP, as it does with EIO on a disk that fails.
        try FileManager.default.createSymbolicLink(atPath: names[2], withDestinationPath: names[2])
        #expect(former.opened == [automatic.path] && former.unread.isEmpty && former.elsewhere == names)
        #expect(names.map { former.opens($0) } == [false, true, nil])
    }
}

extension FormerBackups {
    /// All that the secrets open, wherever it is.
    var found: [String] { (opened + elsewhere.filter { opens($0) == true }).sorted() }
}
