// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("What is saved at and under a site")
struct SiteLookupTests {
    private static let site = "example.com"

    /// The hosts of what is found, sorted.
    private func hosts(
        _ vault: Vault, asking service: Service = .domain("example.com"), site: String = site
    ) throws -> [String] {
        try vault.readers.credentials.page(underSite: site, asking: service, after: nil, limit: 100).elements
            .map(\.service.value).sorted()
    }

    @Test("Domains and https origins of the site are found from each other, others and other sites are not")
    func found() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        for (number, service) in [
            Service.domain("example.com"), .domain("login.example.com"), .domain("a.b.example.com"),
            Service(kind: .origin, value: "https://pay.example.com:8443"), .domain("notexample.com"), .domain("com"),
            .domain("example.com.org"), Service(kind: .origin, value: "http://old.example.com"),
            Service(kind: .url, value: "https://example.com/v1/"),
        ].enumerated() {
            let draft = CredentialDraft(
                service: service, user: "u\(number)", password: SecretBytes(utf8: "p"), writer: .shop)
            _ = try vault.writers.credentials.save(draft, at: .at(Int64(number)))
        }
        let expected = ["a.b.example.com", "example.com", "https://pay.example.com:8443", "login.example.com"]
        #expect(try hosts(vault) == expected)
        #expect(try hosts(vault, asking: .domain("other.example.com")) == expected)
        #expect(try hosts(vault, site: "b.example.com") == ["a.b.example.com", "example.com"])
        #expect(try hosts(vault, asking: .domain("x.example.org"), site: "example.org").isEmpty)
        let old = Service(kind: .origin, value: "http://old.example.com")
        #expect(try hosts(vault, asking: old) == (expected + [old.value]).sorted())
        vault.close()
        let again = try Vault.unlocked(directory.vault)
        #expect(try hosts(again) == expected && again.check().isIntact)
    }

    @Test("What matches exactly only is found by its own service alone")
    func exact() throws {
        let vault = try Vault.new()
        let id = try vault.writers.credentials.save("login.example.com", "ann", "p").id
        #expect(try hosts(vault).count == 1)
        _ = try vault.writers.credentials.update(id, at: .at(1)) {
            $0.services = [CredentialService(.domain("login.example.com"), match: .exact)]
        }
        #expect(try hosts(vault).isEmpty && hosts(vault, asking: .domain("login.example.com")).count == 1)
        _ = try vault.writers.credentials.update(id, at: .at(2)) {
            $0.services.append(CredentialService(.domain("example.com")))
        }
        #expect(try hosts(vault).count == 1 && hosts(vault, asking: .domain("pay.example.com")).count == 1)
        _ = try vault.writers.credentials.delete(id, at: .at(3))
        #expect(try hosts(vault).isEmpty && vault.check().isIntact)
    }

    @Test("Another kind than a password is not found by site")
    func otherKinds() throws {
        let vault = try Vault.new()
        try vault.writers.credentials.insert(.ofOtherKind(1, .domain("login.example.com")))
        #expect(try hosts(vault).isEmpty && hosts(vault, asking: .domain("login.example.com")).isEmpty)
    }

    @Test("Of a host under many domains the six shortest lead to it")
    func depth() throws {
        let vault = try Vault.new()
        try vault.writers.credentials.save("a.b.c.d.e.f.g.h.example.com", "ann", "p")
        for site in ["example.com", "h.example.com", "d.e.f.g.h.example.com"] {
            #expect(try hosts(vault, asking: .domain(site), site: site).count == 1)
        }
        for site in ["c.d.e.f.g.h.example.com", "com"] {
            #expect(try hosts(vault, asking: .domain(site), site: site).isEmpty)
        }
    }

    @Test("Pages are in the order of last use and go on where they were, also when something came between")
    func pages() throws {
        let vault = try Vault.new()
        let ids = try (0..<7).map { number in
            try vault.writers.credentials.save(
                number % 2 == 0 ? "a\(number).example.com" : "example.com", "u\(number)", "p", at: .at(Int64(number))
            ).id
        }
        func page(_ position: CredentialPosition?, _ limit: Int) throws -> VaultPage<
            CredentialSummary, CredentialPosition
        > {
            try vault.readers.credentials.page(
                underSite: Self.site, asking: .domain("a0.example.com"), after: position, limit: limit)
        }
        let first = try page(nil, 3)
        #expect(first.elements.map(\.id) == [ids[6], ids[5], ids[4]])
        try vault.writers.credentials.noteUse(of: ids[0], at: .at(50))
        try vault.writers.credentials.save("new.example.com", "ann", "p", at: .at(60))
        #expect(try page(first.next, 9).elements.map(\.id) == [ids[3], ids[2], ids[1]])
        #expect(try page(nil, 2).elements.map(\.id).first == ids[0])
        #expect(try page(nil, 9).elements.count == 8)
    }

    @Test(
        "The cached order is that of the vault, whatever is saved, changed, deleted and restored",
        arguments: [1, 2, 3])
    func remembered(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault, seed: seed)
        let names = ["example.com", "a.example.com", "b.a.example.com", "c.example.net", "example.net"]
        var ids: Set<ObjectID> = []
        for step in 0..<120 {
            let now = Timestamp.at(Int64(step))
            let name = names.randomElement(using: &generator) ?? ""
            let id = ids.sorted().randomElement(using: &generator)
            switch (Int.random(in: 0..<6, using: &generator), id) {
            case (1, let id?): _ = try? vault.writers.credentials.delete(id, at: now)
            case (2, let id?): _ = try? vault.writers.credentials.undelete(id, at: now)
            case (3, let id?): try vault.writers.credentials.noteUse(of: id, at: now)
            case (4, let id?):
                let match = Bool.random(using: &generator) ? CredentialService.Match.exact : .site
                _ = try? vault.writers.credentials.update(id, at: now) { credential in
                    let first = credential.services[0].service
                    credential.services = [CredentialService(first, match: match)]
                    if name != first.value { credential.services.append(CredentialService(.domain(name))) }
                }
            default:
                ids.insert(
                    try vault.writers.credentials.save(
                        name, "u\(Int.random(in: 0..<4, using: &generator))", "p\(step)", at: now
                    ).id)
            }
            guard step % 8 == 0 else { continue }
            for (site, name) in zip(["example.com", "example.com", "example.com", "example.net", "example.net"], names)
            {
                let remembered = try vault.readers.credentials.page(
                    underSite: site, asking: .domain(name), after: nil, limit: 99
                ).elements
                let exact = try vault.readers.credentials.page(for: .domain(name), after: nil, limit: 99).elements
                try vault.store.unlocked.orders = CredentialOrders(uses: vault.store.unlocked.orders.uses)
                let fresh = try vault.readers.credentials.page(
                    underSite: site, asking: .domain(name), after: nil, limit: 99
                )
                .elements
                #expect(remembered == fresh)
                #expect(try exact == vault.credentials(for: .domain(name)))
            }
        }
        #expect(try vault.check().isIntact)
    }

    @Test("A save of a changed password touches no row but the record's")
    func statements() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("a.b.example.com", "ann", "one")
        func rows() throws -> [[UInt8]] {
            try vault.file.openDatabase.access { connection throws(VaultError) in
                try SQLStatement("SELECT tag, id FROM lookup ORDER BY tag, id", on: connection).all {
                    row throws(VaultError) in row.copy(0) + row.copy(1)
                }
            }
        }
        let before = try rows()
        #expect(before.count == 2)
        let changes = try vault.totalChanges()
        try vault.writers.credentials.save("a.b.example.com", "ann", "two")
        // The record, its bucket, the middle node and the root.
        #expect(try vault.totalChanges() - changes == 4)
        #expect(try rows() == before)
    }
}

extension Vault {
    /// How many rows were written since the file was opened.
    fileprivate func totalChanges() throws -> Int {
        try file.openDatabase.access { connection throws(VaultError) in
            try SQLStatement("SELECT total_changes()", on: connection).first { row throws(VaultError) in
                Int(row.integer(0))
            } ?? 0
        }
    }
}
