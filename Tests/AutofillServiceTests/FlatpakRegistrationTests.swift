// SPDX-License-Identifier: Apache-2.0
import Foundation
import PeerIdentity
import Settings
import Support
import Testing

@Suite("The registration that a Flatpak brings")
struct FlatpakRegistrationTests {
    private static let app = "org.example.Flat"

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

    @Test("It counts for the app inside, at the sandbox's assurance, and for grants while the app is connected")
    func counts() throws {
        let files = try deployed(registration())
        defer { try? FileManager.default.removeItem(atPath: files) }
        let daemon = try TestService()
        let app = daemon.connect(peer(files))
        let verified = try app.hello(Self.app).result?["app"] as? [String: Any]
        #expect(verified?["assurance"] as? String == "sandboxed")
        #expect(verified?["registration"] as? String == "\(files)/share/autofilld/apps/\(Self.app).json")
        #expect(verified?["associatedDomainCount"] as? Int == 1)
        let service = ["type": "domain", "value": "flat.example.com"]
        #expect(try app.call("credential.save", ["service": service, "user": "a", "password": "b"]).result != nil)
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        let allowed = try person.call(
            "admin.grant.allow", ["bundleID": Self.app, "service": service, "proof": Examples.proof])
        let grants = allowed.result?["grants"] as? [[String: Any]]
        #expect(grants?.map { ($0["executable"] as? String)?.hasPrefix("flatpak:") } == [true])
        let again = daemon.connect(peer(files))
        try again.hello(Self.app)
        #expect(try again.call("credential.get", ["service": service]).text("password") == "b")
    }

    @Test("It does not count where the files are not the installation's, or a developer's build")
    func notVerified() throws {
        let files = try deployed(registration())
        defer { try? FileManager.default.removeItem(atPath: files) }
        let daemon = try TestService()
        for peer in [peer(files, deployment: .differs("its /app is another directory")), peer(files, isBuild: true)] {
            let verified = try daemon.connect(peer).hello(Self.app).result?["app"] as? [String: Any]
            #expect(verified?["registration"] is NSNull)
        }
    }

    @Test(
        "One with mistakes is told, and one of another bundle ID is a mistake", arguments: ["{", "org.example.Other"])
    func mistakes(text: String) throws {
        let files = try deployed(text == "{" ? text : registration(of: text))
        defer { try? FileManager.default.removeItem(atPath: files) }
        let app = try TestService().connect(peer(files))
        let verified = try app.hello(Self.app).result?["app"] as? [String: Any]
        #expect(verified?["reasonNames"] as? [String] == ["registration-invalid"])
    }

    @Test("It counts for items, verifiers, sign-in and codes as for passwords")
    func families() throws {
        let files = try deployed(registration(of: Self.app, #" "org.autofilld.one-time-code-source": true, "#))
        defer { try? FileManager.default.removeItem(atPath: files) }
        let daemon = try TestService()
        let app = daemon.connect(peer(files))
        try app.hello(Self.app)
        let place: [String: Any] = ["place": ["service": "tokens", "account": "ann"]]
        func call(_ method: String, _ more: [String: Any] = [:]) throws -> TestAnswer {
            try app.call(method, place.merging(more) { $1 })
        }
        #expect(try call("keychain.set", ["data": ["base64": "AA=="]]).error == nil)
        #expect(try call("keychain.get").text("accessGroup") == Self.app)
        #expect(try app.call("keychain.list", ["place": ["service": "tokens"]]).error == nil)
        #expect(try call("keychain.rename", ["newPlace": ["service": "tokens", "account": "bob"]]).error == nil)
        #expect(try app.call("keychain.delete", ["place": ["service": "tokens", "account": "bob"]]).error == nil)
        #expect(try call("verifier.set", ["password": "secret"]).error == nil)
        #expect(try call("verifier.check", ["password": "secret"]).result?["right"] as? Bool == true)
        #expect(try call("admin.verifier.export").error == nil)
        #expect(try call("admin.verifier.import", ["hash": Examples.passwordHash]).error == nil)
        #expect(try call("verifier.delete").error == nil)
        #expect(
            try app.call("signIn.start", ["name": "Ann", "place": ["account": "a@example.com"], "password": "secret"])
                .error == nil)
        #expect(try app.call("signIn.status").result?["signedIn"] as? Bool == true)
        #expect(try app.call("signIn.end").error == nil)
        let code: [String: Any] = ["service": ["type": "domain", "value": "flat.example.com"], "code": "111111"]
        #expect(try app.call("code.offer", code).error == nil)
    }

    @Test("An app in a sandbox is told nothing of how the person has it set up, nor how much they have")
    func status() throws {
        let files = try deployed(registration())
        defer { try? FileManager.default.removeItem(atPath: files) }
        let app = try TestService().connect(peer(files))
        try app.hello(Self.app)
        let status = try app.call("status")
        #expect(status.text("vault") == "unlocked" && status.text("settingsPath") == "")
        #expect(status.result?["vaultPath"] is NSNull && status.result?["credentials"] is NSNull)
        #expect(status.result?["pendingOffers"] is NSNull && status.result?["apps"] as? Int == 0)
    }

    @Test("It may join no access group of another app, in whoever's installation it lies")
    func groups() throws {
        let more = #" "keychain-access-groups": ["org.example.Shop"], "#
        let files = try deployed(registration(of: Self.app, more))
        defer { try? FileManager.default.removeItem(atPath: files) }
        let verified = try TestService().connect(peer(files)).hello(Self.app).result?["app"] as? [String: Any]
        #expect(verified?["reasonNames"] as? [String] == ["registration-invalid"])
    }

    @Test("It does not speak for the site where that is left to an administrator")
    func noAdministrator() throws {
        let files = try deployed(registration())
        defer { try? FileManager.default.removeItem(atPath: files) }
        let daemon = try TestService(siteAssociation: .requiredUnlessInstalled)
        let app = daemon.connect(peer(files))
        try app.hello(Self.app)
        let service = ["type": "domain", "value": "flat.example.com"]
        #expect(
            try app.call("credential.save", ["service": service, "user": "a", "password": "b"]).reasons
                == ["site-fetch-failed"])
    }

    @Test("A Flatpak that brings none is not registered")
    func none() throws {
        let files = try deployed(nil)
        defer { try? FileManager.default.removeItem(atPath: files) }
        let app = try TestService().connect(peer(files))
        let verified = try app.hello(Self.app).result?["app"] as? [String: Any]
        #expect(verified?["reasonNames"] as? [String] == ["app-not-registered"])
    }
}
