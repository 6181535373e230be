// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Support
import Systemd
import TestGround
import Testing

@testable import SecretService

@Suite(
    "What a program has locked itself", .blocking, .timeLimit(.minutes(10)),
    .enabled(if: SecretStage.isAvailable, "\(SecretStage.need)"))
struct OwnLockTests {
    private static let collection = SecretPath.collection(token: "login").text

    private func failure(_ result: Result<BusMessage, BusError>) -> String? {
        if case .failure(let error) = result { error.name } else { nil }
    }

    /// The result of each change of an item, and finally of its deletion.
    private func change(_ item: String, _ client: BusClient) throws -> [String?] {
        [
            failure(try client.set("Label", .text("New"), of: item, "Secret.Item")),
            failure(try client.set("Attributes", .attributes(["b": "2"]), of: item, "Secret.Item")),
            failure(try client.call(item, "Secret.Item", "Delete")),
        ]
    }

    @Test(
        "Until it is unlocked an item is neither changed nor deleted, on whatever connection of the program",
        arguments: [false, true])
    func item(isWhole: Bool) throws {
        let stage = try SecretStage()
        let client = try BusClient(stage)
        let item = try client.make(["a": "1"], session: try client.session())
        let locked = isWhole ? Self.collection : item
        #expect(try client.lock([locked]) == [locked])
        let isLocked = "org.freedesktop.Secret.Error.IsLocked"
        #expect(try change(item, client) == [isLocked, isLocked, isLocked])
        // Its first calls: the bridge has not identified the connection yet.
        #expect(try change(item, BusClient(stage)) == [isLocked, isLocked, isLocked])
        #expect(try client.unlock([locked]).unlocked == [locked])
        #expect(try client.search(["a": "1"]).unlocked == [item], "nothing was changed")
        #expect(try change(item, client) == [nil, nil, nil])
        #expect(try client.search(["b": "2"]).unlocked == [])
    }

    @Test("Until it is unlocked a collection that it made stays, and so it does with an item that is locked in it")
    func collection() throws {
        let stage = try SecretStage()
        let client = try BusClient(stage)
        let made = try client.makeCollection("Work")
        let token = try #require(made.split(separator: "/").last.map(String.init))
        let item = try client.make(["a": "1"], in: token, session: try client.session())
        for locked in [made, item] {
            #expect(try client.lock([locked]) == [locked])
            let refused = failure(try client.call(made, "Secret.Collection", "Delete"))
            #expect(refused == "org.freedesktop.Secret.Error.IsLocked")
            #expect(try client.unlock([locked]).unlocked == [locked])
        }
        #expect(try client.search(["a": "1"]).unlocked == [item])
        #expect(failure(try client.call(made, "Secret.Collection", "Delete")) == nil)
        #expect(try client.search(["a": "1"]).unlocked.isEmpty)
    }

    @Test("Until it is unlocked a collection keeps its label")
    func label() throws {
        let stage = try SecretStage()
        let client = try BusClient(stage)
        func rename() throws -> String? {
            failure(try client.set("Label", .text("New"), of: Self.collection, "Secret.Collection"))
        }
        #expect(try client.lock([Self.collection]) == [Self.collection])
        #expect(try rename() == "org.freedesktop.Secret.Error.IsLocked")
        #expect(try client.unlock([Self.collection]).prompt == "/")
        #expect(try rename() == nil)
    }

    @Test("An item of a locked collection is locked by whatever path it is named, and is unlocked by that path too")
    func otherPath() throws {
        let stage = try SecretStage()
        let client = try BusClient(stage)
        let session = try client.session()
        let made = try client.makeCollection("Work")
        let token = try #require(made.split(separator: "/").last.map(String.init))
        let item = try client.make(["a": "1"], in: token, session: session)
        let name = try #require(item.split(separator: "/").last)
        let other = "\(Self.collection)/\(name)"
        let isLocked = "org.freedesktop.Secret.Error.IsLocked"
        #expect(try failure(client.secret(other, session)) == nil)
        #expect(try client.lock([made]) == [made])
        for path in [item, other, "\(SecretServiceNames.root)/aliases/default/\(name)"] {
            #expect(try failure(client.secret(path, session)) == isLocked, "\(path)")
            #expect(try failure(client.setSecret(path, session)) == isLocked, "\(path)")
            #expect(try change(path, client) == [isLocked, isLocked, isLocked], "\(path)")
            #expect(try client.secrets([path], session).isEmpty, "\(path)")
        }
        #expect(try client.unlock([other]).unlocked == [other])
        #expect(try failure(client.secret(other, session)) == nil)
        #expect(try client.secrets([other], session) == [other])
        #expect(try change(item, client) == [nil, nil, nil])
    }

    @Test("An item in memory is not locked, by whatever path it is named, and is not reported as locked")
    func itemInMemory() throws {
        let stage = try SecretStage()
        let client = try BusClient(stage)
        let session = try client.session()
        let item = try client.make(["a": "1"], in: "session", session: session)
        let name = try #require(item.split(separator: "/").last)
        #expect(try client.lock([item, "\(Self.collection)/\(name)"]) == [])
        #expect(try failure(client.secret(item, session)) == nil)
    }

    @Test("What is not locked, since the program has locked too many objects, is not reported as locked")
    func tooMany() throws {
        let stage = try SecretStage()
        let client = try BusClient(stage)
        let paths = (0...BridgeLimits.rememberedItems).map { "\(Self.collection)/itm_\($0)" }
        let first = Array(paths.prefix(BridgeLimits.objectsPerCall))
        #expect(try client.lock(first) == first)
        let rest = Array(paths.dropFirst(BridgeLimits.objectsPerCall))
        #expect(try client.lock(rest) == Array(rest.dropLast()))
        #expect(try client.lock(first) == first, "they are locked already")
    }
}

extension BusClient {
    fileprivate func secret(_ path: String, _ session: String) throws -> Result<BusMessage, BusError> {
        try call(path, "Secret.Item", "GetSecret") { message throws(BusError) in
            try message.append(session, type: "o")
        }
    }

    fileprivate func setSecret(_ path: String, _ session: String) throws -> Result<BusMessage, BusError> {
        try call(path, "Secret.Item", "SetSecret") { message throws(BusError) in
            try message.write("r", of: "oayays") { () throws(BusError) in
                try message.append(session, type: "o")
                try message.append(bytes: [])
                try message.append(bytes: Array("n3w".utf8))
                try message.append("text/plain")
            }
        }
    }
}
