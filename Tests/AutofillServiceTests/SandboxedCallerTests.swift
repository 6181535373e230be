// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Foundation
import PeerIdentity
import Prompting
import Support
import Testing

@Suite(
    "Programs in sandboxes that ask through Secret Service",
    .enabled(if: getuid() == 0, "needs root, to make a registration that is root's alone"))
struct SandboxedCallerTests {
    private typealias Caller = SecretServiceWorld.Caller
    private static let login = ["user": "ann"]
    private static let session = "boot/session"

    private static func silently(_ item: String) -> KeychainGet { KeychainGet(.id(item), interaction: .forbid) }

    private static func inUnit(_ unit: String, _ caller: Caller) -> Caller {
        var caller = caller
        let path = "/user.slice/user-1000.slice/user@1000.service/app.slice/\(unit)"
        caller.evidence.controlGroup = ControlGroup(procFile: Array("0::\(path)\n".utf8))
        return caller
    }

    @Test(
        "What one stores behind a proxy that bwrap or systemd started is given behind another with a consent each time",
        arguments: ["/usr/bin/bwrap", "/usr/lib/systemd/systemd"])
    func proxies(starter: String) throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        let proxy = Caller("/usr/bin/xdg-dbus-proxy").started(by: Caller(starter))
        let item = try world.connect(daemon, proxy.again(1, login: Self.session)).keep(Self.login, "one")
        let second = try world.connect(daemon, proxy.again(2, login: Self.session))
        #expect(try second.reasons(for: Self.silently(item)) == ["interaction-required"])
        let sent = try second.send(KeychainGet(.id(item)))
        let question = try #require(daemon.questions.first)
        #expect(question.afterYes == nil, "it cannot be remembered")
        try daemon.answer(question, .login)
        #expect(try sent.answer().data.text == "one")
        let third = try world.connect(daemon, proxy.again(3, login: Self.session))
        #expect(try third.reasons(for: Self.silently(item)) == ["interaction-required"])
    }

    @Test("The answer to a question about one behind such a proxy is none about another that asks the same meanwhile")
    func otherQuestions() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        let item = try world.connect(daemon, Caller("/usr/bin/maker")).keep(Self.login, "one")
        let proxy = Caller("/usr/bin/xdg-dbus-proxy").started(by: Caller("/usr/bin/bwrap"))
        let connections = try (1...3).map { try world.connect(daemon, proxy.again($0, login: Self.session)) }
        let first = try connections[0].send(KeychainGet(.id(item)))
        let second = try connections[1].send(KeychainGet(.id(item)))
        try daemon.answer(try #require(daemon.questions.first), .login)
        #expect(try first.answer().data.text == "one")
        #expect(second.waits)
        try daemon.answer(try #require(daemon.questions.first), .deny)
        #expect(try second.reasons() == ["consent-denied"])
        #expect(try connections[2].reasons(for: Self.silently(item)) == ["interaction-required"])
        #expect(try connections[2].send(KeychainGet(.id(item))).waits, "the no was to another")
    }

    @Test("What the service manager starts as an app's unit has its own data until logout, once that was allowed")
    func unit() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        let java = Self.inUnit(
            "app-org.example.Ide@1.service",
            Caller("/usr/bin/java").started(by: Caller("/usr/lib/systemd/systemd")))
        let item = try world.connect(daemon, java.again(1, login: Self.session)).keep(Self.login, "one")
        let sent = try world.connect(daemon, java.again(2, login: Self.session)).send(KeychainGet(.id(item)))
        try daemon.answer(try #require(daemon.questions.first), .login)
        #expect(try sent.answer().data.text == "one")
        #expect(try world.connect(daemon, java.again(3, login: Self.session)).secret(item) == "one")
    }

    @Test("A program with namespaces of its own is named otherwise where its unit's name is none, too")
    func names() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        func name(_ caller: Caller) throws -> String {
            let hello: Hello.Answer = try world.open(daemon, caller)
                .send(Hello(bundleID: "autofilld.secrets", onBehalfOf: .init(evidence: ":1.42")), with: world.pidfd)
                .answer()
            return hello.app.bundleID
        }
        var java = Self.inUnit("app-gnome-Ide-12.scope", Caller("/usr/bin/java"))
        let plain = try name(java)
        java.evidence.mountNamespaceDiffers = true
        let other = try name(java)
        #expect(plain.hasPrefix("program.java.") && other.hasPrefix("program.java") && other != plain)
    }

    @Test("A program with namespaces of its own is on record as one")
    func record() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        var caller = Caller("/usr/bin/maker")
        caller.evidence.mountNamespaceDiffers = true
        let connection = try world.connect(daemon, caller)
        let item = try connection.keep(Self.login, "one")
        #expect(try connection.secret(item) == "one")
        let releases = try daemon.user().answer(to: ReleaseList(proof: .test)).releases
        let released = try #require(releases.first { $0.object == item })
        #expect(
            released.executable == "/usr/bin/maker (in namespaces of its own) through \(SecretServiceWorld.bridge)")
    }
}
