// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support
import TestGround
import Testing

@Suite(
    "A delegate on the real socket", .serialized, .blocking,
    .enabled(if: DelegateStage.isAvailable, "\(DelegateStage.need)"))
struct DelegateTests {
    private static let shop = "/etc/autofilld/shop"
    private static let front = "/etc/autofilld/front"

    private let stage: DelegateStage
    private let app: StagedProgram
    private let delegate: StagedProgram

    init() throws {
        stage = try DelegateStage()
        app = try stage.start("shop")
        delegate = try stage.start("front")
    }

    private func hello(for bundleID: String = "org.example.Shop") throws -> [UInt8] {
        let line = try ServiceConnection.line(
            "hello",
            [
                "bundleID": "org.example.Front", "protocol": ["min": 1, "max": 1],
                "onBehalfOf": ["bundleID": bundleID, "evidence": ":1.42"],
            ])
        return Array((line + "\n").utf8)
    }

    /// Sends hello for the process that a descriptor refers to.
    private func speak(_ connection: SocketConnection, with descriptors: [Int32]) throws -> TestAnswer {
        try connection.send(try hello(), with: descriptors)
        return try TestAnswer(try connection.line())
    }

    private func verified(_ answer: TestAnswer) throws -> [String: Any] {
        try #require(answer.result?["app"] as? [String: Any], "\(answer)")
    }

    private func detail(_ answer: TestAnswer) -> String {
        let data = answer.error?["data"] as? [String: Any]
        return "\(data?["reasons"] ?? "")"
    }

    @Test("It is served as the app whose pidfd it passes, until that app ends")
    func served() throws {
        let user = try SocketConnection(to: stage.daemon.socket)
        try user.hello("org.autofilld.autofillctl")
        let save: [String: Any] = [
            "service": Examples.shop, "user": "ann", "password": "s3cret", "proof": Examples.proof,
        ]
        #expect(try user.call("credential.save", save).error == nil)

        let connection = try delegate.connect()
        let known = try verified(try speak(connection, with: [app.pidfd]))
        #expect(known["bundleID"] as? String == "org.example.Shop")
        #expect(known["assurance"] as? String == "installed")
        #expect(
            try connection.call("diagnose").evidence(of: "identity")?.hasPrefix(
                "installed; \(Self.front) speaks for it, an installed delegate (autofill-test).") == true)
        #expect(try connection.call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
        func list(_ method: String, _ member: String) throws -> [[String: Any]] {
            try user.call(method, ["proof": Examples.proof]).result?[member] as? [[String: Any]] ?? []
        }
        let released = try list("admin.release.list", "releases").first { $0["method"] as? String == "credential.get" }
        #expect(released?["executable"] as? String == "\(Self.shop) through \(Self.front)")
        let grants = try list("admin.grant.list", "grants")
        #expect(grants.map { $0["executable"] as? String } == ["via:\(Self.front) path:\(Self.shop)"])

        app.end()
        #expect(try connection.call("credential.get", ["service": Examples.shop]).reasons == ["peer-ended"])
        let late = try delegate.connect()
        #expect(try speak(late, with: [app.pidfd]).reasons == ["identity-mismatch"])
    }

    @Test("When the delegate ends, the programs that it acted for receive nothing more")
    func delegateEnds() throws {
        let connection = try delegate.connect()
        #expect(try speak(connection, with: [app.pidfd]).error == nil)
        let save: [String: Any] = ["service": Examples.shop, "user": "bob", "password": "1"]
        #expect(try connection.call("credential.save", save).error == nil)
        #expect(try connection.call("credential.get", ["service": Examples.shop]).text("password") == "1")
        delegate.end()
        // Another process may still have its descriptor.
        connection.sender = nil
        #expect(try connection.call("credential.get", ["service": Examples.shop]).reasons == ["peer-ended"])
    }

    /// attacks.md, a hostile program, 3
    @Test("A connection on which a delegate sent hello is of no use to another process that has the descriptor")
    func otherSender() throws {
        let connection = try delegate.connect()
        #expect(try speak(connection, with: [app.pidfd]).error == nil)
        let save: [String: Any] = ["service": Examples.shop, "user": "bob", "password": "1"]
        #expect(try connection.call("credential.save", save).error == nil)
        connection.sender = nil
        #expect(try connection.call("credential.get", ["service": Examples.shop]).reasons == ["peer-changed"])
    }

    @Test(
        "The bridge of Secret Service acts for programs that are not named, and a family's programs have each other's items"
    )
    func family() throws {
        func spoken(_ program: StagedProgram) throws -> SocketConnection {
            let connection = try delegate.connect()
            let line = try ServiceConnection.line(
                "hello", ["bundleID": "org.example.Front", "protocol": ["min": 1, "max": 1], "onBehalfOf": [:]])
            try connection.send(Array((line + "\n").utf8), with: [program.pidfd])
            #expect(try verified(try TestAnswer(try connection.line()))["assurance"] as? String != "none")
            return connection
        }
        func kept(_ schema: String) throws -> String {
            let saved = try spoken(app).call(
                "keychain.set",
                ["attributes": ["xdg:schema": schema, "id": "1"], "label": "Shop", "data": ["base64": "QQ=="]])
            return try #require(saved.text("item"), "\(saved)")
        }
        let items = [try kept("org.example.Shop"), try kept("org.example.Other")]
        let copy = try stage.start("copy")
        let other = try spoken(copy)
        let answers = try items.map { try other.call("keychain.get", ["item": $0, "interaction": "forbid"]) }
        #expect(answers.map(\.reasons) == [[], ["interaction-required"]])
        // It has to be there until then.
        copy.end()
    }

    @Test("A copy of its program elsewhere acts for no program, nor does the app for itself")
    func copies() throws {
        for name in ["copy", "shop"] {
            let program = try stage.start(name)
            let answer = try speak(try program.connect(), with: [app.pidfd])
            #expect(answer.reasons == ["identity-mismatch"])
            #expect(detail(answer).contains("/etc/autofilld/\(name)"), "\(detail(answer))")
        }
    }

    @Test(
        "A message without a pidfd or a whole line is refused with the cause; the daemon never keeps a descriptor of it"
    )
    func descriptors() throws {
        let file = open("/etc/hostname", O_RDONLY | O_CLOEXEC)
        let directory = open("/proc/\(stage.daemon.process.processIdentifier)", O_RDONLY | O_CLOEXEC)
        defer { for descriptor in [file, directory] { close(descriptor) } }
        let control = try SocketConnection(to: stage.daemon.socket)
        try control.hello("org.autofilld.autofillctl")
        #expect(try speak(try delegate.connect(), with: [app.pidfd]).error == nil)
        let before = try settled(control) { _ in true }

        for wrong in [file, directory, control.descriptor] {
            let connection = try delegate.connect()
            let answer = try speak(connection, with: [wrong])
            #expect(answer.reasons == ["identity-mismatch"])
            #expect(detail(answer).contains("no descriptor of a process"), "\(detail(answer))")
            #expect(try verified(try speak(connection, with: [app.pidfd]))["bundleID"] as? String == "org.example.Shop")
        }
        #expect(try speak(try delegate.connect(), with: [file, app.pidfd]).reasons == ["identity-mismatch"])
        #expect(try speak(try delegate.connect(), with: [app.pidfd, file, file]).error == nil)
        let without = try delegate.connect()
        try without.send(try hello())
        #expect(try TestAnswer(try without.line()).problem == "parameter-invalid")
        without.close()

        let line = try hello()
        let cut = try delegate.connect()
        try cut.send(Array(line[..<30]), with: [app.pidfd])
        cut.endInput()
        #expect(try TestAnswer(try cut.line()).problem == "not-json")
        let gone = try delegate.connect()
        try gone.send(Array(line[..<30]), with: [app.pidfd, file])
        gone.close()
        let slow = try delegate.connect()
        try slow.send(Array(line[..<30]), with: [app.pidfd])
        try slow.send(Array(line[30...]), with: [file])
        #expect(try verified(try TestAnswer(try slow.line()))["bundleID"] as? String == "org.example.Shop")
        try slow.send(Array((try ServiceConnection.line("status") + "\n").utf8), with: [file, directory])
        #expect(try TestAnswer(try slow.line()).error == nil)
        slow.close()
        #expect(try settled(control) { $0 <= before } <= before)
    }

    /// The number of the daemon's descriptors, once it is as expected or after a while.
    private func settled(_ control: SocketConnection, _ isMatch: (Int) -> Bool) throws -> Int {
        let deadline = ContinuousClock.now + .seconds(120)
        while true {
            // By then it has handled all that ended before.
            #expect(try control.call("status").error == nil)
            let count = try stage.descriptors
            if isMatch(count) || ContinuousClock.now > deadline { return count }
        }
    }
}
