// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Prompting
import Support
import Testing

/// attacks.md, one sandboxed app, 8
@Suite("What a program without a registration can have the user asked")
struct UnregisteredPromptTests {
    private let daemon: TestService
    private let stranger: ServiceConnection
    private let shop: ServiceConnection

    /// A locked vault that a passphrase opens.
    init() throws {
        daemon = try TestService.withPassphrase(consent: .user, isLocked: true)
        stranger = daemon.connect(.process(path: "/home/user/stranger", inode: 8))
        try stranger.greet(as: "org.example.Unknown")
        shop = daemon.connect(.systemProgram)
        try shop.greet()
    }

    @Test("What needs a registration is refused before anybody is asked")
    func refused() throws {
        #expect(try stranger.reasons(for: CredentialGet(service: .shop)).contains("app-not-registered"))
        #expect(
            try stranger.reasons(for: KeychainGet(.place(namespace: "own", account: "ann"))).contains(
                "app-not-registered"))
        #expect(!daemon.asksPassphrase && daemon.questions.isEmpty && daemon.approvals.isEmpty)
    }

    @Test("A prompt names the program and states that it is not registered; a no to it holds for that program alone")
    func named() throws {
        let asked = try stranger.send(VaultUnlock())
        let prompt = try #require(daemon.passphrasePrompts.first)
        let shown = "\(prompt)"
        #expect(shown.contains("/home/user/stranger") && shown.contains("org.example.Unknown"), "\(shown)")
        try daemon.givePassphrase(.declined)
        #expect(try asked.reasons() == ["vault-locked"])
        #expect(try stranger.reasons(for: VaultUnlock()) == ["vault-locked"])
        #expect(!daemon.asksPassphrase)
        let opened = try shop.send(VaultUnlock())
        #expect(opened.waits && daemon.asksPassphrase)
        #expect("\(try #require(daemon.passphrasePrompts.first))".contains("org.example.Shop"))
        try daemon.givePassphrase(.passphrase(TestService.passphrase))
        #expect(try opened.answer().changed)
    }
}
