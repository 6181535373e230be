// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("What a credential has besides user and password")
struct CredentialFieldsTests {
    @Test("All of it, and the fields of a later version, is read byte for byte, also after a change and a rekey")
    func keepsAll() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.insert([.everything, .ofOtherKind(1)])
        _ = try vault.writers.credentials.update(Credential.everything.id, at: .at(1)) {
            $0.password = SecretBytes(utf8: "new")
        }
        try vault.rekey([.test(.key(8), seed: 40)], at: .at(2))
        vault.close()
        let again = try Vault.unlocked(directory.vault, secret: .key(8))
        var expected = Credential.everything
        expected.previous.insert(.init(password: expected.password, replaced: .at(1)), at: 0)
        (expected.password, expected.version, expected.changed) = (SecretBytes(utf8: "new"), 4, .at(1))
        #expect(
            try Described.json(#require(try again.readers.credentials.get(expected.id)).described)
                == Described.json(expected.described))
        let other = Credential.ofOtherKind(1)
        #expect(
            try Described.json(#require(try again.readers.credentials.get(other.id)).described)
                == Described.json(other.described))
        #expect(try again.check().isIntact)
    }

    @Test(
        "Nothing that is set is lost by a repeated save, another password, an accepted offer, deleting and getting back"
    )
    func keptByAll() throws {
        let vault = try Vault.new()
        let id = try vault.writers.credentials.save("shop.example", "ann", "one").id
        let change = DetailsChange(
            label: "Shop", notes: SecretBytes(utf8: "two\nlines"), tags: ["a", "b"],
            fields: [.init(name: "PIN", value: SecretBytes(utf8: "1234"), isSecret: true)], collection: "work",
            services: [.init(.domain("shop.example")), .init(.domain("pay.example"), match: .exact)])
        #expect(try vault.writers.credentials.update(id, at: .at(1)) { $0.apply(change, by: .other) }.changed)
        #expect(try !vault.writers.credentials.update(id, at: .at(2)) { $0.apply(change, by: .shop) }.changed)
        func expectAll() throws {
            let read = try #require(try vault.readers.credentials.get(id))
            #expect(read.details.label == "Shop" && read.details.notes?.text == "two\nlines")
            #expect(read.details.tags == ["a", "b"] && read.details.fields == change.fields)
            #expect(read.details.collection == "work" && read.details.writer == .other)
            #expect(read.services == change.services && read.deleted == nil)
        }
        #expect(try !vault.writers.credentials.save("shop.example", "ann", "one", at: .at(3)).changed)
        try expectAll()
        #expect(try vault.writers.credentials.save("shop.example", "ann", "two", at: .at(4)).id == id)
        try expectAll()
        let offer = Offer.test(1, domain: "pay.example")
        try vault.writers.offers.insert(offer)
        #expect(
            try vault.writers.offers.accept(offer.id, user: "ann", replacing: id, writer: .shop, at: .at(5)).id == id)
        try expectAll()
        _ = try vault.writers.credentials.delete(id, at: .at(6))
        #expect(try vault.readers.credentials.get(for: .domain("pay.example"), user: "ann") == nil)
        _ = try vault.writers.credentials.undelete(id, at: .at(7))
        try expectAll()
        #expect(try vault.password("pay.example", "ann") == "wiZqy2-tibvek-jumpyx" && vault.check().isIntact)
        let none = DetailsChange(label: "", notes: SecretBytes(utf8: ""), tags: [], fields: [], collection: "")
        _ = try vault.writers.credentials.update(id, at: .at(8)) { $0.apply(none, by: .other) }
        #expect(try vault.readers.credentials.get(id)?.details == CredentialDetails())
    }

    @Test("It is found by each of its services, and a service has one password of each user, whichever way it is its")
    func furtherServices() throws {
        let vault = try Vault.new()
        let id = try vault.writers.credentials.save("a.example", "z\u{E9}", "one").id
        let other = try vault.writers.credentials.save("c.example", "z\u{E9}", "three").id
        func setServices(_ names: [String], of id: ObjectID) throws -> Saved {
            try vault.writers.credentials.update(id, at: .at(1)) {
                $0.services = names.map { CredentialService(.domain($0)) }
            }
        }
        // Asked for before, so that its order is known.
        #expect(try vault.readers.credentials.page(for: .domain("b.example"), after: nil, limit: 9).elements.isEmpty)
        let saved = try setServices(["a.example", "b.example"], of: id)
        #expect(saved.services == [.domain("a.example"), .domain("b.example")])
        #expect(try vault.password("b.example", "ze\u{301}") == "one")
        #expect(try vault.credentials(for: .domain("b.example")).map(\.id) == [id])
        #expect(
            try vault.readers.credentials.page(for: .domain("b.example"), after: nil, limit: 9).elements.map(\.id) == [
                id
            ])
        #expect(try vault.writers.credentials.save("b.example", "z\u{E9}", "two").id == id)
        #expect(try vault.password("a.example", "z\u{E9}") == "two")
        #expect(failure { _ = try setServices(["a.example", "c.example"], of: id) } == .alreadySaved(other))
        #expect(failure { _ = try setServices(["c.example", "b.example"], of: other) } == .alreadySaved(id))
        let twin = Credential(
            id: ObjectID(kind: .credential, high: 1, low: 1),
            services: [.init(.domain("d.example")), .init(.domain("b.example"))], user: "z\u{E9}",
            password: SecretBytes(utf8: "x"), created: .at(), changed: .at(), writer: .shop)
        #expect(failure { try vault.writers.credentials.insert(twin) } == .alreadySaved(id))
        _ = try vault.writers.credentials.delete(id, at: .at(2))
        try vault.writers.credentials.insert(twin)
        #expect(failure { _ = try vault.writers.credentials.undelete(id, at: .at(3)) } == .alreadySaved(twin.id))
        _ = try setServices(["d.example"], of: twin.id)
        #expect(try vault.readers.credentials.page(for: .domain("b.example"), after: nil, limit: 9).elements.isEmpty)
        #expect(try vault.writers.credentials.undelete(id, at: .at(4)).changed && vault.check().isIntact)
    }

    @Test("Another kind may have the service and user of a password, and is never returned for one")
    func otherKinds() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.insert([.ofOtherKind(1), .ofOtherKind(2)])
        #expect(try vault.readers.credentials.get(for: .domain("shop.example"), user: "ann") == nil)
        let saved = try vault.writers.credentials.save("shop.example", "ann", "one")
        #expect(saved.isNew)
        let kinds = try vault.credentials(for: .domain("shop.example")).map(\.kind.rawValue).sorted()
        #expect(kinds == ["passkey", "passkey", "password"])
        let passwords = try vault.readers.credentials.page(
            for: .domain("shop.example"), kind: .password, after: nil, limit: 9)
        #expect(passwords.elements.map(\.id) == [saved.id])
        let other = Credential.ofOtherKind(1).id
        _ = try vault.writers.credentials.delete(other, at: .at(1))
        _ = try vault.writers.credentials.undelete(other, at: .at(2))
        vault.close()
        let again = try Vault.unlocked(directory.vault)
        #expect(
            try again.readers.credentials.get(other)?.unknown.first?.content.text == "its key 1"
                && again.check().isIntact)
    }

    @Test("The first format has none of it, and what is noted there of a use changes nothing else")
    func firstFormat() throws {
        let directory = try TemporaryDirectory()
        try FormerFormat.copy(to: directory)
        let vault = try Vault.unlocked(directory.vault)
        let before = try #require(try vault.credentials(for: .domain("b\u{FC}cher.example")).first)
        try vault.writers.credentials.noteUse(of: before.id, at: .at(1_000_000))
        try vault.releases.sync(at: .at(1_000_001))
        vault.close()
        let again = try Vault.unlocked(directory.vault)
        #expect(try again.isOfOlderFormat && again.check().isIntact)
        let read = try #require(try again.readers.credentials.get(before.id))
        #expect(read.lastUsed == .at(1_000_000) && read.details.notes?.text == "two\nlines" && read.unknown.isEmpty)
        #expect(read.services == [CredentialService(.domain("b\u{FC}cher.example"))] && read.previous.count == 3)
    }

    @Test("A field of twice the length that it states, tags that decrease, and a length in the longer form are refused")
    func strictFields() throws {
        let credential = Credential.ofOtherKind(1)
        let plain = BinaryWriter.encode { writer in
            RecordHeader(sealing: 7).write(to: &writer)
            credential.write(to: &writer)
        }
        let bytes = plain.withUnsafeBytes { Array($0.dropLast()) }
        func parse(_ bytes: [UInt8]) -> Credential? {
            (bytes + [0]).withUnsafeBytes { Credential(plain: $0, id: credential.id, version: 1) }
        }
        #expect(parse(bytes)?.user == "ann")
        #expect(parse(bytes + [30, 1, 9])?.unknown.count == 2)
        #expect(parse(bytes + [29, 1, 9]) == nil)
        #expect(parse(bytes + [31, 2, 9]) == nil)
        #expect(parse(bytes + [31, 255, 0, 0, 0, 1, 9]) == nil)
        #expect(parse(bytes + [31, 255, 0, 0, 0, 255] + [UInt8](repeating: 1, count: 255))?.unknown.count == 2)
        // Without its first field, the services, which must be there.
        #expect(parse(Array(bytes[..<9] + bytes[(9 + 2 + Int(bytes[10]))...])) == nil)
    }

    @Test("A record without service, created, changed or writer is refused; without any other field it is read")
    func requiredFields() throws {
        let credential = Credential.everything
        let plain = BinaryWriter.encode { writer in
            RecordHeader(sealing: 7).write(to: &writer)
            credential.write(to: &writer)
        }
        let bytes = plain.withUnsafeBytes { Array($0.dropLast()) }
        var fields: [(tag: UInt8, bytes: ArraySlice<UInt8>)] = []
        var place = 9
        while place < bytes.count {
            let isShort = bytes[place + 1] < 255
            let length = isShort ? Int(bytes[place + 1]) : bytes[place + 2..<place + 6].reduce(0) { $0 << 8 | Int($1) }
            let end = place + (isShort ? 2 : 6) + length
            fields.append((bytes[place], bytes[place..<end]))
            place = end
        }
        let tags = Set(fields.map(\.tag))
        let required: Set<UInt8> = [1, 14, 15, 18]
        #expect(tags.isSuperset(of: required) && tags.count > required.count)
        for tag in tags {
            let rest = fields.filter { $0.tag != tag }.flatMap(\.bytes)
            let read = (bytes[..<9] + rest + [0]).withUnsafeBytes {
                Credential(plain: $0, id: credential.id, version: 1)
            }
            #expect((read == nil) == required.contains(tag))
        }
    }
}
