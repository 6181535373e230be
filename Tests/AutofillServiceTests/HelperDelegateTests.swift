// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import EventLoop
import Foundation
import PeerIdentity
import Prompting
import SecretMemory
import Support
import Testing

@Suite(
    "A credential helper that speaks for the program that started it",
    .enabled(if: getuid() == 0, "needs root, to make a registration that is root's alone"))
struct HelperDelegateTests {
    private static let helper = "/usr/libexec/helper"
    private static let registry = ServiceIdentifier.url("https://index.docker.io/v1/")
    private static let get = CredentialGet(service: registry)

    private func service(_ world: DelegateWorld, in folder: String) throws -> TestService {
        try TestService(
            location: .directory(folder + "/data"), consent: .user, registrations: world.registrations,
            files: world.files)
    }

    /// The helper, for a program that nobody registered.
    private func speak(
        _ world: DelegateWorld, _ daemon: TestService, for app: String = "org.example.Git"
    ) throws -> ServiceConnection {
        let connection = daemon.connect(world.program(Self.helper))
        try connection.speak(for: app, evidence: "git clone").answer()
        return connection
    }

    @Test("A helper that is a delegate asks by its own entitlement, and its grant names both programs")
    func both() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let world = try DelegateWorld(delegate: Self.helper, entitlements: ["org.autofilld.credential-helper": true])
        world.become(world.program("/usr/bin/git"))
        let daemon = try service(world, in: folder)
        let user = try daemon.user()
        try user.answer(to: CredentialSave("ann", "s3cret", at: Self.registry, proof: .test))
        let git = try speak(world, daemon)
        let file = "\(world.registrations)/org.example.Front.json"
        let diagnosed = try git.answer(to: Diagnose(service: Self.registry))
        #expect(diagnosed.evidence(of: "registration") == file)
        #expect(diagnosed.evidence(of: "providerEntitlement")?.hasSuffix("declared in \(file)") == true)
        let sent = try git.send(Self.get)
        let question = try #require(daemon.questions.first)
        #expect(question.first.description.contains("/usr/bin/git"))
        #expect(question.first.description.contains("Through: \(Self.helper)\nIt states: git clone"))
        try daemon.answer(question, .allow)
        #expect(try sent.answer().password.text == "s3cret")
        let grants = try user.answer(to: GrantList(proof: .test)).grants
        #expect(grants.map(\.bundleID) == ["org.example.Git"])
        #expect(grants.map(\.executable) == ["via:\(Self.helper) path:/usr/bin/git"])
        // It serves whatever runs git, and not another program.
        #expect(try speak(world, daemon).answer(to: Self.get).password.text == "s3cret")
        world.become(world.program("/usr/bin/other"))
        let silently = CredentialGet(service: Self.registry, interaction: .forbid)
        #expect(try speak(world, daemon).reasons(for: silently) == ["interaction-required"])
        // What it stores of its own requires a registration of its own.
        let kept = KeychainGet(.place(namespace: "tokens", account: "ann"))
        #expect(try speak(world, daemon).reasons(for: kept) == ["app-not-registered"])
    }

    @Test("Without the entitlement a delegate brings none, and an app's own counts through any delegate")
    func otherEntitlements() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let world = try DelegateWorld(delegate: Self.helper)
        world.become(world.program("/usr/bin/git"))
        let daemon = try service(world, in: folder)
        #expect(try speak(world, daemon).reasons(for: Self.get) == ["app-not-registered"])
        let browser = """
            {"bundleID": "org.example.Browser", "name": "Browser", "executables": ["/usr/bin/browser"],
             "entitlements": {"com.apple.developer.web-browser": true}}
            """
        try Data(browser.utf8).write(to: URL(filePath: "\(world.registrations)/org.example.Browser.json"))
        daemon.clock.advance(milliseconds: 2000)
        world.become(world.program("/usr/bin/browser"))
        let page = CredentialGet(service: .origin("https://example.com"), interaction: .forbid)
        let shown = try speak(world, daemon, for: "org.example.Browser")
        #expect(try shown.reasons(for: page) == ["interaction-required"])
        #expect(try shown.reasons(for: Self.get) == ["helper-entitlement-missing"])
        world.become(world.program("/usr/bin/git"))
        let posing = try speak(world, daemon, for: "org.example.Browser")
        #expect(try posing.reasons(for: page) == ["identity-mismatch"])
    }
}
