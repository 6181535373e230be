// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// What changes the keys of a vault, or all that they seal.
extension PowerCutWorkload {
    func slots(_ recorder: DiskRecorder) throws -> RecordedVault {
        let home = try TemporaryDirectory()
        let vault = try Self.former(in: home).vault
        let recorded = try RecordedVault(recorder, home, vault, openedBy: [7], ofAll: [7, 8, 9])
        try recorded.step("add", keys: [7, 8]) { _ in
            _ = try vault.slots.add(.test(.key(8), seed: 8), at: .at(1))
        }
        try recorded.step("change", keys: [8, 9]) { _ in
            _ = try vault.slots.change(1, to: .test(.key(9), seed: 9), at: .at(2))
        }
        try recorded.step("remove", keys: [9]) { _ in _ = try vault.slots.remove(2) }
        try recorded.step("lock") { _ in vault.lock() }
        return recorded
    }

    func rekey(_ recorder: DiskRecorder) throws -> RecordedVault {
        let home = try TemporaryDirectory()
        let vault = try Self.former(in: home).vault
        let recorded = try RecordedVault(recorder, home, vault, openedBy: [7], ofAll: [7, 9])
        try recorded.step("rekey", keys: [9], keepsReleases: true) { _ in
            try vault.rekey([.test(.key(9), seed: 9)], at: .at(1))
        }
        try recorded.step("release") { _ in
            try vault.releases.append(.test(2))
            try vault.releases.commit()
        }
        try recorded.step("save") { _ in
            try vault.writers.credentials.save("shop.example", "ann", "after", at: .at(3))
        }
        try recorded.step("lock") { _ in vault.lock() }
        return recorded
    }

    /// Of a vault of the first format.
    func migration(_ recorder: DiskRecorder) throws -> RecordedVault {
        let home = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: home.vaultPath, withIntermediateDirectories: true)
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures").path
        for ending in ["sqlite", "releases"] {
            try FileManager.default.copyItem(
                atPath: "\(fixtures)/vault-1-last.\(ending)", toPath: "\(home.vaultPath)/vault.\(ending)")
        }
        let vault = try Vault.open(home.vault, seed: 8)
        try vault.unlock(.key())
        let recorded = try RecordedVault(recorder, home, vault)
        try recorded.step("migrate", keepsReleases: true) { disk in
            let report = try #require(try vault.migrate(at: .at(1)))
            disk.copies[recorded.name(report.backup)] = disk.vault?.synced
        }
        try recorded.step("save") { _ in
            try vault.writers.credentials.save("shop.example", "ann", "after", at: .at(2))
        }
        return recorded
    }
}
