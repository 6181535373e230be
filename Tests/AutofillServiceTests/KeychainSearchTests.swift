// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Prompting
import SecretMemory
import Settings
import Support
import Testing

@Suite("Keychain items by attributes")
struct KeychainSearchTests {
    private typealias Found = KeychainSearch.FoundItem
    private static let mail = ["server": "mail.example.com", "user": "ann"]
    private static let data = SecretBytes(copying: [0, 1, 2], count: 3)

    private func connect(
        _ daemon: TestService, _ app: String = "org.example.Shop", inode: UInt64 = 7
    ) throws -> ServiceConnection {
        try daemon.connect(as: app, inode: inode)
    }

    private func add(
        _ app: ServiceConnection, _ attributes: [String: String] = mail, label: String? = nil,
        contentType: String? = nil, collection: String? = nil, replace: Bool? = nil
    ) throws -> String {
        let details = ItemDetails(
            attributes: attributes, label: label, contentType: contentType, collection: collection)
        return try app.answer(
            to: KeychainSet(.attributes(accessGroup: nil), details: details, data: Self.data, replace: replace)
        ).item
    }

    private func change(_ id: String, _ details: ItemDetails) -> KeychainSet {
        KeychainSet(.item(id), details: details, data: nil)
    }

    private func search(
        _ app: ServiceConnection, _ attributes: [String: String] = [:], collection: String? = nil
    ) throws -> [Found] {
        try app.answer(to: KeychainSearch(attributes: attributes, collection: collection)).items
    }

    private func ids(_ items: [Found]) -> Set<String> { Set(items.map(\.item)) }

    @Test(
        "Items with the same attributes exist side by side; a search returns all of them but the bytes, and nobody is asked"
    )
    func sideBySide() throws {
        let daemon = try TestService(consent: .absent)
        let shop = try connect(daemon)
        let first = try add(shop, label: "Mail", contentType: "text/plain", collection: "login")
        let second = try add(shop)
        #expect(first != second)
        let again = try connect(daemon)
        let found = try search(again, Self.mail)
        #expect(try ids(found) == [first, second] && ids(search(again)) == [first, second])
        let item = try #require(found.first { $0.item == first })
        #expect(
            item.details
                == ItemDetails(
                    attributes: Self.mail, label: "Mail", contentType: "text/plain", collection: "login"))
        #expect(item.place == nil && !item.withheld)
        #expect(item.created != nil && item.modified != nil && item.version != nil)
        #expect(try search(again, ["server": "mail.example.com", "user": "bob"]).isEmpty)
        #expect(ids(try search(again, collection: "login")) == [first])
        let read = try again.answer(to: KeychainGet(.id(first)))
        #expect(read.data.withUnsafeBytes { Array($0) } == [0, 1, 2])
    }

    @Test("A set by id changes what it names and keeps the rest; replace changes the item with just these attributes")
    func changed() throws {
        let shop = try connect(try TestService())
        let id = try add(shop, label: "Mail")
        let web = ["server": "www.example.com"]
        let renamed = change(id, ItemDetails(attributes: web))
        #expect(try shop.answer(to: renamed).changed)
        #expect(try !shop.answer(to: renamed).changed)
        #expect(try search(shop, Self.mail).isEmpty)
        #expect(try search(shop, web).map(\.details.label) == ["Mail"])
        #expect(try add(shop, web, replace: true) == id)
        #expect(try add(shop, web, replace: false) != id)
        let other = try add(shop, ["server": "www.example.com", "more": ""], replace: true)
        #expect(try search(shop, web).count == 3)
        #expect(try shop.answer(to: KeychainDelete(.id(other))).changed)
        #expect(try shop.reasons(for: KeychainGet(.id(other))) == ["item-not-found"])
        #expect(try shop.reasons(for: change(other, ItemDetails(label: "x"))) == ["item-not-found"])
    }

    @Test(
        "A place stands for two attributes: its item is found by them, keeps them, and gets and loses the place by rename"
    )
    func places() throws {
        let shop = try connect(try TestService())
        let place = ["service": "sync", "account": "ann"]
        func set(_ attributes: [String: String]? = nil, replace: Bool? = nil) -> KeychainSet {
            KeychainSet(
                .place(ItemPlace(namespace: "sync", account: "ann", accessGroup: nil)),
                details: ItemDetails(attributes: attributes), data: Self.data, replace: replace)
        }
        let held = try shop.answer(to: set(["more": "1"])).item
        let beside = try add(shop, place)
        #expect(ids(try search(shop, place)) == [held, beside])
        #expect(ids(try search(shop, ["service": "sync", "more": "1"])) == [held])
        let item = try #require(try search(shop, ["more": "1"]).first)
        #expect(item.place == PlaceName(namespace: "sync", account: "ann"))
        #expect(item.details.attributes == place.merging(["more": "1"]) { $1 })
        #expect(try shop.reasons(for: set(replace: false)) == ["item-exists"])
        func move(to account: String) -> KeychainRename {
            KeychainRename(.id(beside), newPlace: PlaceName(namespace: "sync", account: account))
        }
        #expect(try shop.reasons(for: move(to: "ann")) == ["item-exists"])
        #expect(try shop.answer(to: move(to: "bob")).item == beside)
        let moved = KeychainGet(.place(namespace: "sync", account: "bob"))
        #expect(try shop.answer(to: moved).summary.item == beside)
        let listed = try shop.answer(to: KeychainSearch(namespace: "sync")).items
        #expect(Set(listed.map(\.item)) == [held, beside])
    }

    @Test("What another program wrote is returned only as what the search named, and read with the user's consent")
    func foreign() throws {
        let daemon = try TestService(consent: .absent)
        let shop = try connect(daemon)
        let id = try add(shop, Self.mail.merging(["secret": "code name"]) { $1 }, label: "Label")
        let other = try connect(daemon, inode: 8)
        #expect(
            try search(other, Self.mail) == [
                Found(withheld: id, accessGroup: "org.example.Shop", attributes: Self.mail, collection: nil)
            ])
        #expect(try search(other).isEmpty && search(other, ["secret": "other"]).isEmpty)
        #expect(try other.reasons(for: KeychainGet(.id(id))) == ["grant-missing"])
        #expect(try other.reasons(for: KeychainDelete(.id(id))) == ["grant-missing"])
        #expect(try other.reasons(for: change(id, ItemDetails(label: "mine"))) == ["grant-missing"])
        let moved = KeychainRename(.id(id), newPlace: PlaceName(namespace: "a", account: "b"))
        #expect(try other.reasons(for: moved) == ["grant-missing"])
        #expect(try search(shop, Self.mail).first?.details.label == "Label")
    }

    @Test("What the user has allowed is found whole, and no longer so where the user is to be asked every time")
    func everyTime() throws {
        for (ask, isWithheld) in [(DaemonSettings.AskBeforeFill.once, false), (.everyTime, true)] {
            var settings = DaemonSettings()
            settings.askBeforeFill = ask
            let daemon = try TestService(consent: .absent, settings: settings)
            let id = try add(try connect(daemon))
            let program = daemon.connect(.systemProgram)
            try program.greet()
            let item = GrantedItems.item(id, accessGroup: "org.example.Shop")
            try daemon.user().answer(to: GrantAllow(.app(bundleID: "org.example.Shop"), .keychain(item), proof: .test))
            #expect(try search(program, Self.mail).map(\.withheld) == [isWithheld])
            #expect(try program.reasons(for: KeychainGet(.id(id))) == (isWithheld ? ["grant-missing"] : []))
        }
    }

    @Test("An item of a group that the app does not reach is found by no search and by no id")
    func groups() throws {
        let daemon = try TestService()
        let bank = try connect(daemon, "org.example.Bank")
        let id = try add(bank)
        let shop = try connect(daemon)
        #expect(try search(shop, Self.mail).isEmpty)
        let others = KeychainSearch(accessGroup: "org.example.Bank")
        #expect(try shop.reasons(for: others) == ["access-group-not-entitled"])
        #expect(try shop.reasons(for: KeychainGet(.id(id))) == ["item-not-found"])
        #expect(try shop.reasons(for: change(id, ItemDetails())) == ["item-not-found"])
        #expect(try !shop.answer(to: KeychainDelete(.id(id))).changed)
        try bank.answer(to: KeychainGet(.id(id)))
    }

    @Test("With proof a group's items are searched and all returned, or all items of all groups; else it needs a group")
    func proven() throws {
        let daemon = try TestService()
        let id = try add(connect(daemon), label: "Label")
        let user = try daemon.user()
        let search = KeychainSearch(attributes: Self.mail, accessGroup: "org.example.Shop", proof: .test)
        let found = try user.answer(to: search).items
        #expect(found.map(\.item) == [id] && found.map(\.details.label) == ["Label"])
        #expect(try user.answer(to: KeychainSearch(proof: .test)).items.map(\.item) == [id])
        #expect(
            try user.reasons(for: KeychainSearch(attributes: Self.mail, proof: .test)) == ["parameter-invalid"])
    }

    /// On the wire: the library's own types cannot express most of these.
    @Test("Requests that do not name an item, or name it twice, are refused by name")
    func refused() throws {
        let shop = try connect(try TestService())
        let (place, data) = (["namespace": "a", "account": "b"], ["base64": "AAEC"])
        let long = String(repeating: "x", count: 1025)
        let many = Dictionary(uniqueKeysWithValues: (0..<65).map { ("\($0)", "") })
        let large = Dictionary(uniqueKeysWithValues: (0..<9).map { ("\($0)", String(repeating: "x", count: 1000)) })
        for (method, parameters, member) in [
            ("keychain.get", [:], "place"), ("keychain.get", ["item": "itm_1", "place": place], "place"),
            ("keychain.get", ["item": "itm_1", "accessGroup": "a.b"], "accessGroup"),
            ("keychain.set", ["data": data], "place"), ("keychain.set", ["place": place], "data"),
            ("keychain.set", ["data": data, "attributes": [String: String]()], "place"),
            ("keychain.set", ["item": "itm_1", "replace": true], "replace"),
            ("keychain.set", ["item": "itm_1", "place": place], "place"),
            ("keychain.set", ["place": place, "data": data, "attributes": ["service": "c"]], "attributes"),
            ("keychain.search", ["attributes": ["a": 1]], "attributes"),
            ("keychain.search", ["attributes": ["": "a"]], "attributes"),
            ("keychain.search", ["attributes": [long: "a"]], "attributes"),
            ("keychain.search", ["attributes": ["a": long]], "attributes"),
            ("keychain.search", ["attributes": many], "attributes"),
            ("keychain.search", ["attributes": large], "attributes"),
            ("keychain.search", ["attributes": ["caf\u{E9}": "1", "z": "2"], "limit": 0], "limit"),
        ] as [(String, [String: Any], String)] {
            #expect(try shop.call(method, parameters).member == member, "\(method) \(parameters.keys)")
        }
        let line =
            #"{"jsonrpc":"2.0","id":9,"method":"keychain.search","params":{"attributes":{"caf\u00e9":"1","cafe\u0301":"2"}}}"#
        #expect(try shop.exchange(line).map(TestAnswer.init).first?.member == "attributes")
    }

    @Test("A page holds no more than is read at once, and the pages together hold all")
    func largePages() throws {
        let shop = try connect(try TestService())
        let filler = Dictionary(uniqueKeysWithValues: (0..<7).map { ("\($0)", String(repeating: "x", count: 1000)) })
        for number in 0..<40 { _ = try add(shop, filler.merging(["n": "\(number)"]) { $1 }) }
        var (seen, cursor, pages): (Set<String>, String?, Int) = ([], nil, 0)
        repeat {
            let page = try shop.answer(to: KeychainSearch(page: PageRequest(limit: 500, cursor: cursor)))
            seen.formUnion(ids(page.items))
            cursor = page.next
            pages += 1
        } while cursor != nil && pages < 40
        #expect(seen.count == 40 && (2...5).contains(pages), "\(seen.count) \(pages)")
    }
}
