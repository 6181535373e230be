// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Support
import Testing

@Suite("What hello returns")
struct GreetingTests {
    private func line(_ app: String) throws -> String {
        let hello = ServiceConnection.self
        let connection = try TestService().connect()
        return try #require(
            try connection.exchange(
                try hello.line("hello", ["bundleID": app, "protocol": ["min": 1, "max": 1]])
            ).first)
    }

    @Test(
        "Its line is under 700 bytes",
        arguments: [
            "org.example.Shop", "org.example.Nobody", "org.example.NotSetUp", "org.example.Bank",
            "org.autofilld.autofillctl",
        ])
    func size(_ app: String) throws {
        let line = try line(app)
        #expect(line.utf8.count < 700, "\(line)")
    }

    @Test("It returns what this app may do, and the limits that a client needs; all of them come on request")
    func capabilities() throws {
        let shop = try TestAnswer(try line("org.example.Shop"))
        #expect(
            shop.result?["capabilities"] as? [String]
                == ["strong-passwords", "credentials", "codes", "keychain", "verifiers", "sign-in"])
        #expect(
            Set((shop.result?["limits"] as? [String: Int] ?? [:]).keys)
                == ["lineBytes", "answerBytes", "formFields", "waitingRequests", "passwordBytes", "listLimit"])
        let bare = try TestAnswer(try line("org.example.NotSetUp"))
        #expect(bare.result?["capabilities"] as? [String] == ["keychain", "verifiers", "sign-in"])
        #expect((bare.result?["app"] as? [String: Any])?["reasonNames"] as? [String] == ["associated-domains-missing"])
        let nobody = try TestAnswer(try line("org.example.Nobody"))
        #expect(nobody.result?["capabilities"] as? [String] == [])
        let app = try TestService().connect()
        try app.hello()
        let all = try app.call("admin.limit.list").result?["limits"] as? [[String: Any]]
        #expect(all?.count == Limits.listed.count)
        #expect(all?.first?["limit"] as? String == "lineBytes" && all?.first?["value"] as? Int == Limits.lineBytes)
    }

    @Test("rpc.discover answers the very document that the daemon prints")
    func discovery() throws {
        let app = try TestService().connect()
        try app.hello()
        let answer = try app.call("rpc.discover").result
        let printed = try JSONSerialization.jsonObject(with: Data(OpenRPC.document.utf8)) as? [String: Any]
        #expect(answer as NSDictionary? == printed as NSDictionary?)
    }
}
