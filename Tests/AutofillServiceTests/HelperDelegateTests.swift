// SPDX-License-Identifier: Apache-2.0
import AutofillService
import CAutofillLinux
import CredentialStorage
import Foundation
import PeerIdentity
import Prompting
import Support
import Testing

@Suite(
    "A credential helper that speaks for the program that started it",
    .enabled(if: getuid() == 0, "needs root, to make a registration that is root's alone"))
struct HelperDelegateTests {
    private static let helper = "/usr/libexec/helper"
    private static var registry: [String: Any] { WideRegistrations.url("https://index.docker.io/v1/") }

    private func service(_ world: DelegateWorld, in folder: String) throws -> TestService {
        try TestService(
            location: .directory(folder + "/data"), consent: .person, registrations: world.registrations,
            files: world.files)
    }

    /// The helper, for a program that nobody registered.
    private func speak(_ world: DelegateWorld, _ daemon: TestService, for app: String) throws -> ServiceConnection {
        let connection = daemon.connect(world.program(Self.helper))
        let hello = try ServiceConnection.line(
            "hello",
            [
                "bundleID": "org.example.Front", "protocol": ["min": 1, "max": 1],
                "onBehalfOf": ["bundleID": app, "evidence": "git clone"],
            ])
        let (line, descriptor) = (Array(hello.utf8), af_pidfd_open(getpid()))
        try daemon.onEngine { [client = connection.client] engine in
            line.withUnsafeBytes {
                engine.receive($0, from: client, descriptor: PassedDescriptor(number: descriptor))
            }
        }
        #expect(try connection.answers().first?.error == nil)
        return connection
    }

    @Test("A helper that is a delegate asks by its own entitlement, and its grant names both programs")
    func both() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let world = try DelegateWorld(delegate: Self.helper, entitlements: ["org.autofilld.credential-helper": true])
        world.become(world.program("/usr/bin/git"))
        let daemon = try service(world, in: folder)
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        try person.call(
            "credential.save",
            ["service": Self.registry, "user": "ann", "password": "s3cret", "proof": Examples.proof])
        let git = try speak(world, daemon, for: "org.example.Git")
        let file = "\(world.registrations)/org.example.Front.json"
        let diagnosed = try git.call("diagnose", ["service": Self.registry])
        #expect(diagnosed.evidence(of: "registration") == file)
        #expect(diagnosed.evidence(of: "providerEntitlement")?.hasSuffix("declared in \(file)") == true)
        #expect(try git.send("credential.get", ["service": Self.registry]).isEmpty)
        let question = try #require(daemon.questions.first)
        #expect(question.first.description.contains("/usr/bin/git"))
        #expect(question.first.description.contains("Through: \(Self.helper)\nIt says: git clone"))
        try daemon.answer(question, .allow)
        #expect(try git.answers().map { $0.text("password") } == ["s3cret"])
        let grants =
            try person.call("admin.grant.list", ["proof": Examples.proof]).result?["grants"] as? [[String: Any]]
        #expect(grants?.compactMap { $0["bundleID"] as? String } == ["org.example.Git"])
        #expect(grants?.compactMap { $0["executable"] as? String } == ["via:\(Self.helper) path:/usr/bin/git"])
        // It serves whatever runs git, and not another program.
        #expect(
            try speak(world, daemon, for: "org.example.Git").call("credential.get", ["service": Self.registry]).error
                == nil)
        world.become(world.program("/usr/bin/other"))
        #expect(
            try speak(world, daemon, for: "org.example.Git")
                .call("credential.get", ["service": Self.registry, "interaction": "forbid"]).reasons
                == ["interaction-required"])
        // What it keeps of its own takes a registration of its own.
        let kept = try speak(world, daemon, for: "org.example.Git").call(
            "keychain.get", ["place": ["service": "tokens", "account": "ann"]])
        #expect(kept.reasons == ["app-not-registered"], "\(kept)")
    }

    @Test("Without the entitlement a delegate brings none, and an app's own counts through any delegate")
    func otherEntitlements() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let world = try DelegateWorld(delegate: Self.helper)
        world.become(world.program("/usr/bin/git"))
        let daemon = try service(world, in: folder)
        let git = try speak(world, daemon, for: "org.example.Git")
        #expect(try git.call("credential.get", ["service": Self.registry]).reasons == ["app-not-registered"])
        let browser = """
            {"bundleID": "org.example.Browser", "name": "Browser", "executables": ["/usr/bin/browser"],
             "entitlements": {"com.apple.developer.web-browser": true}}
            """
        try Data(browser.utf8).write(to: URL(filePath: "\(world.registrations)/org.example.Browser.json"))
        daemon.clock.advance(milliseconds: 2000)
        world.become(world.program("/usr/bin/browser"))
        let page = WideRegistrations.origin("https://example.com")
        let shown = try speak(world, daemon, for: "org.example.Browser")
        #expect(
            try shown.call("credential.get", ["service": page, "interaction": "forbid"]).reasons == [
                "interaction-required"
            ])
        #expect(try shown.call("credential.get", ["service": Self.registry]).reasons == ["helper-entitlement-missing"])
        world.become(world.program("/usr/bin/git"))
        let posing = try speak(world, daemon, for: "org.example.Browser")
        #expect(try posing.call("credential.get", ["service": page]).reasons == ["identity-mismatch"])
    }
}
