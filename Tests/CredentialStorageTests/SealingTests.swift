// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

@Suite("What the rows of a vault show and bind")
struct SealingTests {
    /// attacks.md, the vault, 15
    @Test("Equal accounts in two scopes have nothing in common in the file; in the first format they had")
    func scopes() throws {
        let groups = [("group", "service"), ("group", "other"), ("another", "service")]
        func indexes(_ key: KeyedHash) -> [BlindIndex] {
            groups.map { Item.blindIndex(accessGroup: $0, place: .init(service: $1, account: "ann"), key: key) }
                + groups.map { Verifier.blindIndex(accessGroup: $0, service: $1, account: "ann", key: key) }
                + ["a.example", "b.example"].map {
                    Grant.blindIndex(subject: .shop, service: .domain($0), key: key)
                }
        }
        let vaultKey = SecretBytes(copying: 0..<32, count: 32)
        let present = indexes(VaultKeys(vaultKey: vaultKey).index)
        #expect(Set(present.map(\.name)).count == 8 && Set(present.map(\.scope)).count == 8)
        let former = indexes(VaultKeys(vaultKey: vaultKey, format: .first).index)
        #expect(Set(former.map(\.name)).count == 3 && Set(former.map(\.scope)).count == 8)
        // The rows are found under them.
        let vault = try Vault.new()
        for (group, service) in groups {
            let data = SecretBytes(utf8: group + service)
            _ = try vault.setItem(accessGroup: group, service: service, account: "ann", data: data, at: .at())
        }
        for (group, service) in groups {
            let item = try vault.readers.items.get(accessGroup: group, service: service, account: "ann")
            #expect(item?.data.text == group + service)
        }
    }

    // MARK: - Two sealings of one version

    private let directory: TemporaryDirectory
    private let id: ObjectID

    /// A closed vault whose credential was used after it was saved, and beside it a copy from before that.
    init() throws {
        directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        id = try vault.writers.credentials.save("shop.example", "ann", "secret").id
        try vault.writers.credentials.save("same.example", "ann", "same")
        vault.close()
        try FileManager.default.copyItem(atPath: directory.database, toPath: directory.path + "/copy.sqlite")
        let later = try Vault.unlocked(directory.vault, seed: 5)
        try later.writers.credentials.noteUse(of: id, at: .at(9))
        try later.releases.sync(at: .at(10), uses: .max)
        #expect(try later.readers.credentials.get(id)?.version == 1)
        later.close()
    }

    private func execute(_ sql: String...) throws {
        let all = ["ATTACH '\(directory.path)/copy.sqlite' AS old"] + sql + ["DETACH old"]
        try Tampering.execute(all.joined(separator: ";"), on: directory.database)
    }

    private var earlierRow: String {
        "REPLACE INTO record SELECT * FROM old.record WHERE id = \(Tampering.literal(id))"
    }

    /// attacks.md, the vault, 15
    @Test("An earlier sealing of the same version is not returned, and is named the older one")
    func swapped() throws {
        try execute(earlierRow)
        let vault = try Vault.open(directory.vault, seed: 6)
        #expect(try vault.unlock(.key()).findings == [.altered(id)])
        #expect(failure { _ = try vault.readers.credentials.get(id) } == .recordDamaged(id))
        #expect(try vault.check().findings == [.older(id, found: 1, expected: 1)])
        #expect(try vault.repair(at: .at(12)).after.isIntact)
        #expect(try vault.readers.credentials.get(id) == nil && vault.password("same.example", "ann") == "same")
    }

    /// attacks.md, the vault, 15
    @Test("Without the root, too, an earlier sealing is known for one; a later one is kept")
    func swappedWithoutRoot() throws {
        try execute(earlierRow, "DELETE FROM manifest WHERE node = 0")
        let vault = try Vault.open(directory.vault, seed: 6)
        try vault.unlock(.key())
        #expect(try vault.check().findings.contains(.older(id, found: 1, expected: 1)))
        #expect(try vault.repair(at: .at(12)).after.isIntact)
        #expect(try vault.readers.credentials.get(id) == nil)
    }

    /// attacks.md, the vault, 15
    @Test("An earlier manifest without its root does not make the later sealing of a version an altered one")
    func earlierManifest() throws {
        try execute("REPLACE INTO manifest SELECT * FROM old.manifest", "DELETE FROM manifest WHERE node = 0")
        let vault = try Vault.open(directory.vault, seed: 6)
        try vault.unlock(.key())
        let findings = try vault.check().findings
        #expect(findings.contains(.unpinned(id)) && !findings.contains(.altered(id)))
        #expect(try vault.repair(at: .at(12)).after.isIntact)
        #expect(try vault.readers.credentials.get(id)?.lastUsed == .at(9))
    }
}
