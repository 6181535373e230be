// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory
import Support
import Testing

@Suite("Changing the user name of a credential")
struct RenamingTests {
    private func connect(_ daemon: TestService, _ app: String = "org.example.Shop") throws -> ServiceConnection {
        let connection = daemon.connect()
        try connection.greet(as: app)
        return connection
    }

    private func get(_ user: String, proof: Proof? = nil) -> CredentialGet {
        CredentialGet(service: .shop, user: user, proof: proof)
    }

    @Test("Id, password, history, codes and details remain, and the former name is free")
    func keeps() throws {
        let daemon = try TestService()
        let (shop, user) = (try connect(daemon), try daemon.user())
        try shop.answer(to: CredentialSave("ann", "one"))
        let id = try shop.answer(to: CredentialSave("ann", "two")).credential
        let uri = SecretBytes(utf8: "otpauth://totp/ann?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        try shop.answer(to: CodeSet(.id(id), uri: uri))
        try shop.answer(to: CredentialUpdate(.id(id), changes: CredentialChanges(label: "Shop")))
        _ = try shop.answer(to: EventSubscribe())
        _ = try shop.events()
        #expect(try shop.answer(to: CredentialUpdate(.id(id), newUser: "ann@example.com")).changed)
        #expect(try !shop.answer(to: CredentialUpdate(.id(id), newUser: "ann@example.com")).changed)
        #expect(
            try shop.events().map(\.content) == [.credentialsChanged(service: .shop, credential: id, change: "saved")])
        let read = try shop.answer(to: get("ann@example.com"))
        #expect(read.summary.credential == id && read.password.text == "two" && read.summary.label == "Shop")
        let former = try user.answer(to: get("ann@example.com", proof: .test)).history
        #expect(former?.map(\.password.text) == ["one"])
        #expect(try shop.answer(to: CodeGet(service: .shop, user: "ann@example.com")).credential == id)
        #expect(try shop.reasons(for: get("ann")) == ["credential-not-found"])
        #expect(try shop.answer(to: CredentialSave("ann", "three")).credential != id)
    }

    @Test(
        "A name that is saved is refused, also where only a further site has it; a deleted one is free"
    )
    func taken() throws {
        let daemon = try TestService()
        let (shop, user) = (try connect(daemon), try daemon.user())
        let ann = CredentialName.id(try shop.answer(to: CredentialSave("ann", "one")).credential)
        let bob = CredentialName.id(try shop.answer(to: CredentialSave("bob", "two")).credential)
        #expect(try shop.reasons(for: CredentialUpdate(ann, newUser: "bob")) == ["credential-taken"])
        try shop.answer(to: CredentialDelete(bob))
        #expect(try shop.answer(to: CredentialUpdate(ann, newUser: "bob")).changed)
        let services = CredentialChanges(services: [SavedService(.shop), SavedService(.bank)])
        try user.answer(to: CredentialUpdate(ann, changes: services, proof: .test))
        try user.answer(to: CredentialSave("eve", "three", at: .bank, proof: .test))
        #expect(try user.reasons(for: CredentialUpdate(ann, newUser: "eve", proof: .test)) == ["credential-taken"])
        let restore = CredentialRestore(credential: try #require(bob.id), proof: .test)
        #expect(try user.reasons(for: restore) == ["credential-taken"])
        #expect(try user.answer(to: get("bob", proof: .test)).password.text == "one")
    }

    @Test("What another program or the user saved requires consent, as its password does, and so does their name")
    func others() throws {
        let daemon = try TestService()
        let (shop, user) = (try connect(daemon), try daemon.user())
        let id = try user.answer(to: CredentialSave("ann", "one", proof: .test)).credential
        let rename = CredentialUpdate(.id(id), newUser: "eve")
        #expect(try shop.reasons(for: rename) == ["grant-missing"])
        let own = try shop.answer(to: CredentialSave("bob", "two")).credential
        #expect(try shop.reasons(for: CredentialUpdate(.id(own), newUser: "ann")) == ["grant-missing"])
        #expect(try shop.reasons(for: rename) == ["grant-missing"])
        try user.answer(to: GrantAllow(bundleID: "org.example.Shop", service: .shop, proof: .test))
        #expect(try shop.answer(to: rename).changed)
        try user.answer(to: GrantDeny(bundleID: "org.example.Shop", .service(.shop), proof: .test))
        #expect(try shop.reasons(for: CredentialUpdate(.id(own), newUser: "carol")) == ["grant-denied"])
    }

    @Test("By the former name, with another version, and in another form of the same characters")
    func forms() throws {
        let shop = try connect(try TestService())
        let id = try shop.answer(to: CredentialSave("ann", "one")).credential
        let named = CredentialName.saved(for: .shop, user: "ann")
        let stale = CredentialUpdate(named, newUser: "b\u{FC}ro", ifVersion: "7")
        #expect(try shop.reasons(for: stale) == ["version-mismatch"])
        #expect(try shop.answer(to: CredentialUpdate(named, newUser: "b\u{FC}ro", ifVersion: "1")).changed)
        // Not repeatable so: there is none of that name any more, of which an app without a grant does not learn.
        #expect(try shop.reasons(for: CredentialUpdate(named, newUser: "b\u{FC}ro")) == ["grant-missing"])
        #expect(try shop.answer(to: CredentialUpdate(.id(id), newUser: "bu\u{308}ro")).changed)
        let found = try shop.answer(to: get("b\u{FC}ro")).summary.user
        #expect(found.utf8.elementsEqual("bu\u{308}ro".utf8))
        #expect(!CredentialUpdate(named, newUser: "x").isRepeatable)
        #expect(CredentialUpdate(.id(id), newUser: "x").isRepeatable)
    }
}
