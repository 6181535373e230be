// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Credentials
import Foundation
import Prompting
import SecretMemory
import Support
import Testing

@Suite("A prompt as proof, and for the passphrase")
struct PromptedProofTests {
    private static func allow(_ proof: Proof) -> GrantAllow {
        GrantAllow(bundleID: "org.example.Shop", service: .shop, proof: proof)
    }

    @Test("The user's yes to a prompt that names what would be done is proof for that one request")
    func approved() throws {
        let daemon = try TestService(consent: .user)
        let app = daemon.connect()
        try app.greet(as: "org.autofilld.autofillctl")
        let allowed = try app.send(Self.allow(.prompt))
        let approval = try #require(daemon.approvals.first)
        let text = approval.prompt.description
        #expect(text.contains("let the app org.example.Shop fill what is saved for shop.example.com"))
        #expect(text.contains("Program: /home/user/app"))
        try daemon.answer(approval, isApproved: true)
        #expect(try allowed.answer().changed)
        #expect(daemon.approvals.isEmpty)
        #expect(try app.send(GrantList(proof: .prompt)).waits)
        #expect(daemon.approvals.count == 1)
    }

    @Test("A prompt names the services that become those of a credential, and no more than it can show")
    func services() throws {
        let daemon = try TestService(consent: .user)
        try daemon.user().answer(to: CredentialSave("ann", "secret", at: .shop, proof: .test))
        let app = daemon.connect()
        try app.greet()
        // As the app writes it, and not as it is saved.
        let shop = "SHOP.example.com"
        func update(_ services: [SavedService], newUser: String? = nil) -> CredentialUpdate {
            CredentialUpdate(
                .saved(for: ServiceIdentifier(domain: shop), user: "ann"), newUser: newUser,
                changes: CredentialChanges(services: [SavedService(.shop)] + services), proof: .prompt)
        }
        func site(_ name: String) -> SavedService { SavedService(ServiceIdentifier(domain: name), match: "site") }
        for (services, expected) in [
            ([site("evil.example")], "saved for ann at \(shop), also filled at evil.example and its whole site."),
            ([SavedService(.bank), site("e.example")], " site and e.example and its whole site."),
            ([SavedService(.bank, match: "exact")], "also filled at bank.example.com alone."),
            ([], "the details of the password saved for ann at \(shop)."),
        ] {
            let sent = try app.send(update(services))
            let approval = try #require(daemon.approvals.first)
            #expect(approval.prompt.description.contains(expected), "\(approval.prompt.description)")
            try app.cancel(sent)
            // The third within a minute would be a no.
            daemon.clock.advance(milliseconds: Int64(Limits.denialMilliseconds) / 2)
        }
        let many = (0...Limits.promptedServices).map { site("s\($0).example") }
        for refused in [update(many), update([site("evil.example")], newUser: "eve")] {
            #expect(try app.refusal(of: refused)?.member == "services")
        }
        #expect(daemon.approvals.isEmpty)
    }

    @Test("A prompt that was withdrawn is no answer, and the next one is shown; the third in a minute is a no")
    func withdrawn() throws {
        let daemon = try TestService(consent: .user)
        let app = daemon.connect()
        try app.greet(as: "org.autofilld.autofillctl")
        func withdraw() throws {
            let sent = try app.send(GrantList(proof: .prompt))
            #expect(sent.waits && daemon.approvals.count == 1)
            try app.cancel(sent)
            #expect(try sent.reasons() == ["cancelled"] && daemon.approvals.isEmpty)
        }
        for _ in 0..<2 { try withdraw() }
        daemon.clock.advance(milliseconds: Int64(Limits.denialMilliseconds))
        for _ in 0..<3 { try withdraw() }
        let refused = try #require(try app.refusal(of: GrantList(proof: .prompt))).reasons
        #expect(refused.map(\.reason) == ["consent-denied"])
        #expect(refused.first?.retryAfterMilliseconds == Limits.denialMilliseconds)
        #expect(daemon.approvals.isEmpty)
        daemon.clock.advance(milliseconds: Int64(Limits.denialMilliseconds))
        #expect(try app.send(GrantList(proof: .prompt)).waits)
    }

    @Test("A prompt is a no when it has shown for most of its request's time, and not when it waited behind another")
    func unanswered() throws {
        let daemon = try TestService(consent: .user)
        let (first, second) = (daemon.connect(), daemon.connect(.process(path: "/home/user/other", inode: 8)))
        let third = daemon.connect(.process(path: "/home/user/third", inode: 9))
        for app in [first, second, third] { try app.greet(as: "org.autofilld.autofillctl") }
        func pass(milliseconds: Int) throws {
            daemon.clock.advance(milliseconds: Int64(milliseconds))
            for _ in 0..<2 { try daemon.settle() }
        }
        let shown = try first.send(GrantList(proof: .prompt))
        try pass(milliseconds: 2000)
        let behind = try second.send(GrantList(proof: .prompt))
        try pass(milliseconds: Limits.promptMilliseconds - 2000)
        #expect(try shown.reasons() == ["consent-denied"])
        #expect(behind.waits && daemon.approvals.count == 1)
        try pass(milliseconds: 2000)
        #expect(try behind.reasons() == ["consent-denied"])
        #expect(try first.reasons(for: GrantList(proof: .prompt)) == ["consent-denied"])
        #expect(daemon.approvals.isEmpty)
        let again = try second.send(GrantList(proof: .prompt))
        #expect(again.waits && daemon.approvals.count == 1)
        let later = try third.send(GrantList(proof: .prompt))
        try pass(milliseconds: Limits.promptMilliseconds - Limits.unansweredPromptMilliseconds)
        try second.cancel(again)
        try pass(milliseconds: Limits.unansweredPromptMilliseconds)
        #expect(try later.reasons() == ["consent-denied"])
        #expect(try third.reasons(for: GrantList(proof: .prompt)) == ["consent-denied"])
        #expect(daemon.approvals.isEmpty)
    }

    @Test("Every prompt belongs to the window of the request's context: a proof's and a question's")
    func window() throws {
        let daemon = try TestService(consent: .user)
        let app = daemon.connect()
        try app.greet(as: "org.autofilld.autofillctl")
        let window = PageContext(parentWindow: "x11:7")
        _ = try app.send(GrantList(proof: .prompt), in: window)
        let approval = try #require(daemon.approvals.first)
        #expect(approval.prompt.parentWindow == "x11:7")
        try daemon.answer(approval, isApproved: true)
        let shop = daemon.connect()
        try shop.greet()
        _ = try shop.send(CredentialGet(service: .shop), in: window)
        #expect(daemon.questions.first?.first.parentWindow == "x11:7")
    }

    @Test("A method that never prompts has no context, and one that may prompt reads no other member in it")
    func unknown() throws {
        let app = try TestService().connect()
        try app.greet()
        let context = ["parentWindow": "x11:7", "colour": "red"]
        let warnings = try ["status", "offer.list"].map { method in
            try app.call(method, ["context": context]).result?["warnings"] as? [String]
        }
        #expect(warnings == [["unknown parameter: context"], ["unknown parameter: context.colour"]])
    }

    @Test("Of the keychain a grant is for reading, and nothing is filled")
    func keychainGrant() throws {
        let daemon = try TestService(consent: .user)
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        let items = GrantedItems.namespace("tokens", accessGroup: "org.example.Shop")
        let allowed = try user.send(GrantAllow(.app(bundleID: "org.example.Shop"), .keychain(items), proof: .prompt))
        let approval = try #require(daemon.approvals.first)
        let words = "read what is saved in the keychain under org.example.Shop/tokens"
        #expect(approval.prompt.description.contains("let the app org.example.Shop \(words)"))
        try daemon.answer(approval, isApproved: true)
        let grant = try #require(try allowed.answer().grants.first).grant
        _ = try user.send(GrantRevoke(grant: grant, proof: .prompt))
        let revoking = try #require(daemon.approvals.first)
        #expect(revoking.prompt.description.contains("revoke the decision that the app org.example.Shop may \(words)"))
    }

    @Test("A yes to what was shown of one vault counts in no other that has replaced it")
    func otherVault() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try TestService(location: .directory(folder + "/data"), consent: .user)
        let (shop, app, user) = (daemon.connect(), daemon.connect(), daemon.connect())
        try shop.greet()
        for connection in [app, user] { try connection.greet(as: "org.autofilld.autofillctl") }
        let saved = try user.answer(to: CredentialSave("ann", "s3cret", proof: .test)).credential
        try user.answer(to: VaultBackup(path: folder + "/backup", proof: .test))
        let deleted = try app.send(CredentialDelete(credential: saved, proof: .prompt))
        let approval = try #require(daemon.approvals.first)
        try user.answer(to: VaultRestore(path: folder + "/backup", secret: .test, proof: .test))
        // Another request of the connection has followed meanwhile.
        try app.answer(to: GrantList(proof: .test))
        try daemon.answer(approval, isApproved: true)
        #expect(try deleted.reasons() == ["proof-required"])

        let got = try shop.send(CredentialGet(service: .shop))
        let question = try #require(daemon.questions.first)
        try user.answer(to: VaultRestore(path: folder + "/backup", secret: .test, proof: .test))
        try shop.answer(to: OfferList())
        try daemon.answer(question, .once)
        #expect(got.waits, "it is asked again")
        try daemon.answer(try #require(daemon.questions.first), .once)
        #expect(try got.answer().password.text == "s3cret")
    }

    @Test("A prompt names the owner of what a request names by an id, and asks nothing about what is not there")
    func namedByID() throws {
        let daemon = try TestService(consent: .user)
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        let save = CredentialSave(
            service: .shop, user: "ann", password: SecretBytes(utf8: "s3cret"), proof: .test)
        let credential = try user.answer(to: save).credential
        let grant = try #require(try user.answer(to: Self.allow(.test)).grants.first).grant
        let app = daemon.connect()
        try app.greet()
        func expect(_ call: some MethodCall, asks words: String) throws {
            let sent = try app.send(call)
            let approval = try #require(daemon.approvals.first)
            #expect(approval.prompt.description.contains(words))
            try daemon.answer(approval, isApproved: true)
            #expect(try sent.reasons() == [])
        }
        try expect(
            AutofillFill(credential: credential, proof: .prompt),
            asks: "read the password saved for ann at shop.example.com")
        try expect(
            CredentialDelete(credential: credential, proof: .prompt),
            asks: "delete the password saved for ann at shop.example.com")
        try expect(
            GrantRevoke(grant: grant, proof: .prompt),
            asks: "revoke the decision that the app org.example.Shop may fill what is saved for shop.example.com")
        let gone = try app.reasons(for: CredentialDelete(credential: credential, proof: .prompt))
        #expect(gone == ["credential-not-found"])
        #expect(daemon.approvals.isEmpty)
    }

    @Test("A terminal is given to prompts until its connection ends, whatever waits there")
    func terminal() throws {
        let daemon = try TestService(consent: .user)
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        let attach = PrompterAttach(terminal: "/dev/pts/7", type: "xterm", proof: .test)
        #expect(try user.answer(to: attach).changed)
        try daemon.connect().disconnect()
        func path() -> String? { daemon.engine.assumeIsolated { $0.promptTerminal?.path } }
        #expect(path() == "/dev/pts/7")
        try user.disconnect()
        #expect(path() == nil)
    }

    @Test("A no is a no, and holds for this program's other requests to administer")
    func declined() throws {
        let daemon = try TestService(consent: .user)
        let app = daemon.connect()
        try app.greet(as: "org.autofilld.autofillctl")
        let allowed = try app.send(Self.allow(.prompt))
        try daemon.answer(try #require(daemon.approvals.first), isApproved: false)
        #expect(try allowed.reasons() == ["consent-denied"])
        #expect(try app.reasons(for: GrantList(proof: .prompt)) == ["consent-denied"])
        #expect(try app.answer(to: GrantList(proof: .test)).grants.isEmpty)
        daemon.clock.advance(milliseconds: Int64(Limits.denialMilliseconds))
        #expect(try app.send(GrantList(proof: .prompt)).waits)
    }

    @Test("A no holds for the program's requests that wait already, too: no other prompt shows")
    func declinedAll() throws {
        let daemon = try TestService(consent: .user)
        let app = daemon.connect()
        try app.greet(as: "org.autofilld.autofillctl")
        let (first, second) = (try app.send(Self.allow(.prompt)), try app.send(GrantList(proof: .prompt)))
        try daemon.answer(try #require(daemon.approvals.first), isApproved: false)
        #expect(daemon.approvals.isEmpty)
        #expect(try first.reasons() == ["consent-denied"] && second.reasons() == ["consent-denied"])
    }

    @Test("Where nobody can be asked a prompt is no proof")
    func nobody() throws {
        let app = try TestService().connect()
        try app.greet(as: "org.autofilld.autofillctl")
        #expect(try app.reasons(for: Self.allow(.prompt)) == ["proof-required"])
        let daemon = try TestService(consent: .user)
        let other = daemon.connect()
        try other.greet(as: "org.autofilld.autofillctl")
        let allowed = try other.send(Self.allow(.prompt))
        try daemon.answer(try #require(daemon.approvals.first), isApproved: nil)
        #expect(try allowed.reasons() == ["proof-required"])
    }

    @Test("Requests wait for the vault to be opened, whoever opens it, and are then performed")
    func unlockedByAnother() throws {
        let daemon = try TestService.withPassphrase(consent: .user)
        let app = daemon.connect(.systemProgram)
        try app.greet()
        try app.answer(to: CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "s3cret")))
        try app.answer(to: VaultLock())
        let got = try app.send(CredentialGet(service: .shop))
        let unlocked = try app.send(VaultUnlock())
        #expect(got.waits && unlocked.waits)
        #expect(daemon.asksPassphrase)
        let forbidden = try app.refusal(of: CredentialGet(service: .shop, interaction: .forbid))
        #expect(forbidden?.reasons.map(\.reason) == ["vault-locked"])
        #expect(forbidden?.reasons.map(\.event) == ["vaultUnlocked"])
        #expect(try app.reasons(for: VaultUnlock(interaction: .forbid)) == ["vault-locked"])
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        #expect(try user.answer(to: VaultUnlock(proof: .test)).changed)
        #expect(!daemon.asksPassphrase)
        #expect(try got.answer().password.text == "s3cret")
        #expect(try unlocked.answer().changed)
    }

    @Test("A vault that no passphrase opens is not waited for")
    func keyOnly() throws {
        let daemon = try TestService(consent: .user)
        let app = daemon.connect()
        try app.greet()
        try app.answer(to: VaultLock())
        #expect(try app.reasons(for: VaultUnlock()) == ["vault-locked"])
        #expect(!daemon.asksPassphrase)
    }

    @Test("The passphrase of the prompt opens it for all who wait; a wrong one does not, and a no holds for a while")
    func passphrase() throws {
        let daemon = try TestService.withPassphrase(consent: .user, isLocked: true)
        let app = daemon.connect(.systemProgram)
        try app.greet()
        let first = try app.send(VaultUnlock())
        #expect(daemon.asksPassphrase)
        try daemon.givePassphrase(.passphrase(SecretBytes(utf8: "wrong horse")))
        #expect(first.waits)
        #expect(daemon.asksPassphrase)
        // So soon after a wrong one it is not tried yet.
        try daemon.givePassphrase(.passphrase(TestService.passphrase))
        #expect(first.waits)
        daemon.clock.advance(milliseconds: 5000)
        try daemon.settle()
        #expect(try first.answer().changed)
        #expect(!daemon.asksPassphrase)

        try app.answer(to: VaultLock())
        let second = try app.send(VaultUnlock())
        try daemon.givePassphrase(.declined)
        #expect(try second.reasons() == ["vault-locked"])
        let held = try #require(try app.refusal(of: VaultUnlock())).reasons
        #expect(held.map(\.reason) == ["vault-locked"])
        #expect(held.first?.retryAfterMilliseconds == Limits.denialMilliseconds)
        #expect(!daemon.asksPassphrase)
        let other = daemon.connect(.process(path: "/home/user/other", inode: 8))
        try other.greet()
        #expect(try other.send(VaultUnlock()).waits, "the no was to another program")
        #expect(daemon.asksPassphrase)
    }

    @Test("A prompt for the passphrase that is withdrawn before it shows is no withdrawal, however the last one ended")
    func unshownUnlock() throws {
        let daemon = try TestService.withPassphrase(consent: .user, isLocked: true)
        let (app, user) = (daemon.connect(.systemProgram), daemon.connect())
        try app.greet()
        try user.greet(as: "org.autofilld.autofillctl")
        daemon.keepsWithdrawnPrompts = true
        let first = try app.send(VaultUnlock())
        try user.answer(to: VaultUnlock(proof: .test))
        #expect(try first.answer().changed)
        try user.answer(to: VaultLock())
        for _ in 0..<3 {
            let sent = try app.send(VaultUnlock())
            try app.cancel(sent)
            #expect(try sent.reasons() == ["cancelled"] && daemon.passphrasePrompts.count == 1)
        }
        daemon.keepsWithdrawnPrompts = false
        let sent = try app.send(VaultUnlock())
        #expect(sent.waits)
        try daemon.givePassphrase(.withdrawn)
        #expect(sent.waits && daemon.passphrasePrompts.count == 1)
    }

    @Test("A prompt for the passphrase that was withdrawn for the third time in a minute is a no")
    func withdrawnUnlock() throws {
        let daemon = try TestService.withPassphrase(consent: .user, isLocked: true)
        let app = daemon.connect(.systemProgram)
        try app.greet()
        for _ in 0..<3 {
            let sent = try app.send(VaultUnlock())
            #expect(daemon.asksPassphrase)
            try app.cancel(sent)
            #expect(try sent.reasons() == ["cancelled"] && !daemon.asksPassphrase)
        }
        #expect(try app.reasons(for: VaultUnlock()) == ["vault-locked"])
        #expect(!daemon.asksPassphrase)
    }
}
