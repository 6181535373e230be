// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import EventLoop
import Foundation
import PeerIdentity
import Prompting
import SecretMemory
import Testing

@testable import Support

@Suite(
    "A delegate, which speaks for other processes",
    .enabled(if: getuid() == 0, "needs root, to make a registration that is root's alone"))
struct DelegateTests {
    private static let delegate = "/usr/libexec/front"
    private static let get = CredentialGet(service: .shop)

    private let world: DelegateWorld
    private let daemon: TestService

    /// A vault in which the user has saved something for the shop.
    init() throws {
        world = try DelegateWorld(delegate: Self.delegate)
        daemon = try TestService(
            consent: .user, registrations: world.registrations, files: world.files)
        try daemon.user().answer(to: CredentialSave("ann", "s3cret", proof: .test))
    }

    private func granted() throws -> [String] {
        try daemon.user().answer(to: GrantList(proof: .test)).grants.map(\.executable)
    }

    private func delegate(
        _ evidence: PeerEvidence? = nil, confirm: @escaping () throws(PeerRefusal) -> Void = {}
    ) -> ServiceConnection {
        daemon.connect(evidence ?? world.program(Self.delegate), confirm: confirm)
    }

    /// A delegate that speaks for an app.
    private func front(for app: String = "org.example.Shop", evidence: String? = nil) throws -> ServiceConnection {
        let front = delegate()
        #expect(try front.speak(for: app, evidence: evidence).answer().app.bundleID == app)
        return front
    }

    /// Asks for the shop's password, and the user answers.
    private func get(_ app: ServiceConnection, _ answer: ConsentAnswer) throws -> SentCall<CredentialGet> {
        let sent = try app.send(Self.get)
        try daemon.answer(try #require(daemon.questions.first), answer)
        return sent
    }

    @Test("The connection is the app's that it speaks for, and the registration too")
    func served() throws {
        let front = delegate()
        let app = try front.speak().answer().app
        #expect(app.bundleID == "org.example.Shop")
        #expect(app.registration == "\(world.registrations)/org.example.Shop.json")
        #expect(
            try front.answer(to: Diagnose()).evidence(of: "identity")?.hasPrefix(
                "claimed; \(Self.delegate) speaks for it, an installed delegate (secrets).; "
                    + "Process 4243 of user 1000 was handed over, identified by the kernel's descriptor of it.") == true
        )
        try front.answer(to: CredentialSave("bob", "1"))
        #expect(try front.reasons(for: CredentialSave("bob", "1", at: .bank)) == ["domain-not-associated"])
    }

    @Test("The assurance is the lower of the two")
    func assurance() throws {
        func assurance(_ app: String) throws -> String { try delegate().speak(for: app).answer().app.assurance }
        #expect(try assurance("org.example.Shop") == "claimed")
        let line = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-org.example.Shop-77.scope\n"
        world.change { $0.controlGroup = ControlGroup(procFile: Array(line.utf8)) }
        #expect(try assurance("org.example.Shop") == "attributed")
        world.become(world.program("/usr/bin/bank"))
        #expect(try assurance("org.example.Bank") == "installed")
        world.change {
            $0.sandbox = .flatpak(
                FlatpakInstance(appID: "org.example.Flat", appPath: "/none", isBuild: false),
                .deployed(installation: "system", files: "/none"))
        }
        #expect(try assurance("org.example.Flat") == "installed")
    }

    @Test("A process that is not the app that its delegate names is refused, and so is one that cannot be inspected")
    func otherProcess() throws {
        #expect(try delegate().speak(for: "org.example.Bank").answer().app.assurance == "none")
        let front = delegate()
        world.become(nil)
        #expect(try front.speak().reasons() == ["identity-mismatch"])
        #expect(try front.reasons(for: Status()) == ["hello-required"])
        world.become(.systemProgram)
        try front.speak().answer()
    }

    @Test("A process in a sandbox has other threads; while its inspection hangs no other with its mounts is inspected")
    func sandboxed() throws {
        let work = daemon.parts.work
        try delegate().speak().answer()
        #expect(!work.lanes.contains(.sandboxes))
        world.ownNamespaces = "mnt:7"
        work.holdsNew = true
        let front = delegate()
        let hanging = try front.speak()
        try daemon.settle()
        daemon.clock.advance(milliseconds: Int64(Limits.fileLookMilliseconds))
        try daemon.settle()
        #expect(try hanging.reasons() == ["identity-mismatch"])
        work.holdsNew = false
        #expect(try delegate().speak().reasons() == ["identity-mismatch"])
        #expect(work.lanes.count { $0 == .sandboxes } == 1 && daemon.parts.pool.stuck(.sandboxes) == 1)
        for other in [nil, "mnt:8"] {
            world.ownNamespaces = other
            try delegate().speak().answer()
        }
        // Its script is read there, too.
        #expect(work.lanes.count { $0 == .sandboxes } == 3)
        work.releaseAll()
        try daemon.settle()
        world.ownNamespaces = "mnt:7"
        try delegate().speak().answer()
    }

    @Test("Without a descriptor it acts for no other peer, and the connection can still be its own")
    func noDescriptor() throws {
        let front = delegate()
        let refused = try #require(try front.speak(passesDescriptor: false).refusal())
        #expect(refused.reasons.map(\.reason) == ["parameter-invalid"] && refused.member == "onBehalfOf")
        #expect(try front.greet(as: "org.example.Front").app.assurance == "installed")
    }

    @Test("A program that is no delegate gets identity-mismatch, whatever it hands over")
    func noDelegate() throws {
        let other = world.program("/usr/bin/bank")
        let refusal = try #require(try delegate(other).speak(as: "org.example.Bank").refusal()?.reasons.first)
        #expect(refusal.reason == "identity-mismatch" && refusal.parameters["path"] == "/usr/bin/bank")
        #expect(refusal.fix.contains("/etc/autofilld/delegates/org.example.Bank.json"), "\(refusal.fix)")
        // Named, and not installed: the user's own program, one without a registration, a copy of the delegate.
        #expect(try delegate(.plainProcess).speak(as: "org.example.Loose").reasons() == ["identity-mismatch"])
        #expect(try delegate().speak(as: "org.example.Loose").reasons() == ["identity-mismatch"])
        #expect(try delegate(world.program("/opt/front")).speak().reasons() == ["identity-mismatch"])
        world.isNamed = false
        #expect(try delegate().speak().reasons() == ["identity-mismatch"])
        world.isNamed = true
        try delegate().speak().answer()
    }

    @Test("Before each release both processes are inspected again", arguments: [true, false])
    func inspectedAgain(isDelegate: Bool) throws {
        for (refusal, reason) in [(PeerRefusal.ended, "peer-ended"), (.executableChanged, "peer-changed")] {
            final class State { var refusal: PeerRefusal? }
            let state = State()
            world.state = nil
            let front = delegate { () throws(PeerRefusal) in if let refusal = state.refusal { throw refusal } }
            try front.speak().answer()
            #expect(try get(front, .once).answer().password.text == "s3cret")
            let again = try front.send(Self.get)
            if isDelegate { state.refusal = refusal } else { world.state = refusal }
            try daemon.answer(try #require(daemon.questions.first), .once)
            #expect(try again.reasons() == [reason])
        }
    }

    @Test("A delegate whose registration is removed no longer acts for another peer, where it is connected too")
    func takenAway() throws {
        let front = try front()
        #expect(try get(front, .allow).answer().password.text == "s3cret")
        try FileManager.default.removeItem(atPath: "\(world.registrations)/org.example.Front.json")
        daemon.clock.advance(milliseconds: 1000)
        _ = try front.send(Status())
        #expect(try front.reasons(for: Self.get) == ["identity-mismatch"])
    }

    @Test("The prompt is removed when the delegate or its process has ended")
    func promptGoes() throws {
        let sent = try front().send(Self.get)
        try daemon.onEngine { $0.endPromptsOfEnded() }
        #expect(daemon.questions.count == 1)
        world.state = .ended
        try daemon.onEngine { $0.endPromptsOfEnded() }
        #expect(daemon.questions.isEmpty)
        #expect(try sent.reasons() == ["peer-ended"])
    }

    @Test("The prompt names both, and has the delegate's statement in one line of its own, escaped")
    func prompt() throws {
        let said = "https://shop.example.com\nIdentity: installed <b>\u{202E}"
        _ = try front(evidence: said).send(Self.get)
        let text = try #require(daemon.questions.first?.first.description)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(
            lines.suffix(5) == [
                "App: org.example.Shop", "Program: /usr/bin/shop (process 4243)", "Through: \(Self.delegate)",
                #"It states: https://shop.example.com\u{a}Identity: installed \u{3c}b\u{3e}\u{202e}"#,
                "Identity: claimed. It claims to be this app; any of your programs can.",
            ], "\(text)")
    }

    @Test("A grant that was given through a delegate is not the app's own, and names both")
    func grantThroughDelegate() throws {
        #expect(try get(front(), .allow).answer().password.text == "s3cret")
        #expect(try granted() == ["via:\(Self.delegate) path:/usr/bin/shop"])
        #expect(try front().answer(to: Self.get).password.text == "s3cret")

        let app = daemon.connect(.systemProgram)
        try app.greet()
        #expect(try app.send(Self.get).waits)
        #expect(daemon.questions.count == 1)
    }

    @Test("A grant for a user's program behind a delegate names its content besides")
    func content() throws {
        world.become(.plainProcess)
        _ = try get(front(), .allow)
        #expect(try granted() == ["via:\(Self.delegate) file:/home/user/app#5a"])
    }

    @Test("A grant that was given to the app does not hold through a delegate")
    func grantOfTheApp() throws {
        let app = daemon.connect(.systemProgram)
        try app.greet()
        #expect(try get(app, .allow).answer().password.text == "s3cret")
        #expect(try front().send(Self.get).waits)
        #expect(daemon.questions.count == 1)
    }

    @Test("What the app wrote is not the delegate's to read, nor the other way round")
    func ownership() throws {
        let (app, front) = (daemon.connect(.systemProgram), try front())
        try app.greet()
        func item(_ account: String) -> KeychainGet {
            KeychainGet(.place(namespace: "tokens", account: account), interaction: .forbid)
        }
        for (connection, account) in [(app, "app"), (front, "front")] {
            try connection.answer(to: KeychainSet(namespace: "tokens", account: account, data: SecretBytes(utf8: "a")))
            try connection.answer(to: item(account))
        }
        #expect(try front.reasons(for: item("app")) == ["interaction-required"])
        #expect(try app.reasons(for: item("front")) == ["interaction-required"])
    }

    @Test("The record of releases and the journal name both")
    func record() throws {
        _ = try get(front(), .once)
        let releases = try daemon.user().answer(to: ReleaseList(proof: .test)).releases
        let released = try #require(releases.first { $0.bundleID == "org.example.Shop" })
        #expect(released.executable == "/usr/bin/shop through \(Self.delegate)" && released.process == 4243)
        let logged = daemon.journal.filter { $0.message.contains(" Filled ") && $0.method == "credential.get" }
        #expect(logged.map { $0.requester?.executable } == ["/usr/bin/shop through \(Self.delegate)"])
    }
}
