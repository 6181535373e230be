// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

@Suite("A vault whose folder is removed while the daemon runs")
struct LostFolderTests {
    private let home: TemporaryDirectory
    private let backup: String
    private let vault: Vault

    init() throws {
        home = try TemporaryDirectory()
        backup = home.path + "/b.sqlite"
        vault = try Vault.new(home.vault)
        try vault.writers.credentials.save("shop.example", "ann", "former")
        _ = try vault.backups.make(at: backup, at: .at())
        try vault.writers.credentials.save("shop.example", "ann", "present")
        try vault.releases.append(.test(1))
        try vault.releases.commit()
    }

    @Test(
        "A restore makes it again, locked or unlocked, and keeps the open vault that no path named any more",
        arguments: [true, false])
    func restored(_ isLocked: Bool) throws {
        if isLocked { vault.lock() }
        try FileManager.default.removeItem(atPath: home.vaultPath)
        let outcome = try vault.restoreAttempt(from: backup, secret: .key()).derive()
        let report = try vault.restore(from: backup, with: outcome)
        #expect(try vault.state == .unlocked && vault.password("shop.example", "ann") == "former")
        try vault.writers.credentials.save("shop.example", "bob", "later")
        // Another daemon is kept out again.
        #expect(failure { _ = try Vault.open(home.vault) }.map { if case .held = $0 { true } else { false } } == true)
        vault.close()
        #expect(try Vault.unlocked(home.vault, seed: 4).password("shop.example", "bob") == "later")
        guard !isLocked else { return #expect(report.replaced == nil) }
        let kept = try #require(report.replaced)
        let elsewhere = try TemporaryDirectory()
        let other = try Vault.open(elsewhere.vault, seed: 5)
        _ = try other.salvage(
            from: kept, with: try other.salvageAttempt(from: kept, secret: .key()).derive(), at: .at(3))
        #expect(try other.password("shop.example", "ann") == "present")
        #expect(try other.readers.releases.page(before: nil, limit: 9).elements.map(\.number) == [1])
    }

    @Test("A restore that is refused leaves no content in the folder, and the open vault stays open")
    func refused() throws {
        try FileManager.default.removeItem(atPath: home.vaultPath)
        let outcome = try vault.restoreAttempt(from: backup, secret: .key()).derive()
        try Data(repeating: 0x55, count: 8192).write(to: URL(fileURLWithPath: backup))
        #expect(failure { _ = try vault.restore(from: backup, with: outcome) } != nil)
        #expect(try vault.password("shop.example", "ann") == "present")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.vaultPath) == ["vault.lock"])
    }
}
