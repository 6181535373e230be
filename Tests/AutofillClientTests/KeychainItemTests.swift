// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillCommands
import Testing

@Suite("Keychain items and the real service", .serialized, .enabled(if: TestDaemon.isThere, TestDaemon.absence))
struct KeychainItemTests {
    private static let mail = ["server": "mail.example.com", "user": "ann"]

    @Test("Any bytes are added, found by their attributes, read in another connection, changed and deleted")
    func wholeLifecycle() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        let bytes = Array(UInt8.min...UInt8.max)
        let id = try await session.addKeychainItem(
            bytes, attributes: Self.mail, label: "Mail", contentType: "application/octet-stream", collection: "login")
        let again = try await daemon.session()
        let found = try #require(try await again.keychainItems(with: ["server": "mail.example.com"]).first)
        #expect(found.id == id && found.accessGroup == "org.example.Shop" && !found.isWithheld)
        #expect(found.attributes == Self.mail && found.label == "Mail" && found.collection == "login")
        #expect(found.contentType == "application/octet-stream")
        #expect(try #require(found.created) <= #require(found.modified))
        #expect(try await again.keychainData(of: id) == bytes)

        // What is left out is not changed.
        #expect(try await again.changeKeychainItem(id, attributes: ["server": "www.example.com"]))
        #expect(try await !again.changeKeychainItem(id, attributes: ["server": "www.example.com"]), "repeated")
        #expect(try await session.keychainItems(with: Self.mail).isEmpty)
        #expect(try await session.keychainData(of: id) == bytes)
        #expect(try await session.changeKeychainItem(id, data: [], label: "Web"))
        let changed = try #require(try await session.keychainItems(with: ["server": "www.example.com"]).first)
        #expect(changed.id == id && changed.label == "Web" && changed.collection == "login")
        #expect(try await session.keychainData(of: id) == [])

        #expect(try await session.deleteKeychainItem(id))
        #expect(try await !session.deleteKeychainItem(id))
        #expect(try await session.keychainItems().isEmpty)
        await #expect(throws: AutofillError.self) { try await session.keychainData(of: id) }
    }

    @Test("Items with the same attributes exist side by side, and every page of a search is read")
    func many() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        var ids: Set<String> = []
        for number in 0..<150 {
            let attributes = Self.mail.merging(["number": "\(number % 75)"]) { $1 }
            ids.insert(try await session.addKeychainItem([UInt8(number)], attributes: attributes))
        }
        #expect(ids.count == 150)
        #expect(Set(try await session.keychainItems(with: Self.mail).map(\.id)) == ids)
        let two = try await session.keychainItems(with: ["number": "7"])
        #expect(two.count == 2)
        var data: Set<[UInt8]> = []
        for item in two { data.insert(try await session.keychainData(of: item.id)) }
        #expect(data == [[7], [82]])
        #expect(try await session.keychainItems(with: Self.mail, collection: "login").isEmpty)
    }

    @Test("Access to another app's group and item is refused, and the error has the reason")
    func groups() async throws {
        let daemon = try await TestDaemon(apps: [
            "org.example.Shop": ["shop.example.com"], "org.example.Bank": ["bank.example.com"],
        ])
        let (shop, bank) = (try await daemon.session(), try await daemon.session(as: "org.example.Bank"))
        let id = try await bank.addKeychainItem([1], attributes: Self.mail)
        #expect(try await shop.keychainItems(with: Self.mail).isEmpty)
        let searched = await #expect(throws: AutofillError.self) {
            try await shop.keychainItems(with: Self.mail, accessGroup: "org.example.Bank")
        }
        let added = await #expect(throws: AutofillError.self) {
            try await shop.addKeychainItem([2], accessGroup: "org.example.Bank", attributes: Self.mail)
        }
        #expect([searched, added].map(Self.reasons) == [[.accessGroupNotEntitled], [.accessGroupNotEntitled]])
        let read = await #expect(throws: AutofillError.self) { try await shop.keychainData(of: id) }
        #expect(Self.reasons(read) == [.itemNotFound])
        #expect(try await bank.keychainData(of: id) == [1])
    }

    @Test(
        "An item without attributes, or over a limit, is refused with the member's name, and nothing is stored")
    func limits() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        let long = String(repeating: "x", count: 1025)
        for attributes in [[:], ["a": long], [long: "a"], ["": "a"]] {
            let refused = await #expect(throws: AutofillError.self) {
                try await session.addKeychainItem([1], attributes: attributes)
            }
            guard case .invalidRequest = refused else {
                Issue.record("\(String(describing: refused))")
                continue
            }
        }
        await #expect(throws: AutofillError.self) {
            try await session.addKeychainItem([UInt8](repeating: 0, count: 32_769), attributes: Self.mail)
        }
        let largest = [UInt8](repeating: 7, count: 32_768)
        let id = try await session.addKeychainItem(largest, attributes: Self.mail)
        #expect(try await session.keychainItems().map(\.id) == [id])
        #expect(try await session.keychainData(of: id) == largest)
    }

    private static func reasons(_ error: AutofillError?) -> [AutofillReason.Code] {
        if case .refused(let reasons) = error { reasons.map(\.code) } else { [] }
    }
}
