// SPDX-License-Identifier: Apache-2.0
import Foundation
import PeerIdentity
import Support
import Testing

/// What an app in a sandbox, or one that hides whether it is in one, cannot do to the vault.
struct SandboxedAppTests {
    static let sandboxes: [SandboxEvidence] = [
        .flatpak(FlatpakInstance(appID: "org.example.Flat"), .deployed(installation: "user", files: "/x")),
        .malformed("no name"), .unreadable(errno: EACCES),
    ]

    private let key: [String: Any] = ["key": ["base64": Data(repeating: 7, count: 32).base64EncodedString()]]

    private func connect(_ daemon: TestService, _ sandbox: SandboxEvidence) throws -> ServiceConnection {
        var peer = PeerEvidence.plainProcess
        peer.sandbox = sandbox
        let app = daemon.connect(peer)
        try app.hello("org.example.Flat")
        return app
    }

    @Test("It neither makes the vault nor puts a backup of its own in its place", arguments: sandboxes)
    func makes(_ sandbox: SandboxEvidence) throws {
        let daemon = try TestService(isCreated: false)
        let app = try connect(daemon, sandbox)
        #expect(try app.call("admin.vault.create", key).reasons == ["outside-sandbox-only"])
        #expect(
            try app.call("admin.vault.restore", ["path": "/tmp/none", "secret": key]).reasons
                == ["outside-sandbox-only"])
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        #expect(try person.call("admin.vault.create", key).error == nil)
    }

    @Test(
        "It neither shuts the vault, nor tries passphrases and keys, which would keep the person out",
        arguments: sandboxes)
    func tries(_ sandbox: SandboxEvidence) throws {
        let daemon = try TestService()
        let app = try connect(daemon, sandbox)
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        #expect(try app.call("admin.vault.lock").reasons == ["outside-sandbox-only"])
        for _ in 1...3 {
            #expect(try app.call("admin.grant.list", ["proof": key]).reasons == ["outside-sandbox-only"])
            #expect(
                try app.call("credential.get", ["service": Examples.shop, "proof": Examples.proof]).reasons
                    == ["outside-sandbox-only"])
        }
        #expect(try person.call("admin.grant.list", ["proof": Examples.proof]).error == nil)
        #expect(try person.call("admin.vault.lock").error == nil)
        for _ in 1...3 { #expect(try app.call("vault.unlock", key).reasons == ["outside-sandbox-only"]) }
        #expect(try person.call("vault.unlock", Examples.proof).error == nil)
    }

    /// attacks.md, a hostile program, 7
    @Test("Who has files, users or processes of its own is in a sandbox, whatever made that", arguments: [true, false])
    func otherSandbox(hasMounts: Bool) throws {
        let daemon = try TestService()
        var peer = PeerEvidence.plainProcess
        if hasMounts { peer.mountNamespaceDiffers = true } else { peer.isApart = true }
        let app = daemon.connect(peer)
        try app.hello()
        #expect(try app.call("admin.vault.lock").reasons == ["outside-sandbox-only"])
        for _ in 1...3 {
            #expect(try app.call("admin.grant.list", ["proof": key]).reasons == ["outside-sandbox-only"])
        }
        #expect(try app.call("status").result?["clients"] as? Int == 1)
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        #expect(try person.call("admin.grant.list", ["proof": Examples.proof]).error == nil)
    }
}
