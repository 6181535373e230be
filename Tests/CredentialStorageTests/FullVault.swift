// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

/// A vault with every kind of record in every state, each field with and without a value, rows in quarantine, a slot of
/// each kind, and entries of the record of releases in two rows and in vault.releases.
struct FullVault {
    let vault: Vault
    let recoveryKey: String

    init(in directory: TemporaryDirectory, passphrase: Bool = true) throws {
        vault = try Vault.open(directory.vault)
        let recovery = RecoveryKey(bytes: SecretBytes(copying: 100..<116, count: 16))
        recoveryKey = recovery.grouped.text
        try vault.create(
            [
                .test(passphrase ? .passphrase("caf\u{E9} au lait") : .key(1), label: "caf\u{E9}", seed: 11),
                .test(.key(), label: String(repeating: "long ", count: 60), seed: 12),
                .test(.recovery(recovery), label: "", seed: 13),
            ], at: .at(-1))
        try addQuarantine()
        try addCredentials()
        try addOffers()
        try addOthers()
        try addReleases()
    }

    private func addCredentials() throws {
        try vault.writers.credentials.save("plain.example", "ann", "only")
        var draft = CredentialDraft(
            service: .domain("b\u{FC}cher.example"), user: "zoe\u{308} \u{1F511}",
            password: SecretBytes(utf8: "p\u{E4}ss 1"),
            rules: "minlength: 20; required: lower;", oneTimeCode: SecretBytes(utf8: "otpauth://totp/a?secret=AAAA"),
            details: .init(notes: SecretBytes(utf8: "two\nlines")), writer: .shop)
        let full = try vault.writers.credentials.save(draft, at: .at(1)).id
        for number in 2...4 {
            _ = try vault.writers.credentials.update(full, at: .at(Int64(number))) {
                $0.password = SecretBytes(utf8: "p\u{E4}ss \(number)")
            }
        }
        _ = try vault.writers.credentials.update(full, at: .at(5)) {
            $0.setCode(SecretBytes(utf8: "otpauth://totp/b?secret=BBBB"), by: .other, at: .at(5))
        }
        try vault.writers.credentials.noteUse(of: full, at: .at(6))
        // Once with a code, now with none; and one whose setter is not known.
        draft = CredentialDraft(
            service: .domain("codeless.example"), user: "", password: SecretBytes(utf8: ""),
            oneTimeCode: SecretBytes(utf8: "otpauth://hotp/c?secret=CCCC&counter=1"), writer: .other)
        let codeless = try vault.writers.credentials.save(draft, at: .at(7)).id
        _ = try vault.writers.credentials.update(codeless, at: .at(8)) { $0.setCode(nil, by: .shop, at: .at(8)) }
        let services = [
            Service(kind: .url, value: "https://a.example/x"), Service(kind: .origin, value: "https://a.example:8443"),
            Service(kind: .keychain, value: "group/service"),
        ]
        try vault.writers.credentials.insert(
            services.enumerated().map { number, service in
                Credential(
                    id: ObjectID(kind: .credential, high: UInt64(number) << 52, low: 1), services: [.init(service)],
                    user: "ann",
                    password: SecretBytes(utf8: "kind \(number)"), oneTimeCode: SecretBytes(utf8: "otpauth://totp/d"),
                    created: .at(-5), changed: .at(-4), writer: .shop)
            })
        try vault.writers.credentials.insert([.everything, .ofOtherKind(1), .ofOtherKind(2)])
        _ = try vault.writers.credentials.delete(
            vault.writers.credentials.save("deleted.example", "ann", "kept").id, at: .at(9))
        let gone = try vault.writers.credentials.save("gone.example", "ann", "gone").id
        _ = try vault.writers.credentials.delete(gone, at: .at(-vault.limits.recoverableMilliseconds))
        _ = try vault.purge(at: .at(10))
    }

    private func addOffers() throws {
        for number: UInt64 in 1...5 {
            try vault.writers.offers.insert(
                .test(
                    number, form: number == 2 ? nil : "form \(number)", subject: number == 3 ? .other : .shop,
                    expires: number == 5 ? .at(20) : .at(3_600_000)))
        }
        let ids = (1...5 as ClosedRange<UInt64>).map { Offer.test($0).id }
        _ = try vault.writers.offers.accept(ids[2], user: "bob", writer: .other, at: .at(21))
        _ = try vault.writers.offers.decline(ids[3], at: .at(22))
        try vault.writers.offers.expireAll(at: .at(23))
    }

    private func addOthers() throws {
        for (account, writer, count) in [("a", Subject.shop, 3), ("", nil, 0), ("large", .other, 9000)] {
            let data = SecretBytes(copying: repeatElement(0xEE, count: count), count: count)
            _ = try vault.setItem(
                accessGroup: "group", service: "service", account: account, data: data, writer: writer, at: .at(30))
        }
        for (group, attributes) in [
            ("group", ["a": "1", "caf\u{E9}": ""]), ("group", ["a": "1"]), ("other", ["a": "1"]),
            (Item.secretServiceGroup, ["a": "1"]),
        ] {
            _ = try vault.writers.items.add(
                ItemDraft(
                    attributes: .of(attributes), label: group == "other" ? nil : "Label", contentType: "text/plain",
                    collection: attributes.count == 1 ? "login" : nil, data: SecretBytes(utf8: group), writer: .shop),
                accessGroup: group, place: group == "other" ? .init(service: "s", account: "a") : nil, at: .at(30))
        }
        for (number, notBefore) in [(1, nil), (2, Timestamp.at(9000))] as [(UInt64, Timestamp?)] {
            _ = try vault.writers.verifiers.put(
                Verifier(
                    id: ObjectID(kind: .verifier, high: number << 50, low: number), accessGroup: "group",
                    service: "service", account: "\(number)", hash: SecretBytes(utf8: "$scrypt$\(number)"),
                    failures: UInt32(number) << 20, notBefore: notBefore, created: .at(31), changed: .at(32),
                    writer: number == 1 ? .shop : nil))
        }
        for (number, decision) in [(1, Grant.Decision.allow), (2, .deny)] as [(UInt64, Grant.Decision)] {
            _ = try vault.writers.grants.put(
                Grant(
                    id: ObjectID(kind: .grant, high: number, low: number), subject: number == 1 ? .shop : .other,
                    service: .domain("shop.example"), decision: decision, created: .at(33), origin: "prompt"))
        }
        try vault.writers.settings.set("name", to: SecretBytes(utf8: "value"), at: .at(34))
        try vault.writers.settings.set("name", to: SecretBytes(utf8: "other"), at: .at(35))
        try vault.writers.settings.set("empty", to: SecretBytes(utf8: ""), at: .at(36))
    }

    private func addReleases() throws {
        for number: Int64 in 1...6 {
            try vault.releases.append(.test(number, refused: number % 2 == 0 ? "not-granted" : nil))
            if number == 2 { try vault.releases.sync(at: .at(40)) }
            if number != 4 { continue }
            try vault.releases.append(
                Release(
                    time: .at(-4), app: "", assurance: "", processID: -1, executable: "/\u{E9}", unit: nil,
                    method: String(repeating: "m", count: 200), service: nil, object: nil,
                    grant: ObjectID(kind: .grant, high: 7, low: 8), refused: "x", evidence: "run: ./é"))
            try vault.releases.sync(at: .at(41))
        }
        try vault.releases.commit()
        // What is not committed is nowhere but in memory; nothing waits when a test reads.
    }

    /// A missing record, one under another's number of version, one without a sound id, and a slot that was changed.
    private func addQuarantine() throws {
        let ids = try (0..<3).map {
            try vault.writers.credentials.save("q\($0).example", "ann", "q\($0)", at: .at(Int64($0))).id
        }
        let removed = try vault.slots.add(.test(.key(66), label: "bad", seed: 66), at: .at(3))
        _ = try vault.slots.remove(removed)
        var planted = SlotRow(id: removed, new: try .test(.key(66), seed: 66))
        var entropy: any RandomNumberGenerator = vault.store.entropy
        try planted.wrap(
            SecretBytes(copying: 0..<32, count: 32), with: NewSlot.test(.key(66), seed: 66).wrappingKey, using: &entropy
        )
        try vault.file.openDatabase.write { statements throws(VaultError) in
            try statements.records.delete.run(.bytes(ids[0].stored))
            let row = try statements.records.byID.first(.bytes(ids[1].stored)) { row throws(VaultError) in
                (lookup: row.copy(1), sealed: row.copy(3))
            }
            guard let row else { return }
            try statements.records.update.run(
                .bytes(ids[1].stored), .bytes(row.lookup), .integer(9), .bytes(row.sealed))
            try statements.records.insert.run(
                .bytes([1, 2, 3]), .bytes(row.lookup), .integer(1), .bytes(row.sealed))
            try statements.slots.put.each(planted.values) { _ throws(VaultError) in true }
        }
        _ = try vault.repair(at: .at(4))
        _ = try vault.writers.credentials.delete(ids[2], at: .at(5))
    }
}

extension Credential {
    /// With everything that one may have, and what a later version may write besides.
    static var everything: Credential {
        func unknown(_ tag: UInt8, _ count: Int) -> UnknownField {
            UnknownField(tag: tag, content: SecretBytes(copying: repeatElement(0xAB, count: count), count: count))
        }
        return Credential(
            id: ObjectID(kind: .credential, high: 5 << 52, low: 5), version: 3,
            services: [
                .init(.domain("a.b.c.d.e.f.g.h.example.org")), .init(.domain("login.example.com"), match: .exact),
                .init(.domain("pay.example.com"), unknown: [unknown(9, 3), unknown(9, 0)]),
                .init(Service(kind: .origin, value: "https://www.example.net:8443")),
                .init(Service(kind: .url, value: "https://a.example/x"), match: .site),
                .init(Service(kind: .init(rawValue: "app"), value: "com.example"), match: .init(rawValue: "prefix")),
            ], user: "e\u{301}va", password: SecretBytes(copying: repeatElement(0x70, count: 254), count: 254),
            rules: "", oneTimeCode: SecretBytes(utf8: "otpauth://totp/e"),
            details: CredentialDetails(
                label: "All of it", notes: SecretBytes(copying: repeatElement(0x6E, count: 70_000), count: 70_000),
                tags: ["work", "b\u{FC}ro"],
                fields: [
                    .init(name: "PIN", value: SecretBytes(utf8: "1234"), isSecret: true),
                    .init(name: "branch", value: SecretBytes(utf8: ""), isSecret: false, unknown: [unknown(200, 255)]),
                ], collection: "shared", writer: .other),
            created: .at(-9), changed: .at(-8), lastUsed: .at(-7), writer: .shop,
            previous: [.init(password: SecretBytes(utf8: ""), replaced: .at(-10))], codeWriter: .other,
            formerCodes: [.init(uri: SecretBytes(utf8: "otpauth://totp/f"), replaced: .at(-9))],
            unknown: [unknown(21, 1), unknown(250, 300)])
    }

    /// A kind that a later version has.
    static func ofOtherKind(_ number: UInt64, _ service: Service = .domain("shop.example")) -> Credential {
        Credential(
            id: ObjectID(kind: .credential, high: 6 << 52, low: number), kind: .init(rawValue: "passkey"),
            services: [.init(service)], user: "ann", password: SecretBytes(utf8: ""), created: .at(), changed: .at(),
            writer: .shop, unknown: [UnknownField(tag: 30, content: SecretBytes(utf8: "its key \(number)"))])
    }
}
