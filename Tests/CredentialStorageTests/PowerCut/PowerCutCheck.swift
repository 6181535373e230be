// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

/// Opens what a power cut left with the real code.
struct PowerCutCheck {
    /// The keys that may open it, or may not.
    let keys: [UInt8]
    /// Those of an intact vault that is closed.
    private static let names = ["backups", "replaced", "vault.lock", "vault.releases", "vault.sqlite"]

    /// Why what is in a folder is nothing that is allowed; nil: it is.
    func fault(in home: TemporaryDirectory, _ cut: PowerCut) throws -> String? {
        let found: ExpectedVault?
        do { found = try read(home) } catch { return "the vault: \(error)" }
        var faults: [String] = []
        // What was before comes first: it promises less.
        for disk in cut.allowed {
            if let fault = try fault(of: found, disk, in: home, cut) { faults.append(fault) } else { return nil }
        }
        return faults.joined(separator: "; or ")
    }

    private func fault(
        of found: ExpectedVault?, _ disk: ExpectedDisk, in home: TemporaryDirectory, _ cut: PowerCut
    ) throws -> String? {
        if let found {
            guard let vault = disk.vault else { return "a vault instead of none" }
            if let difference = vault.difference(to: found) { return difference }
            let left = Set(VaultDirectory.names(in: home.vaultPath)).subtracting(Self.names)
            if !left.isEmpty { return "left: \(left.sorted())" }
        } else if disk.vault != nil {
            return "no vault"
        }
        for (name, content) in disk.files
        where FileManager.default.contents(atPath: home.path + "/" + name) != Data(content) {
            return "\(name) is not as it was written"
        }
        for (name, target) in disk.links
        where (try? FileManager.default.destinationOfSymbolicLink(atPath: home.path + "/" + name)) != target {
            return "\(name) does not lead to \(target)"
        }
        for (name, expected) in disk.copies where cut.step.after.copies[name] != nil {
            do {
                let copy = try copied(home.path + "/" + name)
                guard let found = try read(copy, isCopy: true) else { return "\(name) is no vault" }
                if let difference = expected.difference(to: found) { return "\(name) has \(difference)" }
            } catch { return "\(name): \(error)" }
        }
        return nil
    }

    /// A backup, or a replaced vault with what belongs to it, as a vault of its own.
    private func copied(_ path: String) throws -> TemporaryDirectory {
        let home = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: home.vaultPath, withIntermediateDirectories: true)
        for (suffix, name) in [("", "vault.sqlite"), ("-wal", "vault.sqlite-wal"), (".releases", "vault.releases")] {
            guard suffix.isEmpty || FileManager.default.fileExists(atPath: path + suffix) else { continue }
            // The content also where it is a link.
            try Data(contentsOf: URL(filePath: path + suffix)).write(to: URL(filePath: home.vaultPath + "/" + name))
        }
        return home
    }

    /// What is in a vault, by all ways there are to read it, and whether it can be changed afterwards; nil where there is none.
    private func read(_ home: TemporaryDirectory, isCopy: Bool = false) throws -> ExpectedVault? {
        let vault = try Vault.open(home.vault, seed: 5)
        guard vault.state != .missing else { return nil }
        defer { vault.close() }
        var (found, clock): (ExpectedVault?, Int64) = (nil, 0)
        var opening: [UInt8] = []
        var missing: Set<VaultFinding> = []
        for key in keys {
            // A wrong one is waited for.
            clock += 100_000
            do {
                let report = try vault.unlock(.key(key), at: .at(clock))
                opening.append(key)
                let all = try report.findings + vault.check().findings
                missing.formUnion(all.filter { $0.missingReleases != nil })
                let findings = all.filter { $0.missingReleases == nil }
                if isCopy, Set(findings) == [.unmarked] {
                    // It is without the mark that is beside the vault: the user accepts it as it is.
                    guard try vault.repair(at: .at(clock), takesOlder: true).after.isIntact else {
                        throw Damage(findings: findings)
                    }
                } else if !findings.isEmpty {
                    throw Damage(findings: findings)
                }
                let present = try ExpectedVault(of: vault, keys: [])
                if let found, present != found { throw Damage(findings: []) }
                found = present
                vault.lock()
            } catch VaultError.wrongSecret {}
        }
        guard let key = opening.first else { throw VaultError.noSuchSlot }
        found?.keys = opening
        found?.missing = missing.compactMap(\.missingReleases)
        try change(vault, .key(key), missing, at: clock + 100_000)
        return found
    }

    private func change(
        _ vault: Vault, _ key: VaultSecret, _ missing: Set<VaultFinding>, at clock: Int64
    ) throws {
        try vault.unlock(key, at: .at(clock))
        _ = try vault.migrate(at: .at(clock))
        try vault.releases.append(.test(clock))
        try vault.releases.commit()
        try vault.writers.credentials.save("afterwards.example", "ann", "new", at: .at(clock))
        vault.lock()
        let findings = try vault.unlock(key, at: .at(clock)).findings + vault.check().findings
        guard missing.isSuperset(of: findings), try vault.password("afterwards.example", "ann") == "new" else {
            throw Damage(findings: findings)
        }
    }

    struct Damage: Error { let findings: [VaultFinding] }
}

extension VaultFinding {
    /// The releases that it reports as missing: a power cut may lose those that were not synced.
    fileprivate var missingReleases: ClosedRange<UInt64>? {
        if case .releases(let first, let last) = self, first <= last { first...last } else { nil }
    }
}
