// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import PeerIdentity
import SecretMemory
import Settings
import Support
import Testing

@Suite("The registration that a Flatpak brings")
struct FlatpakRegistrationTests {
    private static let app = "org.example.Flat"
    private static let site = ServiceIdentifier(domain: "flat.example.com")
    private static let save = CredentialSave("a", "b", at: site)

    /// The deployed files of an app, with this text for a registration.
    private func deployed(_ text: String?) throws -> String {
        // As in the system's installation: root's alone, where root runs the tests.
        let files = getuid() == 0 ? "/var/lib/autofilld-tests-\(UUID().uuidString)" : try TestFiles.folder()
        let place = files + "/share/autofilld/apps"
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        if let text {
            try #require(
                FileManager.default.createFile(
                    atPath: "\(place)/\(Self.app).json", contents: Data(text.utf8),
                    attributes: [.posixPermissions: 0o644]))
        }
        return files
    }

    private func registration(of name: String = FlatpakRegistrationTests.app, _ more: String = "") -> String {
        """
        {"bundleID": "\(name)", "name": "Flat", "executables": ["/app/bin/flat"], "entitlements": {\(more)
        "com.apple.developer.associated-domains": ["webcredentials:flat.example.com"],
        "com.apple.developer.authentication-services.autofill-credential-provider": true}}
        """
    }

    private func peer(_ files: String, deployment: FlatpakDeployment? = nil, isBuild: Bool = false) -> PeerEvidence {
        var peer = PeerEvidence.plainProcess
        peer.user = getuid()
        peer.sandbox = .flatpak(
            FlatpakInstance(appID: Self.app, appPath: files, isBuild: isBuild),
            deployment ?? .deployed(installation: "user", files: files))
        return peer
    }

    /// The app inside, with what a daemon reports of it.
    private func app(_ daemon: TestService, _ peer: PeerEvidence) throws -> (ServiceConnection, VerifiedApp) {
        let app = daemon.connect(peer)
        return (app, try app.greet(as: Self.app).app)
    }

    @Test("It counts for the app inside, at the sandbox's assurance, and for grants while the app is connected")
    func counts() throws {
        let files = try deployed(registration())
        defer { try? FileManager.default.removeItem(atPath: files) }
        let daemon = try TestService()
        let (app, verified) = try app(daemon, peer(files))
        #expect(
            verified
                == VerifiedApp(
                    bundleID: Self.app, assurance: "sandboxed",
                    registration: "\(files)/share/autofilld/apps/\(Self.app).json", associatedDomainCount: 1,
                    reasonNames: []))
        try app.answer(to: Self.save)
        let allow = GrantAllow(bundleID: Self.app, service: Self.site, proof: .test)
        let grants = try daemon.user().answer(to: allow).grants
        #expect(grants.map { $0.executable.hasPrefix("flatpak:") } == [true])
        let (again, _) = try self.app(daemon, peer(files))
        #expect(try again.answer(to: CredentialGet(service: Self.site)).password.text == "b")
    }

    @Test("It does not count where the files are not the installation's, or a developer's build")
    func notVerified() throws {
        let files = try deployed(registration())
        defer { try? FileManager.default.removeItem(atPath: files) }
        let daemon = try TestService()
        for peer in [peer(files, deployment: .differs("its /app is another directory")), peer(files, isBuild: true)] {
            #expect(try app(daemon, peer).1.registration == nil)
        }
    }

    @Test(
        "One with mistakes is reported, and one of another bundle ID is a mistake",
        arguments: ["{", "org.example.Other"])
    func mistakes(text: String) throws {
        let files = try deployed(text == "{" ? text : registration(of: text))
        defer { try? FileManager.default.removeItem(atPath: files) }
        #expect(try app(try TestService(), peer(files)).1.reasonNames == ["registration-invalid"])
    }

    @Test("It counts for items, verifiers, sign-in and codes as for passwords")
    func families() throws {
        let files = try deployed(registration(of: Self.app, #" "org.autofilld.one-time-code-source": true, "#))
        defer { try? FileManager.default.removeItem(atPath: files) }
        let (app, _) = try app(try TestService(), peer(files))
        let (service, password) = ("tokens", SecretBytes(utf8: "secret"))
        try app.answer(to: KeychainSet(namespace: service, account: "ann", data: password))
        let item = ItemName.place(namespace: service, account: "ann")
        #expect(try app.answer(to: KeychainGet(item)).summary.accessGroup == Self.app)
        #expect(try app.answer(to: KeychainSearch(namespace: service)).items.count == 1)
        try app.answer(to: KeychainRename(item, newPlace: PlaceName(namespace: service, account: "bob")))
        #expect(try app.answer(to: KeychainDelete(.place(namespace: service, account: "bob"))).changed)
        try app.answer(to: VerifierSet(namespace: service, account: "ann", password: password))
        #expect(try app.answer(to: VerifierCheck(namespace: service, account: "ann", password: password)).isMatch)
        let hash = try app.answer(to: VerifierExport(namespace: service, account: "ann")).hash
        try app.answer(to: VerifierSet(namespace: service, account: "ann", hash: hash))
        #expect(try app.answer(to: VerifierDelete(namespace: service, account: "ann")).changed)
        try app.answer(to: SignInStart(name: "Ann", account: "a@example.com", password: password))
        #expect(try app.answer(to: SignInStatus()).isSignedIn)
        try app.answer(to: SignInEnd())
        try app.answer(to: CodeOffer(service: Self.site, code: SecretBytes(utf8: "111111")))
    }

    @Test("An app in a sandbox learns nothing of the user's settings, nor how much they have")
    func status() throws {
        let files = try deployed(registration())
        defer { try? FileManager.default.removeItem(atPath: files) }
        let status = try app(try TestService(), peer(files)).0.answer(to: Status())
        #expect(status == Status.Answer(protocolVersion: 1, vault: "unlocked"))
    }

    @Test("It may join no access group of another app, in whoever's installation it lies")
    func groups() throws {
        let more = #" "keychain-access-groups": ["org.example.Shop"], "#
        let files = try deployed(registration(of: Self.app, more))
        defer { try? FileManager.default.removeItem(atPath: files) }
        #expect(try app(try TestService(), peer(files)).1.reasonNames == ["registration-invalid"])
    }

    @Test("It does not speak for the site where that is left to an administrator")
    func noAdministrator() throws {
        let files = try deployed(registration())
        defer { try? FileManager.default.removeItem(atPath: files) }
        let daemon = try TestService(siteAssociation: .requiredUnlessInstalled)
        #expect(try app(daemon, peer(files)).0.reasons(for: Self.save) == ["site-fetch-failed"])
    }

    @Test("A Flatpak that brings none is not registered")
    func none() throws {
        let files = try deployed(nil)
        defer { try? FileManager.default.removeItem(atPath: files) }
        #expect(try app(try TestService(), peer(files)).1.reasonNames == ["app-not-registered"])
    }
}
