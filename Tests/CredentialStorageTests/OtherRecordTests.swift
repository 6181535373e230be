// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import SecretMemory
import Testing

@Suite("Grants, settings, items and verifiers")
struct OtherRecordTests {
    private func grant(_ number: UInt64, subject: Subject = .shop, decision: Grant.Decision = .allow) -> Grant {
        Grant(
            id: ObjectID(kind: .grant, high: number << 50, low: number), subject: subject,
            service: .domain("shop.example"), decision: decision, created: .at(Int64(number)), origin: "prompt")
    }

    @Test("A grant is found by app and service, replaced by a later decision of the same subject, and revoked")
    func grants() throws {
        let vault = try Vault.new()
        let first = try vault.writers.grants.put(grant(1))
        _ = try vault.writers.grants.put(grant(2, subject: .other))
        let replaced = try vault.writers.grants.put(grant(3, decision: .deny))
        #expect(replaced.id == first.id && replaced.version == 2)
        let found = try vault.readers.grants.all(app: "org.example.Shop", service: .domain("shop.example"))
        #expect(found.count == 2)
        #expect(found.first { $0.subject == .shop }?.decision == .deny)
        #expect(found.first { $0.subject == .shop }?.created == .at(3))
        #expect(try vault.readers.grants.all(app: "org.example.Mail", service: .domain("shop.example")).isEmpty)
        #expect(try vault.readers.grants.page(after: nil, limit: 10).elements.count == 2)
        #expect(try vault.writers.grants.revoke(first.id))
        #expect(try !vault.writers.grants.revoke(first.id))
        #expect(try vault.readers.grants.get(first.id) == nil)
        #expect(vault.counts?.grants == 1)
    }

    @Test("A setting is kept, changed and removed")
    func settings() throws {
        let vault = try Vault.new()
        #expect(try vault.readers.settings.get("never") == nil)
        try vault.writers.settings.set("never", to: SecretBytes(utf8: "one"), at: .at())
        try vault.writers.settings.set("never", to: SecretBytes(utf8: "two"), at: .at())
        try vault.writers.settings.set("other", to: SecretBytes(utf8: "three"), at: .at())
        #expect(try vault.readers.settings.get("never")?.text == "two")
        try vault.writers.settings.set("never", to: nil, at: .at())
        #expect(try vault.readers.settings.get("never") == nil)
        #expect(try vault.readers.settings.get("other")?.text == "three")
        #expect(vault.counts?.settings == 1)
    }

    @Test("The names of settings are listed, the longest unchanged first, and long ones are not opened")
    func settingNames() throws {
        let vault = try Vault.new()
        for name in ["site/b", "site/a", "other"] {
            try vault.writers.settings.set(name, to: SecretBytes(utf8: "x"), at: .at(name == "site/b" ? 0 : 1))
        }
        let long = SecretBytes(utf8: String(repeating: "x", count: 300 << 10))
        try vault.writers.settings.set("site/long", to: long, at: .at(2))
        let before = vault.openedBytes
        #expect(try vault.readers.settings.names(beginning: "site/", upTo: 256 << 10) == ["site/b", "site/a"])
        #expect(vault.openedBytes - before < 64 << 10)
    }

    @Test("What was saved is the same when it is saved once more with the version from before it")
    func repeated() throws {
        let vault = try Vault.new()
        let id = try vault.writers.credentials.save("shop.example", "ann", "one", ifVersion: 0).id
        func set(_ data: String, ifVersion version: UInt64) throws -> Saved {
            try vault.setItem(
                accessGroup: "g", service: "s", account: "a", data: SecretBytes(utf8: data), ifVersion: version,
                at: .at())
        }
        _ = try set("one", ifVersion: 0)
        for isFirst in [true, false] {
            let saved = try vault.writers.credentials.save("shop.example", "ann", "two", ifVersion: 1)
            #expect(saved.changed == isFirst && saved.version == 2)
            let item = try set("two", ifVersion: 1)
            #expect(item.changed == isFirst && item.version == 2)
        }
        for isFirst in [true, false] {
            let coded = try vault.writers.credentials.update(id, ifVersion: 2, at: .at(1)) {
                $0.setCode(SecretBytes(utf8: "otpauth://a"), by: .shop, at: .at(1))
            }
            #expect(coded.changed == isFirst && coded.version == 3)
        }
        #expect(
            failure { try vault.writers.credentials.save("shop.example", "ann", "last", ifVersion: 1) }
                == .versionConflict(current: 3))
        #expect(failure { _ = try set("three", ifVersion: 1) } == .versionConflict(current: 2))
    }

    @Test("An item keeps any bytes, and is renamed and deleted")
    func items() throws {
        let vault = try Vault.new()
        let bytes = SecretBytes(copying: (0...255).map { UInt8($0) } + [0, 0], count: 258)
        let saved = try vault.setItem(
            accessGroup: "org.example.suite", service: "mail", account: "ann", data: bytes, at: .at())
        func found(_ account: String) throws -> Item? {
            try vault.readers.items.get(accessGroup: "org.example.suite", service: "mail", account: account)
        }
        #expect(saved.isNew)
        #expect(try found("ann")?.data.equals(bytes) == true)
        #expect(
            try !vault.setItem(
                accessGroup: "org.example.suite", service: "mail", account: "ann", data: bytes, at: .at()
            )
            .changed)
        let other = try vault.setItem(
            accessGroup: "org.example.suite", service: "mail", account: "bob", data: bytes, at: .at())
        #expect(
            failure {
                _ = try vault.writers.items.move(saved.id, to: .init(service: "mail", account: "bob"), at: .at())
            }
                == .alreadySaved(other.id))
        #expect(
            try vault.writers.items.move(saved.id, to: .init(service: "mail", account: "cat"), at: .at()).version == 2)
        #expect(try found("ann") == nil)
        #expect(try found("cat")?.id == saved.id)
        #expect(try vault.readers.items.page(accessGroup: "org.example.suite", service: "mail").elements.count == 2)
        #expect(try vault.readers.items.page(accessGroup: "org.example.other", service: "mail").elements.isEmpty)
        #expect(try vault.writers.items.delete(other.id))
        #expect(vault.counts?.items == 1)
    }

    @Test("A verifier keeps its hash and its failures")
    func verifiers() throws {
        let vault = try Vault.new()
        func verifier(_ hash: String, failures: UInt32 = 0, notBefore: Timestamp? = nil) -> Verifier {
            Verifier(
                id: ObjectID(kind: .verifier, high: 5, low: 5), accessGroup: "org.example.Shop", service: "login",
                account: "ann", hash: SecretBytes(utf8: hash), failures: failures, notBefore: notBefore, created: .at(),
                changed: .at(1))
        }
        #expect(try vault.writers.verifiers.put(verifier("$scrypt$1")).isNew)
        #expect(
            try vault.writers.verifiers.put(verifier("$scrypt$2", failures: 3, notBefore: .at(9)), ifVersion: 1).version
                == 2)
        #expect(
            failure { _ = try vault.writers.verifiers.put(verifier("$scrypt$3"), ifVersion: 1) }
                == .versionConflict(current: 2))
        let found = try #require(
            try vault.readers.verifiers.get(accessGroup: "org.example.Shop", service: "login", account: "ann"))
        #expect(found.hash.text == "$scrypt$2" && found.failures == 3 && found.notBefore == .at(9))
        #expect(try vault.writers.verifiers.delete(found.id))
        #expect(vault.counts?.verifiers == 0)
    }
}
