// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Foundation
import PeerIdentity
import Prompting
import Support
import Testing

@Suite("What an app may call its own")
struct OwnershipTests {
    private func connect(
        _ daemon: TestService, _ app: String = "org.example.Shop", _ peer: PeerEvidence = .plainProcess
    ) throws -> ServiceConnection {
        let connection = daemon.connect(peer)
        try connection.hello(app)
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
        var parameters: [String: Any] = ["service": Examples.shop, "fields": Examples.signUp]
        parameters["form"] = form
        let suggestion = try app.call("autofill.suggest", parameters).suggestion("strongPassword")
        return try #require(suggestion?["offer"] as? String)
    }

    @Test("Accepting an offer once more gives no right to the password that is saved by then")
    func repeatedAccept() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        let accept: [String: Any] = ["offer": try offer(shop), "user": "ann"]
        #expect(try shop.call("autofill.accept", accept).result?["changed"] as? Bool == true)
        let get: [String: Any] = ["service": Examples.shop]
        #expect(try shop.call("credential.get", get).error == nil)
        let save: [String: Any] = [
            "service": Examples.shop, "user": "ann", "password": "the person's", "proof": Examples.proof,
        ]
        #expect(try connect(daemon, "org.autofilld.autofillctl").call("credential.save", save).error == nil)
        for connection in [shop, try connect(daemon)] {
            let again = try connection.call("autofill.accept", accept)
            #expect(again.error == nil && again.result?["changed"] as? Bool == false)
            #expect(try connection.call("credential.get", get).reasons == ["grant-missing"])
            #expect(try connection.call("code.get", get).reasons == ["grant-missing"])
            let credential = try #require(again.text("credential"))
            #expect(try connection.call("autofill.fill", ["credential": credential]).reasons == ["grant-missing"])
        }
    }

    @Test(
        "What an app has saved is not its own in a backup that was restored, nor in a file that took the vault's place")
    func otherVault() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try TestService(location: .directory(folder + "/data"))
        let (shop, person) = (try connect(daemon), try connect(daemon, "org.autofilld.autofillctl"))
        func save(_ app: ServiceConnection, _ user: String, _ password: String) throws {
            var credential: [String: Any] = ["service": Examples.shop, "user": user, "password": password]
            if app.client == person.client { credential["proof"] = Examples.proof }
            let saved = try app.call("credential.save", credential)
            #expect(saved.error == nil, "\(user) \(password): \(saved)")
        }
        func get(_ user: String) throws -> TestAnswer {
            try shop.call("credential.get", ["service": Examples.shop, "user": user])
        }
        func backUp(to path: String) throws {
            #expect(try person.call("admin.vault.backup", ["path": path, "proof": Examples.proof]).error == nil)
        }
        try save(shop, "ann", "1")
        try backUp(to: folder + "/first")
        try save(shop, "ann", "2")
        #expect(try get("ann").text("password") == "2")
        let restored = try person.call(
            "admin.vault.restore", ["path": folder + "/first", "secret": Examples.proof, "proof": Examples.proof])
        #expect(restored.error == nil)
        try save(person, "ann", "the person's")
        #expect(try get("ann").reasons == ["grant-missing"])

        try save(shop, "bob", "1")
        try backUp(to: folder + "/second")
        try save(shop, "bob", "2")
        #expect(try get("bob").text("password") == "2")
        #expect(try person.call("admin.vault.lock").error == nil)
        let database = folder + "/data/vault.sqlite"
        try FileManager.default.removeItem(atPath: database)
        try FileManager.default.moveItem(atPath: folder + "/second", toPath: database)
        #expect(try person.call("vault.unlock", Examples.proof).error == nil)
        // It is older than the last change, and nothing of it is given out or changed before the person takes it as it is.
        let credential: [String: Any] = [
            "service": Examples.shop, "user": "bob", "password": "the person's", "proof": Examples.proof,
        ]
        #expect(try person.call("credential.save", credential).reasons == ["vault-older"])
        #expect(try get("bob").text("password") == nil)
        let taken = try person.call(
            "admin.vault.check", ["repair": true, "acceptOlder": true, "proof": Examples.proof])
        #expect(taken.error == nil)
        try save(person, "bob", "the person's")
        #expect(try get("bob").reasons == ["grant-missing"])
    }

    @Test(
        "Who wrote or deleted a credential may repeat that it goes, also on another connection; nobody else learns of it"
    )
    func repeatedDelete() throws {
        let daemon = try TestService()
        let (shop, person) = (try connect(daemon), try connect(daemon, "org.autofilld.autofillctl"))
        func save(_ app: ServiceConnection, _ user: String, _ more: [String: Any] = [:]) throws -> [String: Any] {
            let credential = ["service": Examples.shop, "user": user, "password": "1"].merging(more) { $1 }
            return ["credential": try #require(try app.call("credential.save", credential).text("credential"))]
        }
        func delete(_ app: ServiceConnection, _ credential: [String: Any]) throws -> Bool? {
            try app.call("credential.delete", credential).result?["changed"] as? Bool
        }
        let own = try save(shop, "ann")
        #expect(try [delete(shop, own), delete(shop, own), delete(try connect(daemon), own)] == [true, false, false])
        #expect(try shop.call("credential.get", ["service": Examples.shop]).reasons == ["grant-missing"])
        // Another program's is deleted under a grant, which then ends.
        let others = try save(person, "bob", ["proof": Examples.proof])
        let grant: [String: Any] = [
            "bundleID": "org.example.Shop", "service": Examples.shop, "proof": Examples.proof,
        ]
        let allowed = try person.call("admin.grant.allow", grant)
        #expect(try delete(shop, others) == true)
        let made = (allowed.result?["grants"] as? [[String: Any]])?.first?["grant"]
        let revoked = try person.call(
            "admin.grant.revoke", ["grant": try #require(made), "proof": Examples.proof])
        #expect(revoked.error == nil)
        #expect(try delete(shop, others) == false)
        #expect(try connect(daemon).call("credential.delete", others).reasons == ["grant-missing"])
        // What the person gets back is not gone by a repetition.
        let back = try person.call("admin.credential.restore", own.merging(["proof": Examples.proof]) { $1 })
        #expect(back.error == nil)
        #expect(try shop.call("credential.delete", own).reasons == ["grant-missing"])
    }

    @Test("A process of an earlier boot with the same number and time is another program")
    func boots() throws {
        let daemon = try TestService()
        let item: [String: Any] = ["service": "tokens", "account": "ann"]
        #expect(
            try connect(daemon).call("keychain.set", item.merging(["data": ["base64": "AA=="]]) { $1 }).error == nil)
        #expect(try connect(daemon).call("keychain.get", item).error == nil)
        var later = PeerEvidence.plainProcess
        later.login = "next-boot/session"
        #expect(try connect(daemon, "org.example.Shop", later).call("keychain.get", item).reasons == ["grant-missing"])
    }

    @Test("A program that is known better than when it wrote something has it still, and one known less well has not")
    func assurance() throws {
        let daemon = try TestService()
        let weak = try connect(daemon, "org.example.Shop", .systemProgram)
        let strong = try connect(daemon, "org.example.Shop", attributed)
        func item(_ account: String) -> [String: Any] { ["service": "tokens", "account": account] }
        func data(_ account: String) -> [String: Any] { item(account).merging(["data": ["base64": "AA=="]]) { $1 } }
        try weak.call("keychain.set", data("weak"))
        #expect(try strong.call("keychain.get", item("weak")).error == nil)
        #expect(try strong.call("keychain.list", ["service": "tokens"]).error == nil)
        try strong.call("keychain.set", data("strong"))
        #expect(try weak.call("keychain.get", item("strong")).reasons == ["grant-missing"])
        #expect(try weak.call("keychain.list", ["service": "tokens"]).reasons == ["grant-missing"])

        let form = UUID().uuidString
        let offered = try offer(weak, form: form)
        #expect(try offer(strong, form: form) == offered)
        #expect(try strong.call("autofill.fill", ["offer": offered]).error == nil)
        let listed = try strong.call("offer.list").result?["offers"] as? [[String: Any]]
        #expect(listed?.compactMap { $0["offer"] as? String } == [offered])
        let better = try offer(strong, form: UUID().uuidString)
        #expect(try weak.call("autofill.fill", ["offer": better]).reasons == ["offer-not-found"])
        #expect(try strong.call("autofill.accept", ["offer": offered, "user": "ann"]).error == nil)

        let save: [String: Any] = ["service": Examples.shop, "user": "bob", "password": "1"]
        #expect(try weak.call("credential.save", save).error == nil)
        #expect(try strong.call("credential.save", save.merging(["password": "2"]) { $1 }).error == nil)
        #expect(try weak.call("credential.save", save.merging(["password": "3"]) { $1 }).reasons == ["grant-missing"])
    }

    @Test("A grant for a program is not for one whose path only looks the same")
    func likePaths() throws {
        let daemon = try TestService(consent: .fixed(.allow))
        let save: [String: Any] = ["service": Examples.shop, "user": "ann", "password": "1", "proof": Examples.proof]
        try connect(daemon, "org.autofilld.autofillctl").call("credential.save", save)
        func program(_ path: String) throws -> ServiceConnection {
            var peer = PeerEvidence.systemProgram
            peer.executable = .file(
                ExecutableFile(
                    path: path, identity: ExecutableIdentity(device: 1, inode: 9, size: 100, modified: 5), owner: 0,
                    place: .rootOwned))
            return try connect(daemon, "org.example.Shop", peer)
        }
        let get: [String: Any] = ["service": Examples.shop, "interaction": "forbid"]
        #expect(try program("/opt/caf\u{E9}").call("credential.get", ["service": Examples.shop]).error == nil)
        #expect(try program("/opt/caf\u{E9}").call("credential.get", get).error == nil)
        #expect(try program("/opt/cafe\u{301}").call("credential.get", get).reasons == ["interaction-required"])
    }

    @Test("Who is signed in is told to the same program, however it was started since")
    func signIn() throws {
        let daemon = try TestService()
        let weak = try connect(daemon, "org.example.Shop", .systemProgram)
        try weak.call("signIn.start", ["name": "Ann", "email": "ann@example.com", "password": "secret"])
        let status = try connect(daemon, "org.example.Shop", attributed).call("signIn.status")
        #expect((status.result?["user"] as? [String: Any])?["name"] as? String == "Ann")
    }
}
