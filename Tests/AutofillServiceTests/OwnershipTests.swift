// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import CredentialStorage
import Foundation
import PeerIdentity
import Prompting
import SecretMemory
import Support
import Testing

@Suite("What an app may call its own")
struct OwnershipTests {
    private func connect(
        _ daemon: TestService, _ app: String = "org.example.Shop", _ peer: PeerEvidence = .plainProcess
    ) throws -> ServiceConnection {
        let connection = daemon.connect(peer)
        try connection.greet(as: app)
        return connection
    }

    /// The same program, as the session starts it: known better than by its word.
    private var attributed: PeerEvidence {
        var peer = PeerEvidence.systemProgram
        let line = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-org.example.Shop-77.scope\n"
        peer.controlGroup = ControlGroup(procFile: Array(line.utf8))
        return peer
    }

    private func offer(_ app: ServiceConnection, form: String? = nil) throws -> String {
        let suggested = try app.answer(to: AutofillSuggest(service: .shop, form: FormDescription(.signUp, id: form)))
        return try #require(suggested.strongPassword).offer
    }

    @Test("Accepting an offer once more gives no right to the password that is saved by then")
    func repeatedAccept() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        let accept = AutofillAccept(offer: try offer(shop), user: "ann")
        #expect(try shop.answer(to: accept).changed)
        let get = CredentialGet(service: .shop)
        try shop.answer(to: get)
        try connect(daemon, "org.autofilld.autofillctl").answer(
            to: CredentialSave("ann", "the user's", proof: .test))
        for connection in [shop, try connect(daemon)] {
            let again = try connection.answer(to: accept)
            #expect(!again.changed)
            #expect(try connection.reasons(for: get) == ["grant-missing"])
            #expect(try connection.reasons(for: CodeGet(service: .shop)) == ["grant-missing"])
            #expect(try connection.reasons(for: AutofillFill(credential: again.credential)) == ["grant-missing"])
        }
    }

    @Test(
        "What an app has saved is not its own in a backup that was restored, nor in a file that replaced the vault")
    func otherVault() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try TestService(location: .directory(folder + "/data"))
        let (shop, user) = (try connect(daemon), try connect(daemon, "org.autofilld.autofillctl"))
        func save(_ app: ServiceConnection, _ name: String, _ password: String) throws {
            let proof: Proof? = app.client == user.client ? .test : nil
            try app.answer(to: CredentialSave(name, password, proof: proof))
        }
        func get(_ user: String) -> CredentialGet { CredentialGet(service: .shop, user: user) }
        func backUp(to path: String) throws {
            try user.answer(to: VaultBackup(path: path, proof: .test))
        }
        try save(shop, "ann", "1")
        try backUp(to: folder + "/first")
        try save(shop, "ann", "2")
        #expect(try shop.answer(to: get("ann")).password.text == "2")
        try user.answer(to: VaultRestore(path: folder + "/first", secret: .test, proof: .test))
        try save(user, "ann", "the user's")
        #expect(try shop.reasons(for: get("ann")) == ["grant-missing"])

        try save(shop, "bob", "1")
        try backUp(to: folder + "/second")
        try save(shop, "bob", "2")
        #expect(try shop.answer(to: get("bob")).password.text == "2")
        try user.answer(to: VaultLock())
        let database = folder + "/data/vault.sqlite"
        try FileManager.default.removeItem(atPath: database)
        try FileManager.default.moveItem(atPath: folder + "/second", toPath: database)
        try user.answer(to: VaultUnlock(proof: .test))
        // It is older than the last change. Nothing of it is released or changed before the user accepts it as it is.
        #expect(
            try user.reasons(for: CredentialSave("bob", "the user's", proof: .test)) == ["vault-older"])
        #expect(try shop.refusal(of: get("bob")) != nil)
        try user.answer(to: VaultCheck(repairs: true, acceptsOlder: true, proof: .test))
        try save(user, "bob", "the user's")
        #expect(try shop.reasons(for: get("bob")) == ["grant-missing"])
    }

    @Test(
        "The program that wrote or deleted a credential may repeat its deletion, also on another connection; nobody else learns of it"
    )
    func repeatedDelete() throws {
        let daemon = try TestService()
        let (shop, user) = (try connect(daemon), try connect(daemon, "org.autofilld.autofillctl"))
        func delete(_ app: ServiceConnection, _ credential: String) throws -> Bool {
            try app.answer(to: CredentialDelete(credential: credential)).changed
        }
        let own = try shop.answer(to: CredentialSave("ann", "1")).credential
        #expect(try [delete(shop, own), delete(shop, own), delete(try connect(daemon), own)] == [true, false, false])
        #expect(try shop.reasons(for: CredentialGet(service: .shop)) == ["grant-missing"])
        // Another program's is deleted under a grant, which then ends.
        let others = try user.answer(to: CredentialSave("bob", "1", proof: .test)).credential
        let allowed = try user.answer(to: GrantAllow(bundleID: "org.example.Shop", service: .shop, proof: .test))
        #expect(try delete(shop, others))
        try user.answer(to: GrantRevoke(grant: try #require(allowed.grants.first).grant, proof: .test))
        #expect(try !delete(shop, others))
        #expect(try connect(daemon).reasons(for: CredentialDelete(credential: others)) == ["grant-missing"])
        // What the user restored is not deleted by a repetition.
        try user.answer(to: CredentialRestore(credential: own, proof: .test))
        #expect(try shop.reasons(for: CredentialDelete(credential: own)) == ["grant-missing"])
    }

    @Test("What an app has saved is read again without another decision, until the user denies it or changes it")
    func readAgain() throws {
        let daemon = try TestService()
        let (shop, user) = (try connect(daemon), try connect(daemon, "org.autofilld.autofillctl"))
        let get = CredentialGet(service: .shop, user: "ann")
        for password in ["first", "second"] {
            try shop.answer(to: CredentialSave("ann", password))
            for _ in 0..<2 { #expect(try shop.answer(to: get).password.text == password) }
            // What the app owns of one field gives it no other.
            #expect(try shop.reasons(for: CodeGet(service: .shop)) == ["grant-missing"])
        }
        try user.answer(to: CredentialSave("ann", "the user's", proof: .test))
        #expect(try shop.reasons(for: get) == ["grant-missing"])
        try shop.answer(to: CredentialSave("ben", "third"))
        let another = CredentialGet(service: .shop, user: "ben")
        try shop.answer(to: another)
        #expect(try shop.reasons(for: get) == ["credential-not-found"])
        try user.answer(to: GrantDeny(bundleID: "org.example.Shop", .service(.shop), proof: .test))
        #expect(try shop.reasons(for: another) == ["grant-denied"])
    }

    @Test("A process of an earlier boot with the same number and time is another program")
    func boots() throws {
        let daemon = try TestService()
        let get = KeychainGet(.place(namespace: "tokens", account: "ann"))
        try connect(daemon).answer(
            to: KeychainSet(namespace: "tokens", account: "ann", data: SecretBytes(utf8: "token")))
        try connect(daemon).answer(to: get)
        var later = PeerEvidence.plainProcess
        later.login = "next-boot/session"
        #expect(try connect(daemon, "org.example.Shop", later).reasons(for: get) == ["grant-missing"])
    }

    @Test("A program that is known better than when it wrote something has it still, and one known less well has not")
    func assurance() throws {
        let daemon = try TestService()
        let weak = try connect(daemon, "org.example.Shop", .systemProgram)
        let strong = try connect(daemon, "org.example.Shop", attributed)
        func get(_ account: String) -> KeychainGet { KeychainGet(.place(namespace: "tokens", account: account)) }
        func set(_ account: String) -> KeychainSet {
            KeychainSet(namespace: "tokens", account: account, data: SecretBytes(utf8: "token"))
        }
        try weak.answer(to: set("weak"))
        try strong.answer(to: get("weak"))
        try strong.answer(to: KeychainSearch(namespace: "tokens"))
        try strong.answer(to: set("strong"))
        #expect(try weak.reasons(for: get("strong")) == ["grant-missing"])
        #expect(try weak.reasons(for: KeychainSearch(namespace: "tokens")) == ["grant-missing"])

        let form = UUID().uuidString
        let offered = try offer(weak, form: form)
        #expect(try offer(strong, form: form) == offered)
        try strong.answer(to: AutofillFill(offer: offered))
        #expect(try strong.answer(to: OfferList()).offers.map(\.offer) == [offered])
        let better = try offer(strong, form: UUID().uuidString)
        #expect(try weak.reasons(for: AutofillFill(offer: better)) == ["offer-not-found"])
        try strong.answer(to: AutofillAccept(offer: offered, user: "ann"))

        try weak.answer(to: CredentialSave("bob", "1"))
        try strong.answer(to: CredentialSave("bob", "2"))
        #expect(try weak.reasons(for: CredentialSave("bob", "3")) == ["grant-missing"])
    }

    @Test("A grant for a program is not for one whose path only appears the same")
    func likePaths() throws {
        let daemon = try TestService(consent: .fixed(.allow))
        try connect(daemon, "org.autofilld.autofillctl").answer(to: CredentialSave("ann", "1", proof: .test))
        func program(_ path: String) throws -> ServiceConnection {
            var peer = PeerEvidence.systemProgram
            peer.executable = .file(
                ExecutableFile(
                    path: path, identity: ExecutableIdentity(device: 1, inode: 9, size: 100, modified: 5), owner: 0,
                    location: .rootOwned))
            return try connect(daemon, "org.example.Shop", peer)
        }
        let get = CredentialGet(service: .shop, interaction: .forbid)
        try program("/opt/caf\u{E9}").answer(to: CredentialGet(service: .shop))
        try program("/opt/caf\u{E9}").answer(to: get)
        #expect(try program("/opt/cafe\u{301}").reasons(for: get) == ["interaction-required"])
    }

    @Test("Who is signed in is reported to the same program, however it was started since")
    func signIn() throws {
        let daemon = try TestService()
        let weak = try connect(daemon, "org.example.Shop", .systemProgram)
        try weak.answer(to: SignInStart(name: "Ann", account: "ann@example.com", password: SecretBytes(utf8: "secret")))
        let status = try connect(daemon, "org.example.Shop", attributed).answer(to: SignInStatus())
        #expect(status.user?.name == "Ann")
    }
}
