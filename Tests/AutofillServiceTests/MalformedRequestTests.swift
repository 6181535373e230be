// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Support
import Testing

@Suite("Requests with too little or too much")
struct MalformedRequestTests {
    private let place = ["namespace": "tokens", "account": "ann"]

    private func connect(_ app: String = "org.example.Shop", strict: Bool = false) throws -> ServiceConnection {
        let connection = try TestService().connect()
        let answer = try connection.call(
            "hello", ["bundleID": app, "protocol": ["min": 1, "max": 1], "strict": strict])
        #expect(answer.error == nil)
        return connection
    }

    @Test("A list of all services needs proof; items are searched by a namespace, or by attributes")
    func lists() throws {
        let app = try connect()
        let credentials = try app.call("credential.list", [:])
        #expect(credentials.reasons == ["parameter-missing"] && credentials.member == "service")
        for other in [["attributes": ["a": "b"]], ["collection": "c"]] as [[String: Any]] {
            let items = try app.call("keychain.search", ["place": ["namespace": "n"]].merging(other) { $1 })
            #expect(items.fixes == [#"Send only one of "place" and "\#(other.keys.first ?? "")""#])
        }
    }

    @Test("The fix names all members that exclude each other, and what an object must have")
    func fixes() throws {
        let app = try connect()
        let fill = try app.call("autofill.fill", ["offer": "off_x", "credential": "crd_x"])
        #expect(fill.fixes == [#"Send only one of "offer", "credential", "codeID" and "service""#])
        let get = try app.call("credential.get", [:])
        #expect(get.fixes == [#"Add "credential": the credential's id, or service and user"#])
        let item = try app.call("keychain.get", ["item": "itm_x", "place": place])
        #expect(item.fixes == [#"Send only one of "place" and "item""#])
    }

    @Test("Unknown members of binary data are named as those of any object, and refused to a strict client")
    func data() throws {
        let data: [String: Any] = ["base64": "YQ==", "later": 1]
        let (app, strict) = (try connect(), try connect(strict: true))
        let saved = try app.call("keychain.set", ["place": place, "data": data])
        #expect(saved.result?["warnings"] as? [String] == ["unknown parameter: data.later"])
        let refused = try strict.call("keychain.set", ["place": place, "data": data])
        #expect(refused.reasons == ["parameter-unknown"] && refused.member == "data.later")
    }

    @Test("An app without a registration learns that first, whatever it sends about offers")
    func unregistered() throws {
        let (unknown, shop) = (try connect("org.example.Unknown"), try connect())
        let offer = "off_" + String(repeating: "0", count: 26)
        for (method, more) in [("autofill.accept", ["user": "ann"]), ("autofill.decline", [:]), ("autofill.fill", [:])]
        {
            let parameters = ["offer": offer].merging(more) { $1 }
            #expect(try unknown.call(method, parameters).reasons == ["app-not-registered"], "\(method)")
            #expect(try shop.call(method, parameters).reasons == ["offer-not-found"], "\(method)")
        }
    }

    @Test("status shows an app without a registration the vault's state and the protocol, and no more")
    func status() throws {
        let (unknown, shop) = (try connect("org.example.Unknown"), try connect())
        let (less, all) = (try unknown.answer(to: Status()), try shop.answer(to: Status()))
        #expect(less == Status.Answer(protocolVersion: 1, vault: "unlocked") && all.vault == "unlocked")
        #expect(Set(try unknown.call("status").result?.keys.map(\.self) ?? []) == ["protocol", "vault"])
        let daemon = try #require(all.daemon)
        #expect(daemon.credentials == 0 && daemon.apps > 0)
    }
}
