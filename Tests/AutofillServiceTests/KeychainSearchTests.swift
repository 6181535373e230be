// SPDX-License-Identifier: Apache-2.0
import AutofillService
import Foundation
import Prompting
import Support
import Testing

@Suite("Keychain items by attributes")
struct KeychainSearchTests {
    private static let mail = ["server": "mail.example.com", "user": "ann"]
    private static var data: [String: Any] { ["base64": "AAEC"] }

    private func connect(
        _ daemon: TestService, _ app: String = "org.example.Shop", inode: UInt64 = 7
    ) throws -> ServiceConnection {
        let connection = daemon.connect(.process(path: "/home/user/app\(inode)", inode: inode))
        try connection.hello(app)
        return connection
    }

    private func add(
        _ app: ServiceConnection, _ attributes: [String: String] = mail, _ more: [String: Any] = [:]
    ) throws -> String {
        let parameters: [String: Any] = ["attributes": attributes, "data": Self.data]
        return try #require(try app.call("keychain.set", parameters.merging(more) { $1 }).text("item"))
    }

    private func search(
        _ app: ServiceConnection, _ attributes: [String: String] = [:], _ more: [String: Any] = [:]
    ) throws -> [[String: Any]] {
        let found = try app.call("keychain.search", ["attributes": attributes].merging(more) { $1 })
        return try #require(found.result?["items"] as? [[String: Any]])
    }

    private func ids(_ items: [[String: Any]]) -> Set<String> { Set(items.compactMap { $0["item"] as? String }) }

    @Test(
        "Items with the same attributes stand side by side; a search tells all of them but the bytes, and nobody is asked"
    )
    func sideBySide() throws {
        let daemon = try TestService(consent: .absent)
        let shop = try connect(daemon)
        let more: [String: Any] = ["label": "Mail", "contentType": "text/plain", "collection": "login"]
        let first = try add(shop, Self.mail, more)
        let second = try add(shop)
        #expect(first != second)
        let again = try connect(daemon)
        let found = try search(again, Self.mail)
        #expect(try ids(found) == [first, second] && ids(search(again)) == [first, second])
        let item = try #require(found.first { $0["item"] as? String == first })
        #expect(item["attributes"] as? [String: String] == Self.mail && item["place"] is NSNull)
        #expect(item["label"] as? String == "Mail" && item["contentType"] as? String == "text/plain")
        #expect(item["collection"] as? String == "login" && item["data"] == nil && item["withheld"] == nil)
        #expect(item["created"] != nil && item["modified"] != nil && item["version"] != nil)
        #expect(try search(again, ["server": "mail.example.com", "user": "bob"]).isEmpty)
        #expect(ids(try search(again, [:], ["collection": "login"])) == [first])
        let read = try again.call("keychain.get", ["item": first])
        #expect((read.result?["data"] as? [String: String])?["base64"] == "AAEC")
    }

    @Test("A set by id changes what it names and keeps the rest; replace changes the item with just these attributes")
    func changed() throws {
        let shop = try connect(try TestService())
        let id = try add(shop, Self.mail, ["label": "Mail"])
        let renamed = try shop.call("keychain.set", ["item": id, "attributes": ["server": "www.example.com"]])
        #expect(renamed.result?["changed"] as? Bool == true)
        #expect(
            try shop.call("keychain.set", ["item": id, "attributes": ["server": "www.example.com"]])
                .result?["changed"] as? Bool == false)
        #expect(try search(shop, Self.mail).isEmpty)
        let found = try #require(try search(shop, ["server": "www.example.com"]).first)
        #expect(found["label"] as? String == "Mail")
        #expect(try add(shop, ["server": "www.example.com"], ["replace": true]) == id)
        #expect(try add(shop, ["server": "www.example.com"], ["replace": false]) != id)
        let other = try add(shop, ["server": "www.example.com", "more": ""], ["replace": true])
        #expect(try search(shop, ["server": "www.example.com"]).count == 3)
        #expect(try shop.call("keychain.delete", ["item": other]).result?["changed"] as? Bool == true)
        #expect(try shop.call("keychain.get", ["item": other]).reasons == ["item-not-found"])
        #expect(try shop.call("keychain.set", ["item": other, "label": "x"]).reasons == ["item-not-found"])
    }

    @Test(
        "A place stands for two attributes: its item is found by them, keeps them, and gets and loses the place by rename"
    )
    func places() throws {
        let shop = try connect(try TestService())
        let place = ["service": "sync", "account": "ann"]
        let held = try #require(
            try shop.call("keychain.set", ["place": place, "data": Self.data, "attributes": ["more": "1"]]).text("item")
        )
        let beside = try add(shop, place)
        #expect(ids(try search(shop, place)) == [held, beside])
        #expect(ids(try search(shop, ["service": "sync", "more": "1"])) == [held])
        let item = try #require(try search(shop, ["more": "1"]).first)
        #expect(item["place"] as? [String: String] == place)
        #expect(item["attributes"] as? [String: String] == place.merging(["more": "1"]) { $1 })
        #expect(
            try shop.call("keychain.set", ["place": place, "data": Self.data, "replace": false]).reasons
                == ["item-exists"])
        #expect(try shop.call("keychain.rename", ["item": beside, "newPlace": place]).reasons == ["item-exists"])
        let free = ["service": "sync", "account": "bob"]
        #expect(try shop.call("keychain.rename", ["item": beside, "newPlace": free]).text("item") == beside)
        #expect(try shop.call("keychain.get", ["place": free]).text("item") == beside)
        let listed = try shop.call("keychain.list", ["place": ["service": "sync"]]).result?["items"]
        #expect(ids(try #require(listed as? [[String: Any]])) == [held, beside])
    }

    @Test("What another program wrote is told of only by what the search named, and read by the person's word")
    func foreign() throws {
        let daemon = try TestService(consent: .absent)
        let shop = try connect(daemon)
        let id = try add(shop, Self.mail.merging(["secret": "code name"]) { $1 }, ["label": "Label"])
        let other = try connect(daemon, inode: 8)
        let found = try #require(try search(other, Self.mail).first)
        #expect(found["withheld"] as? Bool == true && found["item"] as? String == id)
        #expect(found["attributes"] as? [String: String] == Self.mail)
        for member in ["label", "contentType", "collection", "version", "created", "modified"] {
            #expect(found[member] == nil, "\(member)")
        }
        #expect(try search(other).isEmpty && search(other, ["secret": "other"]).isEmpty)
        for (method, more) in [
            ("keychain.get", [:]), ("keychain.delete", [:]), ("keychain.set", ["label": "mine"]),
            ("keychain.rename", ["newPlace": ["service": "a", "account": "b"]]),
        ] as [(String, [String: Any])] {
            #expect(try other.call(method, ["item": id].merging(more) { $1 }).reasons == ["grant-missing"], "\(method)")
        }
        #expect(try search(shop, Self.mail).first?["label"] as? String == "Label")
    }

    @Test("An item of a group that the app does not reach is found by no search and by no id")
    func groups() throws {
        let daemon = try TestService()
        let id = try add(connect(daemon, "org.example.Bank"))
        let shop = try connect(daemon)
        #expect(try search(shop, Self.mail).isEmpty)
        #expect(
            try shop.call("keychain.search", ["accessGroup": "org.example.Bank"]).reasons == [
                "access-group-not-entitled"
            ])
        for method in ["keychain.get", "keychain.set"] {
            #expect(try shop.call(method, ["item": id]).reasons == ["item-not-found"], "\(method)")
        }
        #expect(try shop.call("keychain.delete", ["item": id]).result?["changed"] as? Bool == false)
        #expect(try connect(daemon, "org.example.Bank").call("keychain.get", ["item": id]).error == nil)
    }

    @Test("With proof a group's items are searched, all told; without a group that is refused")
    func proven() throws {
        let daemon = try TestService()
        let id = try add(connect(daemon), Self.mail, ["label": "Label"])
        let person = try connect(daemon, "org.autofilld.autofillctl")
        let proof: [String: Any] = ["proof": Examples.proof, "accessGroup": "org.example.Shop"]
        let found = try #require(try search(person, Self.mail, proof).first)
        #expect(found["item"] as? String == id && found["label"] as? String == "Label")
        #expect(try person.call("keychain.search", ["proof": Examples.proof]).problem == "parameter-invalid")
    }

    @Test("Requests that do not say which item, or say it twice, are refused by name")
    func refused() throws {
        let shop = try connect(try TestService())
        let place = ["service": "a", "account": "b"]
        let long = String(repeating: "x", count: 1025)
        let many = Dictionary(uniqueKeysWithValues: (0..<65).map { ("\($0)", "") })
        let large = Dictionary(uniqueKeysWithValues: (0..<9).map { ("\($0)", String(repeating: "x", count: 1000)) })
        for (method, parameters, member) in [
            ("keychain.get", [:], "place"), ("keychain.get", ["item": "itm_1", "place": place], "place"),
            ("keychain.get", ["item": "itm_1", "accessGroup": "a.b"], "accessGroup"),
            ("keychain.set", ["data": Self.data], "place"), ("keychain.set", ["place": place], "data"),
            ("keychain.set", ["data": Self.data, "attributes": [String: String]()], "place"),
            ("keychain.set", ["item": "itm_1", "replace": true], "replace"),
            ("keychain.set", ["item": "itm_1", "place": place], "place"),
            ("keychain.set", ["place": place, "data": Self.data, "attributes": ["service": "c"]], "attributes"),
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
            var parameters: [String: Any] = ["limit": 500]
            parameters["cursor"] = cursor
            let page = try shop.call("keychain.search", parameters)
            seen.formUnion(ids(try #require(page.result?["items"] as? [[String: Any]])))
            cursor = page.text("next")
            pages += 1
        } while cursor != nil && pages < 40
        #expect(seen.count == 40 && (2...5).contains(pages), "\(seen.count) \(pages)")
    }
}
