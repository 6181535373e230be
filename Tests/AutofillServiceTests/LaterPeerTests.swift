// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import ConfigurationFiles
import Credentials
import EventLoop
import Foundation
import PeerIdentity
import Prompting
import SecretMemory
import Support
import Testing

/// What has become of the peer, and of its files, since its requests came.
@Suite("A peer that is inspected again")
struct LaterPeerTests {
    private final class Flag { var refusal: PeerRefusal? }

    private static let app = "org.example.Shop"
    private static let registration = """
        {"bundleID": "org.example.Shop", "name": "Shop", "entitlements": {
        "com.apple.developer.associated-domains": ["webcredentials:shop.example.com"],
        "com.apple.developer.authentication-services.autofill-credential-provider": true}}
        """

    /// attacks.md, a hostile program, 9
    @Test(
        "Once the process that connected has ended, or is another program, nothing is saved, listed, signed in or locked for it"
    )
    func ended() throws {
        for (refusal, reason) in [(PeerRefusal.ended, "peer-ended"), (.executableChanged, "peer-changed")] {
            let daemon = try TestService()
            let flag = Flag()
            let app = daemon.connect(confirm: { () throws(PeerRefusal) in
                if let refusal = flag.refusal { throw refusal }
            })
            try app.greet()
            flag.refusal = refusal
            let secret = SecretBytes(utf8: "s3cret")
            let calls: [any MethodCall] = [
                CredentialSave(service: .shop, user: "ann", password: secret), OfferList(),
                SignInStart(name: "Ann", account: "ann@example.com", password: secret), SignInEnd(), SignInStatus(),
                VaultLock(), AutofillSuggest(service: .shop, form: FormDescription([])),
                KeychainSet(namespace: "a", account: "b", data: secret), GrantList(proof: .test),
            ]
            for call in calls { #expect(try app.reasons(for: call) == [reason], "\(call)") }
            let user = daemon.connect()
            try user.greet(as: "org.autofilld.autofillctl")
            #expect(try user.answer(to: Status()).vault == "unlocked")
            #expect(try user.answer(to: CredentialList(proof: .test)).credentials.isEmpty)
        }
    }

    @Test("The user's command may keep its memory to itself, and an app may not")
    func hidden() throws {
        let daemon = try TestService()
        let flag = Flag()
        func connect(_ app: String) throws -> ServiceConnection {
            let connection = daemon.connect(
                confirm: { () throws(PeerRefusal) in if let refusal = flag.refusal { throw refusal } })
            flag.refusal = nil
            try connection.greet(as: app)
            flag.refusal = .unreadable("executable")
            return connection
        }
        try connect("org.autofilld.autofillctl").answer(to: GrantList(proof: .test))
        #expect(try connect(Self.app).reasons(for: OfferList()) == ["identity-mismatch"])
    }

    /// attacks.md, a hostile program, 9
    @Test("A request that has waited for the user is judged by the registrations of then")
    func registrations() throws {
        let registrations = try TestRegistrations([Self.app: Self.registration])
        let daemon = try TestService(consent: .user, registrations: registrations.path)
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        try user.answer(
            to: CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "s3cret"), proof: .test))
        let app = daemon.connect()
        try app.greet()
        let sent = try app.send(CredentialGet(service: .shop))
        let question = try #require(daemon.questions.first)
        try Data(Self.registration.replacing("shop.example.com", with: "other.example.com").utf8)
            .write(to: URL(fileURLWithPath: "\(registrations.path)/\(Self.app).json"))
        try daemon.answer(question, .once)
        #expect(try sent.reasons() == ["domain-not-associated"])
    }

    /// attacks.md, a hostile program, 9
    @Test("A request that has waited for the user is judged by the program's own files of then")
    func executables() throws {
        let (daemon, files) = try daemonWithFiles(Self.registration)
        let app = daemon.connect()
        try app.greet()
        let sent = try app.send(CredentialGet(service: .shop))
        let question = try #require(daemon.questions.first)
        files.inode = 8
        try daemon.answer(question, .once)
        #expect(try sent.reasons() == ["identity-mismatch"])
    }

    /// attacks.md, a hostile program, 9
    @Test("Nor is it given what was decided before its own files became others")
    func decidedBefore() throws {
        let (daemon, files) = try daemonWithFiles(
            Self.registration.replacing(
                #"shop.example.com""#, with: #"shop.example.com", "webcredentials:other.example.com""#))
        let app = daemon.connect(contentHash: String(repeating: "a", count: 64))
        try app.greet()
        try daemon.user().answer(to: CredentialSave("ann", "s3cret", proof: .test))
        let first = try app.send(CredentialGet(service: .shop))
        try daemon.answer(try #require(daemon.questions.first), .allow)
        #expect(try first.answer().password.text == "s3cret")
        #expect(try app.answer(to: CredentialGet(service: .shop)).password.text == "s3cret")
        let other = try app.send(CredentialGet(service: ServiceIdentifier(domain: "other.example.com")))
        let question = try #require(daemon.questions.first)
        files.inode = 8
        try daemon.answer(question, .once)
        #expect(try other.reasons() == ["identity-mismatch"])
        #expect(try app.reasons(for: CredentialGet(service: .shop)) == ["identity-mismatch"])
    }

    private final class Files: @unchecked Sendable {
        var inode: UInt64 = 7
        /// Kept as long.
        var registrations: TestRegistrations?
    }

    /// A service that inspects the files of a program that is registered by its path.
    private func daemonWithFiles(_ registration: String) throws -> (TestService, Files) {
        let files = Files()
        let registrations = try TestRegistrations([
            Self.app: registration.replacing(#""name""#, with: #""executables": ["/home/user/app"], "name""#)
        ])
        files.registrations = registrations
        let daemon = try TestService(
            consent: .user, registrations: registrations.path,
            files: FileInspections(
                registered: { paths in
                    paths.map {
                        RegisteredExecutable(
                            path: $0,
                            identity: ExecutableIdentity(device: 1, inode: files.inode, size: 100, modified: 5),
                            isRootOwned: false)
                    }
                }, contentHash: { _, _ in nil }))
        return (daemon, files)
    }

    @Test("A denial names a domain, or keychain items by access group and namespace")
    func denials() throws {
        let daemon = try TestService()
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        func deny(_ items: GrantedItems) throws -> [String] {
            try user.reasons(for: GrantDeny(bundleID: Self.app, .keychain(items), proof: .test))
        }
        for items: GrantedItems in [
            .namespace("", accessGroup: "org.example.Shop"), .namespace("tokens", accessGroup: ""),
            .namespace("tokens", accessGroup: "no group"), .namespace("tokens", accessGroup: "org.freedesktop.secrets"),
            .item("tokens", accessGroup: "org.example.Shop"), .group("org.example.Shop"),
        ] {
            #expect(try deny(items) == ["parameter-invalid"], "\(items)")
        }
        #expect(try deny(.namespace("tokens", accessGroup: "org.example.Shop")) == [])
        #expect(try deny(.namespace("a/b", accessGroup: "org.example.Shop")) == [])
    }

    /// attacks.md, a hostile program, 6
    @Test(
        "Wrong guesses of apps keep nobody waiting who types the passphrase at a terminal, and those there none of the apps'"
    )
    func places() throws {
        let daemon = try TestService.withPassphrase()
        let session = TerminalSession(leader: 100, leaderStartTime: 5, terminal: 0x8801)
        let (right, wrong) = (TestService.passphrase, SecretBytes(utf8: "wrong horse"))
        let user = daemon.connect(.systemProgram, terminal: { session })
        try user.greet(as: "org.autofilld.autofillctl")
        let app = daemon.connect()
        try app.greet()
        func list(_ connection: ServiceConnection, _ proof: Proof) throws -> [String] {
            try connection.reasons(for: GrantList(proof: proof))
        }
        for _ in 1...2 {
            #expect(try list(app, .passphrase(wrong)) == ["proof-wrong"])
            #expect(try list(app, .passphrase(wrong)) == ["proof-too-soon"])
            daemon.clock.advance(by: .seconds(5))
        }
        #expect(try list(app, .passphrase(wrong)) == ["proof-wrong"])
        #expect(try list(user, .typedPassphrase(wrong)) == ["proof-wrong"])
        #expect(try list(user, .typedPassphrase(right)) == ["proof-too-soon"])
        daemon.clock.advance(milliseconds: 250)
        #expect(try list(app, .passphrase(right)) == ["proof-too-soon"])
        #expect(try list(user, .typedPassphrase(right)) == [])
    }
}
