// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import Foundation
import SecretMemory
import Testing

@Suite("What a thief of the files sees")
struct SecrecyTests {
    @Test("No file of the data directory holds a domain, user, password, app, label or time")
    func noPlainText() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.open(directory.vault, seed: 1)
        try vault.create([.test(.key(), label: "Labelname")], at: .at(123))
        try vault.writers.credentials.save(
            "secretdomain.example", "username@example.org", "Pa55wordPa55word", at: .at(123))
        try vault.writers.credentials.save(
            "secretdomain.example", "username@example.org", "An0therPassword", at: .at(123))
        try vault.writers.offers.insert(Offer.test(1, domain: "secretdomain.example", password: "0fferedPassword"))
        _ = try vault.writers.grants.put(
            Grant(
                id: ObjectID(kind: .grant, high: 1, low: 1), subject: .shop, service: .domain("secretdomain.example"),
                decision: .allow, created: .at(123), origin: "prompt"))
        _ = try vault.setItem(
            accessGroup: "access.group", service: "itemservice", account: "itemaccount",
            data: SecretBytes(utf8: "ItemData"), at: .at(123))
        _ = try vault.writers.items.add(
            ItemDraft(
                attributes: .of(["attributename": "attributetext"]), label: "ItemLabel", contentType: "text/type",
                collection: "ItemCollection", data: SecretBytes(utf8: "ItemData")),
            accessGroup: "access.group", place: nil, at: .at(123))
        try vault.releases.append(.test(123))
        try vault.releases.commit()
        try vault.releases.sync(at: .at())
        try vault.releases.append(.test(123))
        try vault.releases.commit()
        _ = try vault.backups.makeIfDue(keeping: 3, at: .at(123))

        let needles = [
            "secretdomain", "username", "Pa55word", "An0ther", "0ffered", "access.group", "itemservice", "itemaccount",
            "ItemData", "attributename", "attributetext", "ItemLabel", "text/type", "ItemCollection", "Labelname",
            "org.example", "/usr/bin/shop", "credential.get", "installed", "prompt", "2026",
            "domain", "minlength",
        ]
        let milliseconds = Timestamp.at(123).milliseconds
        var times = [String(milliseconds), String(milliseconds / 1000)].map { Array($0.utf8) }
        for number in [milliseconds, milliseconds / 1000] {
            times.append(withUnsafeBytes(of: number.bigEndian) { Array($0.drop { $0 == 0 }) })
            times.append(
                withUnsafeBytes(of: number.littleEndian) {
                    Array($0.prefix { _ in true }.prefix(number > 1 << 40 ? 6 : 4))
                })
        }
        let files = try #require(FileManager.default.enumerator(atPath: directory.vaultPath)).compactMap {
            $0 as? String
        }
        #expect(files.count >= 5)
        for file in files {
            guard let content = FileManager.default.contents(atPath: directory.vaultPath + "/" + file) else { continue }
            for needle in needles.map({ Array($0.utf8) }) + times {
                #expect(content.range(of: Data(needle)) == nil, "\(String(decoding: needle, as: UTF8.self)) in \(file)")
            }
        }
    }

    @Test("Sealed records of different lengths in one size class are equally long")
    func sizeClasses() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        for length in 1...40 {
            try vault.writers.credentials.save("d.example", "u\(length)", String(repeating: "x", count: length))
        }
        vault.close()
        let lengths = try Tampering.integer("SELECT count(DISTINCT length(sealed)) FROM record", on: directory.database)
        #expect(lengths == 1)
    }

    @Test("The same credential in two vaults, or sealed twice, leaves nothing in common")
    func nothingInCommon() throws {
        let (first, second) = (try TemporaryDirectory(), try TemporaryDirectory())
        for (seed, directory) in [(1, first), (2, second)] {
            let vault = try Vault.new(directory.vault, seed: UInt64(seed))
            try vault.writers.credentials.save("shop.example", "ann", "p")
            vault.close()
        }
        let query =
            "SELECT count(*) FROM record a JOIN other.record b ON a.lookup = b.lookup OR substr(a.lookup, 1, 16) = substr(b.lookup, 1, 16) OR a.sealed = b.sealed"
        try Tampering.execute("ATTACH '\(second.database)' AS other; CREATE TABLE r AS \(query)", on: first.database)
        #expect(try Tampering.integer("SELECT * FROM r", on: first.database) == 0)
    }
}
