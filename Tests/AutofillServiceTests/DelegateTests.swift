// SPDX-License-Identifier: Apache-2.0
import AutofillService
import CAutofillLinux
import Credentials
import Foundation
import PeerIdentity
import Prompting
import Support
import Testing

@Suite(
    "A delegate, which speaks for other processes",
    .enabled(if: getuid() == 0, "needs root, to make a registration that is root's alone"))
struct DelegateTests {
    private static let delegate = "/usr/libexec/front"
    private static var get: [String: Any] { ["service": Examples.shop] }

    private let world: DelegateWorld
    private let daemon: TestService

    /// A vault in which the person has saved something for the shop.
    init() throws {
        world = try DelegateWorld(delegate: Self.delegate)
        daemon = try TestService(consent: .person, registrations: world.registrations, files: world.files)
        try person().call(
            "credential.save",
            ["service": Examples.shop, "user": "ann", "password": "s3cret", "proof": Examples.proof])
    }

    private func person() throws -> ServiceConnection {
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        return person
    }

    private func list(_ method: String, _ member: String) throws -> [[String: Any]] {
        try person().call(method, ["proof": Examples.proof]).result?[member] as? [[String: Any]] ?? []
    }

    private func delegate(
        _ evidence: PeerEvidence? = nil, confirm: @escaping () throws(PeerRefusal) -> Void = {}
    ) -> ServiceConnection {
        daemon.connect(evidence ?? world.program(Self.delegate), confirm: confirm)
    }

    /// Says hello for the process of a pidfd.
    private func speak(
        _ connection: ServiceConnection, as own: String = "org.example.Front", for app: String = "org.example.Shop",
        evidence: String? = nil, passesDescriptor: Bool = true
    ) throws -> TestAnswer {
        var onBehalfOf = ["bundleID": app]
        onBehalfOf["evidence"] = evidence
        let line = Array(
            try ServiceConnection.line(
                "hello", ["bundleID": own, "protocol": ["min": 1, "max": 1], "onBehalfOf": onBehalfOf]
            ).utf8)
        let descriptor = passesDescriptor ? af_pidfd_open(getpid()) : -1
        try daemon.onEngine { [client = connection.client] engine in
            line.withUnsafeBytes {
                engine.receive(
                    $0, from: client, descriptor: descriptor < 0 ? nil : PassedDescriptor(number: descriptor))
            }
        }
        return try #require(try connection.answers().first)
    }

    private func verified(_ answer: TestAnswer) throws -> [String: Any] {
        try #require(answer.result?["app"] as? [String: Any], "\(answer)")
    }

    @Test("The connection is the app's that it speaks for, and the registration too")
    func served() throws {
        let front = delegate()
        let app = try verified(try speak(front))
        #expect(app["bundleID"] as? String == "org.example.Shop")
        #expect(app["registration"] as? String == "\(world.registrations)/org.example.Shop.json")
        #expect(
            try front.call("diagnose").evidence(of: "identity")?.hasPrefix(
                "claimed; \(Self.delegate) speaks for it, an installed delegate (secrets).; "
                    + "Process 4243 of user 1000 was handed over, known by the kernel's descriptor of it.") == true)
        let save: [String: Any] = ["service": Examples.shop, "user": "bob", "password": "1"]
        #expect(try front.call("credential.save", save).error == nil)
        #expect(
            try front.call("credential.save", save.merging(["service": Examples.bank]) { $1 }).reasons
                == ["domain-not-associated"])
    }

    @Test("The assurance is the lower of the two")
    func assurance() throws {
        func assurance(_ app: String) throws -> String? {
            try verified(try speak(delegate(), for: app))["assurance"] as? String
        }
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

    @Test("A process that is not the app it is said to be is refused, and so is one that cannot be looked at")
    func otherProcess() throws {
        let refused = try speak(delegate(), for: "org.example.Bank")
        #expect(try verified(refused)["assurance"] as? String == "none")
        let front = delegate()
        world.become(nil)
        #expect(try speak(front).reasons == ["identity-mismatch"])
        #expect(try front.call("status").problem == "hello-required")
        world.become(.systemProgram)
        #expect(try speak(front).error == nil)
    }

    @Test("Without a descriptor it speaks for nobody, and the connection can still be its own")
    func noDescriptor() throws {
        let front = delegate()
        let refused = try speak(front, passesDescriptor: false)
        #expect(refused.problem == "parameter-invalid")
        #expect(refused.member == "onBehalfOf")
        #expect(try verified(try front.hello("org.example.Front"))["assurance"] as? String == "installed")
    }

    @Test("A program that is no delegate gets identity-mismatch, whatever it hands over")
    func noDelegate() throws {
        let other = world.program("/usr/bin/bank")
        #expect(try speak(delegate(other), as: "org.example.Bank").reasons == ["identity-mismatch"])
        // Named, and not installed: the user's own program, one without a registration, a copy of the delegate.
        #expect(try speak(delegate(.plainProcess), as: "org.example.Loose").reasons == ["identity-mismatch"])
        #expect(try speak(delegate(), as: "org.example.Loose").reasons == ["identity-mismatch"])
        #expect(try speak(delegate(world.program("/opt/front"))).reasons == ["identity-mismatch"])
        world.isNamed = false
        #expect(try speak(delegate()).reasons == ["identity-mismatch"])
        world.isNamed = true
        #expect(try speak(delegate()).error == nil)
    }

    @Test("Before each release both processes are looked at again", arguments: [true, false])
    func lookedAtAgain(isDelegate: Bool) throws {
        for (refusal, reason) in [(PeerRefusal.ended, "peer-ended"), (.executableChanged, "peer-changed")] {
            final class State { var refusal: PeerRefusal? }
            let state = State()
            world.state = nil
            let front = delegate { () throws(PeerRefusal) in if let refusal = state.refusal { throw refusal } }
            #expect(try speak(front).error == nil)
            _ = try front.send("credential.get", Self.get)
            try daemon.answer(try #require(daemon.questions.first), .once)
            #expect(try front.answers().map { $0.text("password") } == ["s3cret"])
            _ = try front.send("credential.get", Self.get)
            if isDelegate { state.refusal = refusal } else { world.state = refusal }
            try daemon.answer(try #require(daemon.questions.first), .once)
            #expect(try front.answers().map(\.reasons) == [[reason]])
        }
    }

    @Test("A delegate whose registration is taken away speaks for nobody any more, where it is connected too")
    func takenAway() throws {
        let front = delegate()
        #expect(try speak(front).error == nil)
        _ = try front.send("credential.get", Self.get)
        try daemon.answer(try #require(daemon.questions.first), .allow)
        #expect(try front.answers().map { $0.text("password") } == ["s3cret"])
        try FileManager.default.removeItem(atPath: "\(world.registrations)/org.example.Front.json")
        daemon.clock.advance(milliseconds: 1000)
        try front.call("status")
        #expect(try front.call("credential.get", Self.get).reasons == ["identity-mismatch"])
    }

    @Test("The prompt goes when the delegate or the process that it speaks for has ended")
    func promptGoes() throws {
        let front = delegate()
        #expect(try speak(front).error == nil)
        _ = try front.send("credential.get", Self.get)
        try daemon.onEngine { $0.endPromptsOfEnded() }
        #expect(daemon.questions.count == 1)
        world.state = .ended
        try daemon.onEngine { $0.endPromptsOfEnded() }
        #expect(daemon.questions.isEmpty)
        #expect(try front.answers().map(\.reasons) == [["peer-ended"]])
    }

    @Test("The prompt names both, and has what the delegate says in one line of its own, escaped")
    func prompt() throws {
        let front = delegate()
        let said = "https://shop.example.com\nIdentity: installed <b>\u{202E}"
        #expect(try speak(front, evidence: said).error == nil)
        _ = try front.send("credential.get", Self.get)
        let text = try #require(daemon.questions.first?.first.description)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(
            lines.suffix(5) == [
                "App: org.example.Shop", "Program: /usr/bin/shop (process 4243)", "Through: \(Self.delegate)",
                #"It says: https://shop.example.com\u{a}Identity: installed \u{3c}b\u{3e}\u{202e}"#,
                "Identity: claimed. It says that it is this app; any program of yours can say so.",
            ], "\(text)")
    }

    @Test("A grant that was given through a delegate is not the app's own, and names both")
    func grantThroughDelegate() throws {
        let front = delegate()
        #expect(try speak(front).error == nil)
        _ = try front.send("credential.get", Self.get)
        try daemon.answer(try #require(daemon.questions.first), .allow)
        #expect(try front.answers().map { $0.text("password") } == ["s3cret"])
        #expect(
            try list("admin.grant.list", "grants").map { $0["executable"] as? String }
                == ["via:\(Self.delegate) path:/usr/bin/shop"])
        let later = delegate()
        #expect(try speak(later).error == nil)
        #expect(try later.call("credential.get", Self.get).text("password") == "s3cret")

        let app = daemon.connect(.systemProgram)
        try app.hello()
        #expect(try app.send("credential.get", Self.get).isEmpty)
        #expect(daemon.questions.count == 1)
    }

    @Test("A grant for a user's program behind a delegate names its content besides")
    func content() throws {
        world.become(.plainProcess)
        let front = delegate()
        #expect(try speak(front).error == nil)
        _ = try front.send("credential.get", Self.get)
        try daemon.answer(try #require(daemon.questions.first), .allow)
        #expect(
            try list("admin.grant.list", "grants").map { $0["executable"] as? String }
                == ["via:\(Self.delegate) file:/home/user/app#5a"])
    }

    @Test("A grant that was given to the app does not hold through a delegate")
    func grantOfTheApp() throws {
        let app = daemon.connect(.systemProgram)
        try app.hello()
        _ = try app.send("credential.get", Self.get)
        try daemon.answer(try #require(daemon.questions.first), .allow)
        #expect(try app.answers().map { $0.text("password") } == ["s3cret"])

        let front = delegate()
        #expect(try speak(front).error == nil)
        #expect(try front.send("credential.get", Self.get).isEmpty)
        #expect(daemon.questions.count == 1)
    }

    @Test("What the app wrote is not the delegate's to read, nor the other way round")
    func ownership() throws {
        let (app, front) = (daemon.connect(.systemProgram), delegate())
        try app.hello()
        #expect(try speak(front).error == nil)
        func item(_ account: String) -> [String: Any] {
            ["place": ["service": "tokens", "account": account], "interaction": "forbid"]
        }
        func write(_ connection: ServiceConnection, _ account: String) throws {
            let data: [String: Any] = ["place": ["service": "tokens", "account": account], "data": ["base64": "AA=="]]
            #expect(try connection.call("keychain.set", data).error == nil)
            #expect(try connection.call("keychain.get", item(account)).error == nil)
        }
        try write(app, "app")
        try write(front, "front")
        #expect(try front.call("keychain.get", item("app")).reasons == ["interaction-required"])
        #expect(try app.call("keychain.get", item("front")).reasons == ["interaction-required"])
    }

    @Test("The record of releases and the journal name both")
    func record() throws {
        let front = delegate()
        #expect(try speak(front).error == nil)
        _ = try front.send("credential.get", Self.get)
        try daemon.answer(try #require(daemon.questions.first), .once)
        let releases = try list("admin.release.list", "releases")
        let released = try #require(releases.first { $0["bundleID"] as? String == "org.example.Shop" })
        #expect(released["executable"] as? String == "/usr/bin/shop through \(Self.delegate)")
        #expect(released["process"] as? Int == 4243)
        let logged = daemon.journal.filter { $0.message.contains(" Filled ") && $0.method == "credential.get" }
        #expect(logged.map { $0.asker?.executable } == ["/usr/bin/shop through \(Self.delegate)"])
    }
}
