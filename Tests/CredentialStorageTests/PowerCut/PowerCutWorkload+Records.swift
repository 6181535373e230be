// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// A vault from its first file on, and what is written to it.
extension PowerCutWorkload {
    func creation(_ recorder: DiskRecorder) throws -> RecordedVault {
        let home = try TemporaryDirectory()
        let recorded = try RecordedVault(recorder, home, Vault.open(home.vault), openedBy: [7])
        try recorded.step("key file") { disk in
            var entropy = SeededGenerator(seed: 4)
            let key = try KeyFile.create(home.path + "/key", using: &entropy)
            disk.files["key"] = key.withUnsafeBytes { Array($0) }
        }
        try recorded.step("create") { _ in try recorded.vault.create([.test()], at: .at()) }
        try recorded.step("save") { _ in try recorded.vault.writers.credentials.save("shop.example", "ann", "first") }
        try recorded.step("close") { _ in recorded.vault.close() }
        try recorded.step("open") { _ in recorded.vault = try Vault.unlocked(home.vault) }
        try recorded.step("save again") { _ in
            try recorded.vault.writers.credentials.save("shop.example", "ann", "second")
        }
        return recorded
    }

    func records(_ recorder: DiskRecorder) throws -> RecordedVault {
        let home = try TemporaryDirectory()
        let vault = try Vault.new(home.vault)
        let kept = try vault.writers.credentials.save("shop.example", "ann", "p").id
        let deleted = try vault.writers.credentials.save("other.example", "ann", "p").id
        let recorded = try RecordedVault(recorder, home, vault)
        try recorded.step("update") { _ in
            _ = try vault.writers.credentials.update(kept, at: .at(1)) { $0.password = SecretBytes(utf8: "q") }
        }
        try recorded.step("delete") { _ in _ = try vault.writers.credentials.delete(deleted, at: .at(2)) }
        try recorded.step("undelete") { _ in _ = try vault.writers.credentials.undelete(deleted, at: .at(3)) }
        try recorded.step("item") { _ in
            _ = try vault.setItem(
                accessGroup: "g", service: "s", account: "a", data: SecretBytes(utf8: "data"), at: .at(4))
        }
        try recorded.step("offer") { _ in try vault.writers.offers.insert(.test(1)) }
        try recorded.step("accept") { _ in
            _ = try vault.writers.offers.accept(Offer.test(1).id, user: "bob", writer: .shop, at: .at(5))
        }
        try recorded.step("many") { _ in try vault.writers.credentials.insert(Credential.many(60)) }
        try recorded.step("write back") { _ in
            try vault.file.openDatabase.access { connection throws(VaultError) in
                try connection.run("PRAGMA wal_checkpoint(PASSIVE)")
            }
        }
        try recorded.step("setting") { _ in
            try vault.writers.settings.set("name", to: SecretBytes(utf8: "value"), at: .at(6))
        }
        try recorded.step("write back and empty") { _ in try vault.emptyLog() }
        try recorded.step("save") { _ in try vault.writers.credentials.save("shop.example", "eve", "p") }
        try recorded.step("lock") { _ in vault.lock() }
        try recorded.step("unlock") { _ in try vault.unlock(.key(), at: .at(8)) }
        try recorded.step("save again") { _ in try vault.writers.credentials.save("shop.example", "eve", "q") }
        return recorded
    }

    func releases(_ recorder: DiskRecorder) throws -> RecordedVault {
        let home = try TemporaryDirectory()
        let vault = try Vault.new(home.vault)
        try vault.writers.credentials.save("shop.example", "ann", "p")
        vault.lock()
        try vault.unlock(.key())
        let recorded = try RecordedVault(recorder, home, vault)
        var number: Int64 = 0
        func release(_ count: Int = 1) throws {
            for _ in 0..<count {
                number += 1
                try vault.releases.append(.test(number))
                try vault.releases.commit()
            }
        }
        try recorded.step("release") { _ in try release() }
        try recorded.step("sync by another thread", keepsReleases: true) { _ in
            let sync = try #require(try vault.releases.store(at: .at(1)))
            try sync.run()
            vault.releases.finish(sync)
        }
        try recorded.step("releases") { _ in try release(5) }
        try recorded.step("store without sync") { _ in _ = try vault.releases.store(at: .at(2)) }
        try recorded.step("sync of what is stored", keepsReleases: true) { _ in try vault.releases.sync(at: .at(2)) }
        try recorded.step("one more") { _ in try release() }
        try recorded.step("store without sync again") { _ in _ = try vault.releases.store(at: .at(3)) }
        try recorded.step("save", keepsReleases: true) { _ in
            try vault.writers.credentials.save("shop.example", "ann", "q", at: .at(3))
        }
        try recorded.step("more than the file holds") { _ in try release(700) }
        try recorded.step("sync", keepsReleases: true) { _ in try vault.releases.sync(at: .at(4)) }
        try recorded.step("another") { _ in try release() }
        try recorded.step("lock") { _ in vault.lock() }
        try recorded.step("unlock") { _ in try vault.unlock(.key(), at: .at(6)) }
        try recorded.step("the last") { _ in try release() }
        // Nothing is written to a database that was moved away.
        try recorded.step("close what was moved away", isAtomic: false) { _ in
            rename(home.database, home.database + ".moved")
            vault.close()
            rename(home.database + ".moved", home.database)
            try VaultDirectory(path: home.vaultPath).synchronize()
        }
        return recorded
    }

    /// A process that is killed, and another one that continues.
    func kill(_ recorder: DiskRecorder) throws -> RecordedVault {
        let home = try TemporaryDirectory()
        let vault = try Vault.new(home.vault)
        try vault.writers.credentials.save("shop.example", "ann", "p")
        let recorded = try RecordedVault(recorder, home, vault)
        try recorded.step("releases") { _ in
            for number in 1...3 as ClosedRange<Int64> { try vault.releases.append(.test(number)) }
            try vault.releases.commit()
        }
        try recorded.step("store without sync") { _ in _ = try vault.releases.store(at: .at(1)) }
        try recorded.kill()
        try recorded.step("open") { _ in recorded.vault = try Vault.unlocked(home.vault, seed: 3) }
        try recorded.step("release") { _ in
            try recorded.vault.releases.append(.test(4))
            try recorded.vault.releases.commit()
        }
        try recorded.kill()
        try recorded.step("open again") { _ in recorded.vault = try Vault.unlocked(home.vault, seed: 4) }
        try recorded.step("save") { _ in
            try recorded.vault.writers.credentials.save("shop.example", "ann", "q", at: .at(5))
        }
        return recorded
    }
}
