// SPDX-License-Identifier: Apache-2.0
import AutofillService
import ConfigurationFiles
import Credentials
import EventLoop
import Foundation
import PeerIdentity
import Prompting
import Support
import Testing

/// What has become of the peer, and of its files, since its requests came.
@Suite("A peer that is looked at again")
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
            try app.hello()
            flag.refusal = refusal
            let save: [String: Any] = ["service": Examples.shop, "user": "ann", "password": "s3cret"]
            let user: [String: Any] = ["name": "Ann", "email": "ann@example.com", "password": "secret"]
            for (method, parameters) in [
                ("credential.save", save), ("offer.list", [:]), ("signIn.start", user), ("signIn.end", [:]),
                ("signIn.status", [:]), ("admin.vault.lock", [:]),
                ("autofill.suggest", ["service": Examples.shop, "fields": []]),
                ("keychain.set", ["service": "a", "account": "b", "data": ["base64": ""]]),
                ("admin.grant.list", ["proof": Examples.proof]),
            ] as [(String, [String: Any])] {
                #expect(try app.call(method, parameters).reasons == [reason], "\(method)")
            }
            let person = daemon.connect()
            try person.hello("org.autofilld.autofillctl")
            #expect(try person.call("status").text("vault") == "unlocked")
            let saved = try person.call("credential.list", ["proof": Examples.proof]).result?["credentials"] as? [Any]
            #expect(saved?.isEmpty == true)
        }
    }

    @Test("The person's command may keep its memory to itself, and an app may not")
    func hidden() throws {
        let daemon = try TestService()
        let flag = Flag()
        func connect(_ app: String) throws -> ServiceConnection {
            let connection = daemon.connect(
                confirm: { () throws(PeerRefusal) in if let refusal = flag.refusal { throw refusal } })
            flag.refusal = nil
            try connection.hello(app)
            flag.refusal = .unreadable("executable")
            return connection
        }
        #expect(
            try connect("org.autofilld.autofillctl").call("admin.grant.list", ["proof": Examples.proof]).error == nil)
        #expect(try connect(Self.app).call("offer.list").reasons == ["identity-mismatch"])
    }

    /// attacks.md, a hostile program, 9
    @Test("A request that has waited for the person is judged by the registrations of then")
    func registrations() throws {
        let registrations = try TestRegistrations([Self.app: Self.registration])
        let daemon = try TestService(consent: .person, registrations: registrations.path)
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        try person.call(
            "credential.save", ["service": Examples.shop, "user": "ann", "password": "s3cret", "proof": Examples.proof])
        let app = daemon.connect()
        try app.hello()
        _ = try app.send("credential.get", ["service": Examples.shop])
        let question = try #require(daemon.questions.first)
        try Data(Self.registration.replacing("shop.example.com", with: "other.example.com").utf8)
            .write(to: URL(fileURLWithPath: "\(registrations.path)/\(Self.app).json"))
        try daemon.answer(question, .once)
        #expect(try app.answers().map(\.reasons) == [["domain-not-associated"]])
    }

    /// attacks.md, a hostile program, 9
    @Test("A request that has waited for the person is judged by the program's own files of then")
    func executables() throws {
        final class Files: @unchecked Sendable { var inode: UInt64 = 7 }
        let files = Files()
        let registrations = try TestRegistrations([
            Self.app: Self.registration.replacing(#""name""#, with: #""executables": ["/home/user/app"], "name""#)
        ])
        let daemon = try TestService(
            consent: .person, registrations: registrations.path,
            files: FileLooks(
                registered: { paths in
                    paths.map {
                        RegisteredExecutable(
                            path: $0,
                            identity: ExecutableIdentity(device: 1, inode: files.inode, size: 100, modified: 5),
                            isRootOwned: false)
                    }
                }, contentHash: { _, _ in nil }))
        let app = daemon.connect()
        try app.hello()
        _ = try app.send("credential.get", ["service": Examples.shop])
        let question = try #require(daemon.questions.first)
        files.inode = 8
        try daemon.answer(question, .once)
        #expect(try app.answers().map(\.reasons) == [["identity-mismatch"]])
    }

    @Test("A denial names a domain, or an access group and a service")
    func denials() throws {
        let daemon = try TestService()
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        func deny(_ name: String) throws -> TestAnswer {
            let service = ["type": "keychain", "value": name]
            return try person.call(
                "admin.grant.deny", ["bundleID": Self.app, "service": service, "proof": Examples.proof])
        }
        for name in ["tokens", "org.example.Shop", "org.example.Shop/", "/tokens", "no group/tokens", ""] {
            #expect(try deny(name).problem == "parameter-invalid", "\(name)")
        }
        #expect(try deny("org.example.Shop/tokens").error == nil)
        #expect(try deny("org.example.Shop/a/b").error == nil)
    }

    /// attacks.md, a hostile program, 6
    @Test(
        "Wrong guesses of apps keep nobody waiting who types the passphrase at a terminal, and those there none of the apps'"
    )
    func places() throws {
        let daemon = try TestService(isCreated: false)
        let session = TerminalSession(leader: 100, leaderStartTime: 5, terminal: 0x8801)
        let passphrase = "correct horse battery"
        let person = daemon.connect(.systemProgram, terminal: { session })
        try person.hello("org.autofilld.autofillctl")
        try person.call("admin.vault.create", ["passphrase": passphrase])
        let app = daemon.connect()
        try app.hello()
        func list(_ connection: ServiceConnection, _ proof: [String: Any]) throws -> [String] {
            try connection.call("admin.grant.list", ["proof": proof]).reasons
        }
        for _ in 1...4 {
            #expect(try list(app, ["passphrase": "wrong horse"]) == ["proof-wrong"])
            #expect(try list(app, ["passphrase": "wrong horse"]) == ["proof-too-soon"])
            daemon.clock.advance(by: .seconds(5))
        }
        #expect(try list(app, ["passphrase": "wrong horse"]) == ["proof-wrong"])
        #expect(try list(person, ["passphrase": "wrong horse", "terminal": true]) == ["proof-wrong"])
        #expect(try list(person, ["passphrase": passphrase, "terminal": true]) == ["proof-too-soon"])
        daemon.clock.advance(milliseconds: 250)
        #expect(try list(app, ["passphrase": passphrase]) == ["proof-too-soon"])
        #expect(try list(person, ["passphrase": passphrase, "terminal": true]) == [])
    }
}
