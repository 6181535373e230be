// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Credentials
import EventLoop
import Foundation
import Prompting
import Settings
import Support
import Testing

@Suite("A request from its line to its answer")
struct RequestLifecycleTests {
    private let daemon: TestService
    private let app: ServiceConnection
    private static var get: [String: Any] { ["service": Examples.shop] }

    /// Something is saved for the shop, which the user may be asked about.
    init() throws {
        daemon = try TestService(consent: .user)
        let user = daemon.connect()
        try user.hello("org.autofilld.autofillctl")
        try user.call(
            "credential.save",
            ["service": Examples.shop, "user": "ann", "password": "s3cret", "proof": Examples.proof])
        app = daemon.connect(.systemProgram)
        try app.hello()
    }

    @Test(
        "One that need not wait is answered in the turn in which it came",
        arguments: ["status", "credential.save", "credential.get", "keychain.set"])
    func atOnce(_ method: String) throws {
        try app.call(
            "credential.save", ["service": Examples.shop, "user": "bob", "password": "s3cret"])
        let parameters: [String: [String: Any]] = [
            "status": [:], "credential.get": ["service": Examples.shop, "user": "bob"],
            "credential.save": ["service": Examples.shop, "user": "eve", "password": "s3cret"],
            "keychain.set": ["place": ["namespace": "token", "account": "a"], "data": ["base64": "AAEC"]],
        ]
        let line = Array(try ServiceConnection.line(method, parameters[method] ?? [:]).utf8)
        let bytes = try daemon.onEngine { [client = app.client] engine in
            _ = line.withUnsafeBytes { engine.receive($0, from: client) }
            return engine.outgoingBytes
        }
        #expect(bytes > 0)
        #expect(try app.answers().map { $0.error == nil } == [true])
    }

    @Test("Work on threads comes back to the engine's: prompts, sites and the end of a turn are its thread's")
    func oneThread() throws {
        let daemon = try TestService(consent: .fixed(.allow), siteAssociation: .required, hasThreads: true)
        daemon.sites = { .listing(["org.example.Shop"], to: $0) }
        let app = daemon.connect(.systemProgram)
        try app.hello()
        try app.call("admin.vault.lock")
        try app.call("vault.unlock", ["proof": Examples.proof])
        let save: [String: Any] = ["service": Examples.shop, "user": "ann", "password": "s3cret"]
        #expect(try app.call("credential.save", save).error == nil)
        let other = daemon.connect(.plainProcess)
        try other.hello()
        #expect(try other.call("credential.get", Self.get).text("password") == "s3cret")
        #expect(try other.call("admin.vault.check", ["proof": Examples.proof]).result?["intact"] as? Bool == true)
        try daemon.begin { await $0.keepUp() }
        #expect(daemon.wasOnItsThread)
    }

    @Test("Answers leave in the order in which they come about; each connection may have 32 requests that wait")
    func waiting() throws {
        for id in 1...Limits.waitingRequests {
            #expect(try app.send("credential.get", Self.get, id: id).isEmpty)
        }
        let late = try app.send("credential.get", Self.get, id: 33)
        #expect(late.map(\.reasons) == [["too-many-requests"]])
        #expect(try app.send("status", id: 34).map { $0.error == nil } == [true])
        try daemon.answer(try #require(daemon.questions.first), .once)
        let ids = try app.received().map { line in
            let answer = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return answer?["id"] as? Int
        }
        #expect(ids == Array(1...Limits.waitingRequests))
    }

    @Test("An id may be used again when its request was answered, and not while it waits")
    func identifiers() throws {
        #expect(try app.send("credential.get", Self.get, id: 7).isEmpty)
        #expect(try app.send("status", id: 7).map(\.problem) == ["id-in-use"])
        try daemon.answer(try #require(daemon.questions.first), .once)
        #expect(try app.answers().map { $0.text("password") } == ["s3cret"])
        #expect(try app.send("status", id: 7).map { $0.error == nil } == [true])
    }

    @Test("A cancel is answered first at the request that was cancelled, and returns whether there was one")
    func cancelled() throws {
        #expect(try app.send("credential.get", Self.get, id: 7).isEmpty)
        let first = try app.send("request.cancel", ["id": 7], id: 8)
        #expect(first.map(\.reasons) == [["cancelled"], []])
        #expect(first.last?.result?["changed"] as? Bool == true)
        let second = try app.send("request.cancel", ["id": 7], id: 9)
        #expect(second.map { $0.result?["changed"] as? Bool } == [false])
        #expect(daemon.questions.isEmpty)
    }

    @Test("One prompt stays for those who still wait, when another of them has gone")
    func shared() throws {
        let other = daemon.connect(.systemProgram)
        try other.hello()
        #expect(try app.send("credential.get", Self.get).isEmpty)
        #expect(try other.send("credential.get", Self.get).isEmpty)
        try app.disconnect()
        try daemon.answer(try #require(daemon.questions.first), .once)
        #expect(try other.answers().map { $0.text("password") } == ["s3cret"])
        #expect(app.received().isEmpty)
    }

    @Test("An answer to a prompt that was withdrawn meanwhile has no effect")
    func withdrawnPrompt() throws {
        #expect(try app.send("credential.get", Self.get, id: 7).isEmpty)
        let question = try #require(daemon.questions.first)
        try app.disconnect()
        try daemon.answer(question, .allow)
        let next = daemon.connect(.systemProgram)
        try next.hello()
        #expect(try next.send("credential.get", Self.get).isEmpty)
        #expect(daemon.questions.count == 1)
    }

    @Test("What is cancelled in the turn in which the user says yes is not done", arguments: [false, true])
    func takenBackAtLast(_ isDisconnected: Bool) throws {
        let save: [String: Any] = ["service": Examples.shop, "user": "ann", "password": "another"]
        #expect(try app.send("credential.save", save, id: 7).isEmpty)
        try daemon.answer(try #require(daemon.questions.first), .once, settles: false)
        if isDisconnected {
            try app.disconnect()
        } else {
            #expect(try app.send("request.cancel", ["id": 7], id: 8).map(\.reasons) == [["cancelled"], []])
        }
        let user = daemon.connect()
        try user.hello("org.autofilld.autofillctl")
        let kept = try user.call(
            "credential.get", ["service": Examples.shop, "user": "ann", "proof": Examples.proof])
        #expect(kept.text("password") == "s3cret")
    }

    @Test("A connection sends hello once, also while the first is inspected")
    func helloTwice() throws {
        let line = try ServiceConnection.line(
            "hello", ["bundleID": "org.example.Shop", "protocol": ["min": 1, "max": 1]])
        let other = daemon.connect()
        try daemon.onEngine { [client = other.client] engine in
            for id in ["1", "2"] {
                let bytes = Array(line.replacing("\"id\":1", with: "\"id\":\(id)").utf8)
                _ = bytes.withUnsafeBytes { engine.receive($0, from: client) }
            }
        }
        #expect(try other.answers().map { $0.error == nil } == [true, false])
    }

    @Test("An approval is waited for as long as any prompt, and is then removed")
    func approvalDeadline() throws {
        let control = daemon.connect()
        try control.hello("org.autofilld.autofillctl")
        #expect(try control.send("admin.grant.list", ["proof": ["type": "prompt"]]).isEmpty)
        daemon.clock.advance(milliseconds: Int64(Limits.promptMilliseconds) - 1)
        try daemon.settle()
        #expect(daemon.approvals.count == 1)
        daemon.clock.advance(milliseconds: 1)
        try daemon.settle()
        #expect(try control.answers().map(\.reasons) == [["consent-denied"]])
        #expect(daemon.approvals.isEmpty)
    }

    @Test(
        "At the end what waits is answered that the service stops, and its prompt is removed; what need not wait is answered"
    )
    func stopping() throws {
        #expect(try app.send("credential.get", Self.get, id: 1).isEmpty)
        try daemon.onEngine { [client = app.client] engine in
            engine.beginStopping()
            engine.stopWaiting(client)
        }
        #expect(try app.answers().map(\.reasons) == [["stopping"]])
        #expect(daemon.questions.isEmpty)
        #expect(try app.send("credential.get", Self.get, id: 2).map(\.reasons) == [["stopping"]])
        #expect(try app.send("status", id: 3).map { $0.error == nil } == [true])
        #expect(daemon.questions.isEmpty)
    }
}
