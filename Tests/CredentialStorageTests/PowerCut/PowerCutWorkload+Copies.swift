// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

/// Copies of a vault, and what replaces it by one.
extension PowerCutWorkload {
    func backups(_ recorder: DiskRecorder) throws -> RecordedVault {
        let home = try TemporaryDirectory()
        let vault = try Vault.new(home.vault)
        try vault.writers.credentials.save("shop.example", "ann", "p")
        try vault.releases.append(.test(1))
        try vault.releases.commit()
        let recorded = try RecordedVault(recorder, home, vault)
        let day: Int64 = 86_400_000
        try recorded.step("backup", keepsReleases: true) { disk in
            _ = try vault.backups.make(at: home.path + "/b.sqlite", at: .at())
            disk.copies["b.sqlite"] = disk.vault?.synced
        }
        for number in 1...3 as ClosedRange<Int64> {
            try recorded.step("save \(number)") { _ in
                try vault.writers.credentials.save("shop.example", "ann", "p\(number)", at: .at(number * day))
            }
            try recorded.step("automatic backup \(number)") { disk in
                let report = try #require(try vault.backups.makeIfDue(keeping: 2, at: .at(number * day)))
                disk.copies[recorded.name(report.path)] = disk.vault?.synced
                if number == 3 { disk.copies[recorded.name(report.path).replacing("3", with: "1")] = nil }
            }
        }
        return recorded
    }

    func imports(_ recorder: DiskRecorder) throws -> RecordedVault {
        let home = try TemporaryDirectory()
        let vault = try Vault.new(home.vault)
        try vault.writers.credentials.save("d0.example", "ann", "saved")
        let recorded = try RecordedVault(recorder, home, vault)
        try recorded.step("import") { _ in try vault.commit(ImportEntry.many(80), at: 1) }
        try recorded.step("save") { _ in
            try vault.writers.credentials.save("d1.example", "ann", "since", at: .at(2))
        }
        try recorded.step("undo") { _ in
            let reverted = try #require(try vault.revert(at: 3))
            #expect(reverted.removed == 78 && reverted.restored == 1 && reverted.kept == 1)
        }
        return recorded
    }

    func restore(_ recorder: DiskRecorder, hasLinks: Bool) throws -> RecordedVault {
        let home = try TemporaryDirectory()
        let (vault, backup) = try Self.former(in: home)
        let recorded = try RecordedVault(recorder, home, vault)
        recorder.refuseLinks(!hasLinks)
        defer { recorder.refuseLinks(false) }
        func restore(_ path: String, _ disk: inout ExpectedDisk) throws -> String {
            let outcome = try vault.restoreAttempt(from: path, secret: .key()).derive()
            let kept = try #require(try vault.restore(from: path, with: outcome).replaced)
            disk.copies[recorded.name(kept)] = disk.vault?.synced
            return kept
        }
        var kept = ""
        try recorded.step("restore", keepsReleases: true) { disk in kept = try restore(backup, &disk) }
        try recorded.step("save") { _ in
            try vault.writers.credentials.save("shop.example", "ann", "after", at: .at(2))
        }
        try recorded.step("release") { _ in
            try vault.releases.append(.test(3))
            try vault.releases.commit()
        }
        try recorded.step("restore what was replaced", keepsReleases: true) { disk in
            _ = try restore(kept, &disk)
        }
        try recorded.step("lock") { _ in vault.lock() }
        try recorded.step("restore while locked", keepsReleases: true) { disk in _ = try restore(backup, &disk) }
        try recorded.step("save again") { _ in
            try vault.writers.credentials.save("shop.example", "ann", "again", at: .at(7))
        }
        return recorded
    }

    func lostVault(_ recorder: DiskRecorder) throws -> RecordedVault {
        let home = try TemporaryDirectory()
        let (vault, backup) = try Self.former(in: home)
        let present = try ExpectedVault(of: vault, keys: [7])
        let recorded = try RecordedVault(recorder, home, vault)
        let folder = VaultDirectory(path: home.vaultPath)
        var lost = false
        try recorded.step("loss and restore", keepsReleases: true, isAtomic: false) { disk in
            for name in VaultDirectory.names(in: folder.path) { unlink(folder.path + "/" + name) }
            rmdir(folder.path)
            lost = !VaultDirectory.exists(folder.path)
            try VaultDirectory.synchronize(VaultDirectory.parent(of: folder.path))
            let outcome = try vault.restoreAttempt(from: backup, secret: .key()).derive()
            let kept = try #require(try vault.restore(from: backup, with: outcome).replaced)
            disk.copies[recorded.name(kept)] = present.synced
        }
        try #require(lost)
        try recorded.step("save") { _ in
            try vault.writers.credentials.save("shop.example", "ann", "after", at: .at(2))
        }
        return recorded
    }

    /// A releases file that cannot be opened, as it is a symbolic link.
    func movedReleases(_ recorder: DiskRecorder) throws -> RecordedVault {
        let home = try TemporaryDirectory()
        let (former, backup) = try Self.former(in: home)
        former.lock()
        try former.unlock(.key())
        let present = try ExpectedVault(of: former, keys: [7])
        former.close()
        let (path, elsewhere) = (home.vaultPath + "/vault.releases", home.path + "/elsewhere")
        try FileManager.default.moveItem(atPath: path, toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
        let vault = try Vault.open(home.vault, seed: 3)
        let outcome = try vault.restoreAttempt(from: backup, secret: .key()).derive()
        let recorded = try RecordedVault(recorder, home, vault)
        try recorded.step("restore", keepsReleases: true, isAtomic: false) { disk in
            let kept = try #require(try vault.restore(from: backup, with: outcome).replaced)
            disk.copies[recorded.name(kept)] = present
            disk.links[recorded.name(kept) + ".releases"] = elsewhere
        }
        try recorded.step("save") { _ in
            try vault.writers.credentials.save("shop.example", "ann", "after", at: .at(2))
        }
        return recorded
    }

    func salvage(_ recorder: DiskRecorder) throws -> RecordedVault {
        let home = try TemporaryDirectory()
        let (vault, backup) = try Self.former(in: home)
        let recorded = try RecordedVault(recorder, home, vault)
        let outcome = try vault.salvageAttempt(from: backup, secret: .key()).derive()
        try recorded.step("salvage elsewhere") { disk in
            _ = try vault.salvage(from: backup, with: outcome, to: home.path + "/salvaged.sqlite", at: .at(1))
            disk.copies["salvaged.sqlite"] = nil
        }
        try recorded.step("salvage", keepsReleases: true) { disk in
            let kept = try #require(try vault.salvage(from: backup, with: outcome, at: .at(2)).replaced)
            disk.copies[recorded.name(kept)] = disk.vault?.synced
        }
        return recorded
    }
}
