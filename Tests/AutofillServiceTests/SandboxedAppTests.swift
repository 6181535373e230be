// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import PeerIdentity
import SecretMemory
import Support
import Testing

/// What an app in a sandbox, or one that hides whether it is in one, cannot do to the vault.
struct SandboxedAppTests {
    static let sandboxes: [SandboxEvidence] = [
        .flatpak(FlatpakInstance(appID: "org.example.Flat"), .deployed(installation: "user", files: "/x")),
        .malformed("no name"), .unreadable(errno: EACCES),
    ]

    private let key = SecretBytes(utf8: String(repeating: "7", count: Limits.keyBytes))

    private func connect(_ daemon: TestService, _ sandbox: SandboxEvidence) throws -> ServiceConnection {
        var peer = PeerEvidence.plainProcess
        peer.sandbox = sandbox
        let app = daemon.connect(peer)
        try app.greet(as: "org.example.Flat")
        return app
    }

    @Test("It neither creates the vault nor replaces it with a backup of its own", arguments: sandboxes)
    func makes(_ sandbox: SandboxEvidence) throws {
        let daemon = try TestService(isCreated: false)
        let app = try connect(daemon, sandbox)
        #expect(try app.reasons(for: VaultCreate(secrets: [.key(key)])) == ["outside-sandbox-only"])
        #expect(
            try app.reasons(for: VaultRestore(path: "/tmp/none", secret: .key(key), proof: nil))
                == ["outside-sandbox-only"])
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        try user.answer(to: VaultCreate(secrets: [.key(key)]))
    }

    @Test(
        "It neither shuts the vault, nor tries passphrases and keys, which would keep the user out",
        arguments: sandboxes)
    func tries(_ sandbox: SandboxEvidence) throws {
        let daemon = try TestService()
        let app = try connect(daemon, sandbox)
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        #expect(try app.reasons(for: VaultLock()) == ["outside-sandbox-only"])
        for _ in 1...3 {
            #expect(try app.reasons(for: GrantList(proof: .key(key))) == ["outside-sandbox-only"])
            #expect(
                try app.reasons(for: CredentialGet(service: .shop, proof: .test))
                    == ["outside-sandbox-only"])
        }
        try user.answer(to: GrantList(proof: .test))
        try user.answer(to: VaultLock())
        for _ in 1...3 { #expect(try app.reasons(for: VaultUnlock(proof: .key(key))) == ["outside-sandbox-only"]) }
        try user.answer(to: VaultUnlock(proof: .test))
    }

    /// attacks.md, a hostile program, 7
    @Test(
        "A program that has files, users or processes of its own is in a sandbox, whatever made that",
        arguments: [true, false])
    func otherSandbox(hasMounts: Bool) throws {
        let daemon = try TestService()
        var peer = PeerEvidence.plainProcess
        if hasMounts { peer.mountNamespaceDiffers = true } else { peer.isApart = true }
        let app = daemon.connect(peer)
        try app.greet()
        #expect(try app.reasons(for: VaultLock()) == ["outside-sandbox-only"])
        for _ in 1...3 {
            #expect(try app.reasons(for: GrantList(proof: .key(key))) == ["outside-sandbox-only"])
        }
        #expect(try app.answer(to: Status()).daemon == nil)
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        try user.answer(to: GrantList(proof: .test))
    }
}
