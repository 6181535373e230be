// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import SecretMemory
import Testing

@Suite("Credentials")
struct CredentialTests {
    @Test("What was saved is found by service and user, by id, and after the vault was closed and opened again")
    func savedAndFound() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let saved = try vault.writers.credentials.save("shop.example", "ann", "correct horse")
        #expect(saved.isNew && saved.changed && saved.version == 1)
        #expect(try vault.password("shop.example", "ann") == "correct horse")
        #expect(try vault.readers.credentials.get(saved.id)?.user == "ann")
        #expect(try vault.password("shop.example", "bob") == nil)
        #expect(try vault.password("other.example", "ann") == nil)
        vault.close()

        let again = try Vault.unlocked(directory.vault)
        let credential = try #require(try again.readers.credentials.get(saved.id))
        #expect(credential.password.text == "correct horse")
        #expect(credential.created == .at() && credential.changed == .at() && credential.lastUsed == nil)
        #expect(credential.writer == .shop)
        #expect(again.counts?.credentials == 1)
    }

    @Test("A password is found by any normal form of its user, also after hundreds of other users were asked for")
    func manyUsers() throws {
        let vault = try Vault.new()
        try vault.writers.credentials.save("shop.example", "e\u{301}ve", "secret")
        for _ in 0..<2 {
            #expect(try vault.password("shop.example", "e\u{301}ve") == "secret")
            #expect(try vault.password("shop.example", "\u{E9}ve") == "secret")
            #expect(try vault.password("other.example", "\u{E9}ve") == nil)
            for number in 0..<400 { #expect(try vault.password("shop.example", "user \(number)") == nil) }
        }
    }

    @Test("Every field is read as it was written, scalar for scalar")
    func allFields() throws {
        let vault = try Vault.new()
        let credential = Credential(
            id: ObjectID(kind: .credential, high: 3, low: 4), version: 9,
            services: [.init(Service(kind: .origin, value: "https://x.example"))],
            user: "e\u{301}\u{1F469}\u{200D}\u{1F680}",
            password: SecretBytes(utf8: "\u{212B}\u{301} \u{7}\u{1F600}"), rules: "required: lower;",
            oneTimeCode: SecretBytes(utf8: "otpauth://totp/x?secret=AAAA"),
            details: .init(notes: SecretBytes(utf8: "")),
            created: .at(-5), changed: .at(6), lastUsed: .at(7), writer: .other,
            previous: [.init(password: SecretBytes(utf8: "old"), replaced: .at(1))])
        try vault.writers.credentials.insert(credential)
        let read = try #require(try vault.readers.credentials.get(credential.id))
        #expect(Array(read.user.unicodeScalars) == Array(credential.user.unicodeScalars))
        #expect(read.password.equals(credential.password))
        #expect(read.details.notes?.count == 0)
        #expect(read.oneTimeCode?.text == "otpauth://totp/x?secret=AAAA")
        #expect(read.rules == credential.rules && read.version == 9 && read.service == credential.service)
        #expect(read.created == .at(-5) && read.changed == .at(6) && read.lastUsed == .at(7))
        #expect(read.previous.count == 1 && read.previous[0].password.text == "old")
        #expect(read.previous[0].replaced == .at(1) && read.writer == .other && read.deleted == nil)
    }

    @Test("Codes that are replaced or removed are kept with their time, the newest first, ten at most")
    func formerCodes() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let saved = try vault.writers.credentials.save("shop.example", "ann", "secret")
        func set(_ code: String?, at time: Int64) throws -> Saved {
            try vault.writers.credentials.update(saved.id, at: .at(time)) {
                $0.setCode(code.map { SecretBytes(utf8: $0) }, by: .other, at: .at(time))
            }
        }
        #expect(try vault.readers.credentials.get(saved.id)?.codeWriter == nil)
        for number in 0..<12 { #expect(try set("otpauth://\(number)", at: Int64(number)).changed) }
        #expect(try !set("otpauth://11", at: 12).changed)
        #expect(try set(nil, at: 13).changed)
        vault.close()
        let read = try #require(try Vault.unlocked(directory.vault).readers.credentials.get(saved.id))
        #expect(read.oneTimeCode == nil && read.codeWriter == nil && read.writer == .shop)
        #expect(read.formerCodes.map(\.uri.text) == (2..<12).reversed().map { "otpauth://\($0)" })
        #expect(read.formerCodes.first?.replaced == .at(13))
        #expect(read.previous.isEmpty)
    }

    @Test("A changed user name is found at each service, the former one is free, and the vault is intact")
    func renamed() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let saved = try vault.writers.credentials.save("shop.example", "ann", "secret")
        let services = [CredentialService(.domain("shop.example")), CredentialService(.domain("pay.example"))]
        _ = try vault.writers.credentials.update(saved.id, at: .at(1)) { $0.services = services }
        func rename(_ id: ObjectID, _ user: String) throws -> Saved {
            try vault.writers.credentials.update(id, at: .at(2)) { $0.user = user }
        }
        #expect(try rename(saved.id, "bob").changed)
        #expect(try !rename(saved.id, "bob").changed)
        let other = try vault.writers.credentials.save("pay.example", "ann", "other")
        #expect(throws: VaultError.alreadySaved(saved.id)) { try rename(other.id, "bob") }
        #expect(throws: VaultError.alreadySaved(other.id)) { try rename(saved.id, "ann") }
        vault.close()
        let again = try Vault.unlocked(directory.vault)
        for service in services.map(\.service) {
            let found = try #require(try again.readers.credentials.get(for: service, user: "bob"))
            #expect(found.id == saved.id && found.password.text == "secret" && found.version == 3)
        }
        #expect(try again.readers.credentials.get(for: .domain("shop.example"), user: "ann") == nil)
        #expect(try again.readers.credentials.get(for: .domain("pay.example"), user: "ann")?.id == other.id)
        #expect(try again.check().isIntact)
    }

    @Test("Who set the codes is kept apart from who wrote the password")
    func codeWriter() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let saved = try vault.writers.credentials.save("shop.example", "ann", "secret")
        _ = try vault.writers.credentials.update(saved.id, at: .at(1)) {
            $0.setCode(SecretBytes(utf8: "otpauth://a"), by: .other, at: .at(1))
        }
        try vault.writers.credentials.save("shop.example", "ann", "changed")
        vault.close()
        let read = try #require(try Vault.unlocked(directory.vault).readers.credentials.get(saved.id))
        #expect(read.codeWriter == .other && read.writer == .shop && read.formerCodes.isEmpty)
        #expect(read.oneTimeCode?.text == "otpauth://a" && read.previous.count == 1)
    }

    @Test("A changed password keeps the former ones, the newest first, ten at most")
    func previousPasswords() throws {
        let vault = try Vault.new()
        for number in 0..<13 {
            try vault.writers.credentials.save("shop.example", "ann", "password \(number)", at: .at(Int64(number)))
        }
        let credential = try #require(try vault.readers.credentials.get(for: .domain("shop.example"), user: "ann"))
        #expect(credential.version == 13)
        #expect(credential.previous.map(\.password.text) == (2..<12).reversed().map { "password \($0)" })
        #expect(credential.previous.first?.replaced == .at(12))
    }

    @Test("Saving the same again changes nothing")
    func sameAgain() throws {
        let vault = try Vault.new()
        try vault.writers.credentials.save("shop.example", "ann", "secret")
        let again = try vault.writers.credentials.save("shop.example", "ann", "secret", at: .at(5))
        #expect(!again.changed && !again.isNew && again.version == 1)
        #expect(try vault.readers.credentials.get(again.id)?.changed == .at())
    }

    @Test("A version that is not the current one is refused with the current one, and nothing changes")
    func versions() throws {
        let vault = try Vault.new()
        let saved = try vault.writers.credentials.save("shop.example", "ann", "one", ifVersion: 0)
        #expect(
            failure { try vault.writers.credentials.save("shop.example", "ann", "two", ifVersion: 0) }
                == .versionConflict(current: 1))
        #expect(
            failure { try vault.writers.credentials.save("shop.example", "bob", "two", ifVersion: 1) }
                == .versionConflict(current: 0))
        #expect(
            failure { _ = try vault.writers.credentials.delete(saved.id, ifVersion: 7, at: .at()) }
                == .versionConflict(current: 1))
        #expect(try vault.password("shop.example", "ann") == "one")
        #expect(vault.counts?.credentials == 1)
    }

    @Test("A user is one in NFC and NFD, shown as first saved, and another in other letters")
    func normalization() throws {
        let vault = try Vault.new()
        let composed = "z\u{E9}ro"
        let decomposed = "ze\u{301}ro"
        try vault.writers.credentials.save("shop.example", decomposed, "one")
        #expect(try vault.password("shop.example", composed) == "one")
        #expect(try !vault.writers.credentials.save("shop.example", composed, "two").isNew)
        let user = try #require(try vault.credentials(for: .domain("shop.example")).first?.user)
        #expect(Array(user.unicodeScalars) == Array(decomposed.unicodeScalars))
        #expect(try vault.password("shop.example", "Z\u{E9}ro") == nil)
    }

    @Test("Services of another kind or another name are kept apart")
    func servicesApart() throws {
        let vault = try Vault.new()
        try vault.writers.credentials.save("shop.example", "ann", "domain")
        let origin = Service(kind: .origin, value: "shop.example")
        let draft = CredentialDraft(
            service: origin, user: "ann", password: SecretBytes(utf8: "origin"), writer: .shop)
        #expect(try vault.writers.credentials.save(draft, at: .at()).isNew)
        #expect(try vault.readers.credentials.get(for: origin, user: "ann")?.password.text == "origin")
        #expect(try vault.credentials(for: .domain("shop.example")).count == 1)
    }

    @Test("A service's users come with the last used first, also before the time of use is in the file")
    func ranking() throws {
        let vault = try Vault.new()
        let ids = try ["ann", "bob", "cat"].map { try vault.writers.credentials.save("shop.example", $0, "p \($0)").id }
        func users() throws -> [String] { try vault.credentials(for: .domain("shop.example")).map(\.user) }
        try vault.writers.credentials.noteUse(of: ids[1], at: .at(10))
        #expect(try users().first == "bob")
        try vault.releases.sync(at: .at(11))
        try vault.writers.credentials.noteUse(of: ids[2], at: .at(20))
        #expect(try users().prefix(2) == ["cat", "bob"])
        #expect(try vault.readers.credentials.get(ids[1])?.lastUsed == .at(10))
        #expect(try vault.readers.credentials.get(ids[1])?.version == 1)
    }

    @Test("A deleted credential is not looked up, can be restored for its time, and is then removed for good")
    func deletion() throws {
        let vault = try Vault.new()
        let saved = try vault.writers.credentials.save("shop.example", "ann", "one")
        #expect(try vault.writers.credentials.delete(saved.id, at: .at(1)).version == 2)
        #expect(try !vault.writers.credentials.delete(saved.id, at: .at(2)).changed)
        #expect(try vault.password("shop.example", "ann") == nil)
        #expect(try vault.readers.credentials.page(after: nil, limit: 10).elements.isEmpty)
        #expect(try vault.readers.credentials.deleted(after: nil, limit: 10).elements.map(\.id) == [saved.id])
        #expect(vault.counts?.credentials == 0 && vault.counts?.deletedCredentials == 1)
        #expect(
            failure { _ = try vault.writers.credentials.update(saved.id, at: .at()) { $0.rules = "" } }
                == .notFound(saved.id))

        _ = try vault.writers.credentials.undelete(saved.id, at: .at(3))
        #expect(try vault.password("shop.example", "ann") == "one")
        _ = try vault.writers.credentials.delete(saved.id, at: .at(4))
        let other = try vault.writers.credentials.save("shop.example", "ann", "two")
        #expect(failure { _ = try vault.writers.credentials.undelete(saved.id, at: .at(5)) } == .alreadySaved(other.id))

        let month = vault.limits.recoverableMilliseconds
        #expect(try vault.purge(at: .at(month + 3)) == 0)
        #expect(try vault.purge(at: .at(month + 4)) == 1)
        #expect(try vault.readers.credentials.get(saved.id) == nil)
        #expect(try vault.password("shop.example", "ann") == "two")
    }

    @Test("A list in pages of any size has each credential once")
    func pages() throws {
        let vault = try Vault.new()
        var expected: Set<ObjectID> = []
        for number in 0..<25 {
            expected.insert(try vault.writers.credentials.save("d\(number).example", "ann", "p").id)
        }
        let deleted = try #require(expected.first)
        expected.remove(deleted)
        _ = try vault.writers.credentials.delete(deleted, at: .at())
        for limit in [1, 7, 24, 25, 100] {
            var found: [ObjectID] = []
            var cursor: ObjectID?
            repeat {
                let page = try vault.readers.credentials.page(after: cursor, limit: limit)
                #expect(page.elements.count <= limit)
                found += page.elements.map(\.id)
                cursor = page.next
            } while cursor != nil
            #expect(found.count == 24 && Set(found) == expected)
        }
    }

    @Test(
        "A page of a service's credentials continues after the last position, even if that credential is deleted, used or changed"
    )
    func positions() throws {
        let vault = try Vault.new()
        let service = Service.domain("shop.example")
        for number in 0..<7 {
            try vault.writers.credentials.save("shop.example", "user \(number)", "p", at: .at(Int64(number % 3)))
        }
        let order = try vault.credentials(for: service).map(\.id)
        for limit in 1...8 {
            let pages = try pages(of: service, in: vault, limit: limit) { _ in }
            #expect(pages == order)
        }
        #expect(
            try pages(of: service, in: vault, limit: 3) {
                _ = try vault.writers.credentials.noteUse(of: $0, at: .at(9))
            } == order)
        let used = try vault.credentials(for: service).map(\.id)
        #expect(
            try pages(of: service, in: vault, limit: 2) { _ = try vault.writers.credentials.delete($0, at: .at(10)) }
                == used)
        #expect(try vault.readers.credentials.page(for: service, after: nil, limit: 9).elements.count == 4)
        let wanted = try vault.readers.credentials.page(for: service, after: nil, limit: 1) { id, _ in id != order[0] }
        #expect(wanted.elements.count == 1)
        #expect(try vault.readers.credentials.page(for: service, after: nil, limit: 0).elements.isEmpty)
    }

    /// All ids, page by page; `disturb` is called with the last one of each page.
    private func pages(
        of service: Service, in vault: Vault, limit: Int, _ disturb: (ObjectID) throws -> Void
    ) throws -> [ObjectID] {
        var found: [ObjectID] = []
        var position: CredentialPosition?
        repeat {
            let page = try vault.readers.credentials.page(for: service, after: position, limit: limit)
            found += page.elements.map(\.id)
            position = page.next
            if position != nil, let last = found.last { try disturb(last) }
        } while position != nil && found.count < 50
        return found
    }

    @Test("A position in a list is written as a text that can be read again, and no other text is read")
    func positionText() throws {
        let vault = try Vault.new()
        let id = try vault.writers.credentials.save("shop.example", "ann", "p", at: .at(1)).id
        let service = Service.domain("shop.example")
        let unused = try #require(try vault.credentials(for: service).first).position
        try vault.writers.credentials.noteUse(of: id, at: .at(2))
        let used = try #require(try vault.credentials(for: service).first).position
        #expect(unused.description == "-:1795219200001:\(id)")
        #expect(used.description == "1795219200002:1795219200001:\(id)")
        for position in [unused, used] { #expect(CredentialPosition(position.description) == position) }
        for text in ["", ":", "-:1:", "x:1:\(id)", "-:01:\(id)", "+1:1:\(id)", "-:1:\(id):", "\(id)"] {
            #expect(CredentialPosition(text) == nil)
        }
    }

    @Test("The last of a list may be deleted between two pages, of all credentials, the deleted ones, items and grants")
    func deletedBetweenPages() throws {
        let vault = try Vault.new()
        for number in 0..<6 {
            let id = try vault.writers.credentials.save("d\(number).example", "ann", "p").id
            if number > 3 { _ = try vault.writers.credentials.delete(id, at: .at(1)) }
            _ = try vault.setItem(
                accessGroup: "g", service: "s", account: "\(number)", data: SecretBytes(utf8: "x"), at: .at())
        }
        let page = try vault.readers.credentials.page(after: nil, limit: 2)
        let rest = try vault.readers.credentials.page(after: page.next, limit: 9).elements.map(\.id)
        _ = try vault.writers.credentials.delete(try #require(page.next), at: .at(2))
        #expect(try vault.readers.credentials.page(after: page.next, limit: 9).elements.map(\.id) == rest)
        let deleted = try vault.readers.credentials.deleted(after: nil, limit: 1)
        _ = try vault.writers.credentials.undelete(try #require(deleted.next), at: .at(3))
        let other = try vault.readers.credentials.deleted(after: deleted.next, limit: 9).elements.map(\.id)
        #expect(other.count == 2 && !other.contains(deleted.elements[0].id))
        let items = try vault.readers.items.page(accessGroup: "g", service: "s", after: nil, limit: 2)
        _ = try vault.writers.items.delete(try #require(items.next))
        #expect(
            try vault.readers.items.page(accessGroup: "g", service: "s", after: items.next, limit: 9).elements.count
                == 4)
        #expect(try vault.readers.items.page(accessGroup: "g", service: "s", after: nil, limit: 0).elements.isEmpty)
    }

    @Test("Two credentials of one service and user cannot be inserted")
    func uniqueness() throws {
        let vault = try Vault.new()
        let saved = try vault.writers.credentials.save("shop.example", "ann", "one")
        let twin = Credential(
            id: ObjectID(kind: .credential, high: 1, low: 1), services: [.init(.domain("shop.example"))], user: "ann",
            password: SecretBytes(utf8: "x"), created: .at(), changed: .at(), writer: .shop)
        #expect(failure { try vault.writers.credentials.insert(twin) } == .alreadySaved(saved.id))
        #expect(vault.counts?.credentials == 1)
    }

    @Test("What is longer than an object may be is refused")
    func tooLarge() throws {
        var limits = VaultLimits()
        limits.recordBytes = 8192
        let vault = try Vault.new(limits: limits)
        try vault.writers.credentials.save("shop.example", "ann", String(repeating: "x", count: 7000))
        #expect(
            failure { try vault.writers.credentials.save("shop.example", "bob", String(repeating: "x", count: 9000)) }
                == .tooLarge(limit: 8192))
        #expect(try vault.password("shop.example", "ann")?.count == 7000)
    }
}
