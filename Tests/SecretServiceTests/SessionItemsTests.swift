// SPDX-License-Identifier: Apache-2.0
import SecretMemory
import Testing

@testable import SecretService

@Suite("The collection in memory")
struct SessionItemsTests {
    private let items = SessionItems()

    private func add(
        _ attributes: [String: String], _ secret: String = "s", replaces: Bool = false,
        of owner: SessionItems.Owner = .a
    ) throws -> (id: String, isNew: Bool) {
        try items.set(
            attributes, label: "l", secret: SecretBytes(utf8: secret), contentType: "text/plain", replaces: replaces,
            of: owner, now: 5)
    }

    @Test("An item is found by its attributes, changed and deleted, by its program alone")
    func lifecycle() throws {
        let id = try add(["user": "ann", "host": "x"]).id
        #expect(SessionItems.has(id) && !SessionItems.has("itm_0"))
        #expect(items.search(["user": "ann"], of: .a).map(\.id) == [id])
        #expect(items.search(["user": "bob"], of: .a).isEmpty && items.search([:], of: .b).isEmpty)
        #expect(items.item(id, of: .b) == nil && items.secret(id, of: .b) == nil)
        #expect(throws: SessionItems.Failure.notFound) { try items.delete(id, of: .b) }
        #expect(throws: SessionItems.Failure.notFound) { try items.change(id, of: .b, label: "x", now: 6) }
        try items.change(id, of: .a, label: "new", secret: (SecretBytes(utf8: "t"), contentType: "x/y"), now: 6)
        let item = try #require(items.item(id, of: .a))
        #expect(item.label == "new" && item.created == 5 && item.modified == 6)
        #expect(items.secret(id, of: .a)?.contentType == "x/y")
        try items.delete(id, of: .a)
        #expect(items.search([:], of: .a).isEmpty)
    }

    @Test("All items of one that has ended are deleted, and free their capacity")
    func deleted() throws {
        for number in 0..<BridgeLimits.sessionItemsPerApp { _ = try add(["n": "\(number)"]) }
        items.deleteAll(of: .a)
        items.deleteAll(of: .b)
        #expect(items.search([:], of: .a).isEmpty)
        for number in 0..<BridgeLimits.sessionItemsPerApp { _ = try add(["n": "\(number)"]) }
    }

    @Test("Replacing changes the item with just these attributes; else there are two")
    func replacing() throws {
        let first = try add(["user": "ann"]).id
        let second = try add(["user": "ann"], replaces: true)
        #expect(second.id == first && !second.isNew)
        #expect(try add(["user": "ann"]).isNew)
        #expect(try add(["user": "ann", "more": "x"], replaces: true).isNew)
        #expect(items.search(["user": "ann"], of: .a).count == 3)
    }

    @Test("The items and bytes of one program, and of all, are limited; a deletion frees capacity")
    func limits() throws {
        for number in 0..<BridgeLimits.sessionItemsPerApp { _ = try add(["n": "\(number)"]) }
        #expect(throws: SessionItems.Failure.full) { try add(["n": "more"]) }
        #expect(try !add(["n": "1"], "changed", replaces: true).isNew)
        let large = String(repeating: "x", count: BridgeLimits.sessionBytesPerApp * 2 / 3)
        let id = try add(["n": "large"], large, of: .b).id
        #expect(throws: SessionItems.Failure.full) { try add(["n": "2"], large, of: .b) }
        #expect(throws: SessionItems.Failure.full) {
            try items.change(id, of: .b, secret: (SecretBytes(utf8: large + large), contentType: ""), now: 6)
        }
        #expect(throws: SessionItems.Failure.full) {
            try items.change(id, of: .b, label: large + large, now: 6)
        }
        #expect(throws: SessionItems.Failure.full) { try add(["n": large + large], of: .c) }
        try items.delete(id, of: .b)
        #expect(try add(["n": "2"], large, of: .b).isNew)
        var others = 0
        while (try? add(["n": "large"], large, of: SessionItems.Owner(app: "app\(others)"))) != nil { others += 1 }
        #expect((others + 1) * large.utf8.count <= BridgeLimits.sessionBytes, "of all")
        #expect((others + 2) * large.utf8.count > BridgeLimits.sessionBytes - BridgeLimits.sessionBytesPerApp)
    }

    @Test("The connections of one program share its quota, and see nothing of each other's items")
    func connections() throws {
        let owners = (0..<8).map { SessionItems.Owner(app: "script.a", connection: ":1.\($0)") }
        for number in 0..<BridgeLimits.sessionItemsPerApp { _ = try add(["n": "\(number)"], of: owners[number % 8]) }
        for owner in owners {
            #expect(throws: SessionItems.Failure.full) { try add(["n": "more"], of: owner) }
            #expect(items.search([:], of: owner).count == BridgeLimits.sessionItemsPerApp / 8)
        }
        #expect(try add(["n": "other"], of: .b).isNew)
        items.deleteAll(of: owners[0])
        #expect(!items.hasItems(of: owners[0]) && items.hasItems(of: owners[1]))
        let large = String(repeating: "x", count: BridgeLimits.sessionBytesPerApp * 2 / 3)
        #expect(try add(["n": "large"], large, of: owners[1]).isNew)
        #expect(throws: SessionItems.Failure.full) { try add(["n": "large"], large, of: owners[2]) }
    }

    @Test("Whose items a connection has is determined once for each program that had it, though it may be shared later")
    func firstUse() {
        var owners = SessionOwners()
        func owner(_ app: String, isShared: Bool) -> SessionItems.Owner {
            owners.owner(of: app, on: ":1.1", isShared: isShared)
        }
        #expect(owner("program.a", isShared: false) == SessionItems.Owner(app: "program.a"))
        #expect(owner("program.a", isShared: true) == SessionItems.Owner(app: "program.a"))
        #expect(owners.ofConnection.isEmpty)
        let own = ["program.b", "script.c"].map { SessionItems.Owner(app: $0, connection: ":1.1") }
        #expect(owner("program.b", isShared: true) == own[0])
        #expect(owner("script.c", isShared: false) == own[1])
        #expect(Set(owners.ofConnection) == Set(own))
    }
}

extension SessionItems.Owner {
    fileprivate static var a: Self { Self(app: "a") }
    fileprivate static var b: Self { Self(app: "b") }
    fileprivate static var c: Self { Self(app: "c") }
}
