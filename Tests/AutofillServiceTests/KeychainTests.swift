// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import PeerIdentity
import SecretMemory
import Support
import Testing

@Suite("Keychain items")
struct KeychainTests {
    private func connect(_ daemon: TestService, inode: UInt64 = 7) throws -> ServiceConnection {
        try daemon.connect(as: "org.example.Shop", inode: inode)
    }

    private func item(_ account: String, group: String? = nil) -> ItemName {
        .place(namespace: "tokens", account: account, accessGroup: group)
    }

    private func set(_ account: String, _ bytes: [UInt8] = [1], group: String? = nil) -> KeychainSet {
        KeychainSet(
            namespace: "tokens", account: account, data: SecretBytes(copying: bytes, count: bytes.count),
            accessGroup: group)
    }

    private func rename(_ account: String, to other: String, group: String? = nil) -> KeychainRename {
        KeychainRename(item(account, group: group), newPlace: PlaceName(namespace: "tokens", account: other))
    }

    /// The accounts of all pages of a list.
    private func accounts(_ app: ServiceConnection, of service: String? = nil, proof: Proof? = nil) throws -> [String] {
        var (accounts, cursor): ([String], String?) = ([], nil)
        repeat {
            let page = PageRequest(limit: 2, cursor: cursor)
            let answer = try app.answer(to: KeychainSearch(namespace: service, page: page, proof: proof))
            #expect(answer.items.count <= 2)
            accounts += answer.items.compactMap { $0.place?.account }
            cursor = answer.next
        } while cursor != nil
        return accounts.sorted()
    }

    @Test("A set returns whether it created the item, also where no time passed since")
    func made() throws {
        let app = try connect(try TestService())
        #expect(try app.answer(to: set("ann")).made)
        #expect(try !app.answer(to: set("ann", [2])).made)
        let details = ItemDetails(attributes: ["a": "1"])
        for (replaces, isNew) in [(true, true), (true, false), (false, true)] {
            let call = KeychainSet(
                .attributes(accessGroup: nil), details: details, data: SecretBytes(utf8: "x"), replace: replaces)
            #expect(try app.answer(to: call).made == isNew)
        }
        #expect(try !app.answer(to: rename("ann", to: "bob")).made)
    }

    @Test("Any bytes are kept and read back in another connection of the same program, renamed and deleted")
    func roundTrip() throws {
        let daemon = try TestService()
        let bytes = [UInt8](0...255) + [0]
        let saved = try connect(daemon).answer(to: set("änn", bytes))
        let again = try connect(daemon)
        let read = try again.answer(to: KeychainGet(item("a\u{308}nn")))
        #expect(read.data.withUnsafeBytes { Array($0) } == bytes)
        #expect(read.summary.place?.account == "änn" && read.summary.item == saved.item)
        #expect(try again.answer(to: set("änn", [])).changed)
        try again.answer(to: set("bob"))
        #expect(try again.reasons(for: rename("änn", to: "bob")) == ["item-exists"])
        #expect(try again.answer(to: rename("änn", to: "cat")).item == saved.item)
        #expect(try again.reasons(for: KeychainGet(item("änn"))) == ["item-not-found"])
        #expect(try accounts(again, of: "tokens") == ["bob", "cat"])
        #expect(try again.answer(to: KeychainDelete(item("cat"))).changed)
        #expect(try !again.answer(to: KeychainDelete(item("cat"))).changed)
    }

    @Test("Another program of the same app gets, changes and lists nothing of it without the user's consent")
    func otherProgram() throws {
        let daemon = try TestService()
        try connect(daemon).answer(to: set("ann"))
        let other = try connect(daemon, inode: 8)
        #expect(try other.reasons(for: KeychainGet(item("ann"))) == ["grant-missing"])
        #expect(try other.reasons(for: KeychainGet(item("ann"), interaction: .forbid)) == ["interaction-required"])
        #expect(try other.reasons(for: set("ann", [2])) == ["grant-missing"])
        #expect(try other.reasons(for: rename("ann", to: "b")) == ["grant-missing"])
        #expect(try other.reasons(for: KeychainDelete(item("ann"))) == ["grant-missing"])
        #expect(try other.reasons(for: KeychainSearch(namespace: "tokens")) == ["grant-missing"])
        try other.answer(to: set("bob", [2]))
        try other.answer(to: KeychainGet(item("bob")))
    }

    @Test("The user's yes is remembered for the program and the service, by prompt or by command")
    func granted() throws {
        let daemon = try TestService()
        let program = daemon.connect(.systemProgram)
        try program.greet()
        try connect(daemon).answer(to: set("ann"))
        #expect(try program.reasons(for: KeychainGet(item("ann"))) == ["grant-missing"])
        func allow(_ group: String) -> GrantAllow {
            let items = GrantedItems.namespace("tokens", accessGroup: group)
            return GrantAllow(.app(bundleID: "org.example.Shop"), .keychain(items), proof: .test)
        }
        let user = try daemon.user()
        try user.answer(to: allow("org.example.Shop"))
        try program.answer(to: KeychainGet(item("ann")))
        #expect(try user.reasons(for: allow("org.example.Bank")) == ["access-group-not-entitled"])
    }

    @Test("A group that the registration does not name is out of reach, whatever is in it")
    func groups() throws {
        let daemon = try TestService()
        try daemon.connect(as: "org.example.Bank").answer(to: set("ann"))
        let shop = try connect(daemon)
        let item = item("ann", group: "org.example.Bank")
        for reasons in [
            try shop.reasons(for: KeychainGet(item)), try shop.reasons(for: KeychainDelete(item)),
            try shop.reasons(for: set("ann", group: "org.example.Bank")),
            try shop.reasons(for: rename("ann", to: "b", group: "org.example.Bank")),
        ] { #expect(reasons == ["access-group-not-entitled"]) }
        #expect(try shop.reasons(for: KeychainGet(self.item("ann"))) == ["item-not-found"])
        #expect(try daemon.connect(as: "org.example.Nobody").reasons(for: set("ann")) == ["app-not-registered"])
    }

    @Test("With proof every group is reached, and all items are listed page by page; a release is on record")
    func proven() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        for account in ["a", "b", "c"] { try shop.answer(to: set(account)) }
        let user = try daemon.user()
        let refused = try #require(try user.refusal(of: KeychainGet(item("a"), proof: .test)))
        #expect(refused.reasons.map(\.reason) == ["parameter-invalid"] && refused.member == "accessGroup")
        #expect(refused.fix?.hasPrefix("Add \"accessGroup\"") == true, "\(refused.fix ?? "")")
        try user.answer(to: KeychainGet(item("a", group: "org.example.Shop"), proof: .test))
        #expect(daemon.journal.contains { $0.method == "keychain.get" && $0.message.contains("with proof") })
        #expect(try accounts(user, proof: .test) == ["a", "b", "c"])
    }

    @Test("A page of a service ends where the next one begins")
    func pages() throws {
        let shop = try connect(try TestService())
        for number in 0..<5 { try shop.answer(to: set("\(number)")) }
        #expect(try accounts(shop, of: "tokens") == ["0", "1", "2", "3", "4"])
    }
}
