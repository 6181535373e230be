// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import CredentialStorage
import Credentials
import EventLoop
import SecretMemory
import Support
import Testing

@Suite("What is set of a credential besides its password")
struct CredentialUpdateTests {
    private static let members = ServiceIdentifier(domain: "a.members.example.com")

    private func connect(_ daemon: TestService, _ app: String = "org.example.Shop") throws -> ServiceConnection {
        let connection = daemon.connect()
        try connection.greet(as: app)
        return connection
    }

    private func user(_ daemon: TestService) throws -> ServiceConnection {
        try connect(daemon, "org.autofilld.autofillctl")
    }

    /// Everything that can be set.
    private var all: CredentialChanges {
        CredentialChanges(
            label: "Shop", notes: SecretBytes(utf8: "Second floor"), tags: ["work", "b\u{FC}ro"],
            fields: [
                CustomFieldValue(name: "PIN", value: SecretBytes(utf8: "1234"), isSecret: true),
                CustomFieldValue(name: "branch", value: SecretBytes(utf8: ""), isSecret: false),
            ], collection: "shared")
    }

    @Test(
        "What is set is returned to the program that set it, is changed and removed by itself, and stays over another password"
    )
    func roundTrip() throws {
        let shop = try connect(try TestService())
        let id = try shop.answer(to: CredentialSave("ann", "one")).credential
        #expect(try shop.answer(to: CredentialUpdate(credential: id, changes: all, ifVersion: "1")).changed)
        #expect(try !shop.answer(to: CredentialUpdate(credential: id, changes: all, ifVersion: "1")).changed)
        #expect(try shop.answer(to: CredentialSave("ann", "two")).changed)
        let read = try shop.answer(to: CredentialGet(service: .shop))
        #expect(read.summary.label == "Shop" && read.summary.tags == ["work", "b\u{FC}ro"])
        #expect(read.summary.collection == "shared" && read.summary.kind == "password")
        #expect(read.notes?.text == "Second floor" && read.password.text == "two" && read.history == nil)
        #expect(read.fields?.map(\.name) == ["PIN", "branch"] && read.fields?.map(\.isSecret) == [true, false])
        #expect(read.fields?.first?.value.text == "1234" && read.summary.version == "3")
        #expect(read.summary.services == [SavedService(.shop, match: "site")])
        let fewer = CredentialChanges(label: "", tags: [])
        #expect(try shop.answer(to: CredentialUpdate(credential: id, changes: fewer)).changed)
        let listed = try #require(try shop.answer(to: CredentialList(service: .shop)).credentials.first)
        #expect(listed.label.isEmpty && listed.tags.isEmpty && listed.collection == "shared")
        #expect(try shop.answer(to: CredentialGet(service: .shop)).fields?.count == 2)
    }

    @Test("A save sets them in the same act, and one that is repeated changes nothing")
    func saved() throws {
        let shop = try connect(try TestService())
        func save() throws -> SavedAnswer {
            try shop.answer(
                to: CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "one"), changes: all))
        }
        #expect(try save().changed)
        #expect(try !save().changed)
        #expect(try shop.answer(to: CredentialGet(service: .shop)).notes?.text == "Second floor")
    }

    @Test("No list and no suggestion carries notes, fields or former passwords")
    func secrets() throws {
        let shop = try connect(try TestService())
        _ = try shop.call(
            "credential.save",
            [
                "service": Examples.shop, "user": "ann", "password": "hunter0", "notes": "hunter1",
                "customFields": [
                    ["name": "hunter2", "value": "hunter3"], ["name": "PIN", "value": "hunter4", "secret": true],
                ],
            ])
        _ = try shop.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "hunter5"])
        for (method, parameters) in [
            ("credential.list", ["service": Examples.shop]), ("credential.list", ["proof": Examples.proof]),
            ("autofill.suggest", ["service": Examples.shop, "form": ["fields": Examples.signIn]]),
        ] as [(String, [String: Any])] {
            let lines = try shop.exchange(ServiceConnection.line(method, parameters))
            #expect(lines.count == 1 && lines[0].contains("ann") && !lines[0].contains("hunter"), "\(method)")
        }
    }

    @Test("What the user noted requires their consent, to read and to change, also of an app that wrote the password")
    func usersOwn() throws {
        let daemon = try TestService()
        let (shop, user) = (try connect(daemon), try user(daemon))
        let id = try shop.answer(to: CredentialSave("ann", "one")).credential
        try user.answer(to: CredentialUpdate(credential: id, changes: all, proof: .test))
        let change = CredentialUpdate(credential: id, changes: CredentialChanges(label: "Mine"))
        #expect(try shop.reasons(for: change) == ["grant-missing"])
        #expect(try connect(daemon).reasons(for: change) == ["grant-missing"])
        // The password is the app's own again, and nothing else.
        try shop.answer(to: CredentialSave("ann", "two"))
        let own = try shop.answer(to: CredentialGet(service: .shop))
        #expect(own.password.text == "two" && own.notes == nil && own.fields == nil)
        #expect(own.summary.label.isEmpty && own.summary.tags.isEmpty && own.summary.collection.isEmpty)
        #expect(try shop.answer(to: CredentialList(service: .shop)).credentials.first?.label == "")
        let saving = CredentialSave(
            service: .shop, user: "ann", password: SecretBytes(utf8: "two"), changes: CredentialChanges(label: "Mine"))
        #expect(try shop.reasons(for: saving) == ["grant-missing"])
        try user.answer(to: GrantAllow(bundleID: "org.example.Shop", service: .shop, proof: .test))
        #expect(try shop.answer(to: CredentialGet(service: .shop)).notes?.text == "Second floor")
        #expect(try shop.answer(to: change).changed)
    }

    @Test("With proof the former passwords come along, the latest first")
    func history() throws {
        let daemon = try TestService()
        let (shop, user) = (try connect(daemon), try user(daemon))
        for password in ["one", "two", "three"] { try shop.answer(to: CredentialSave("ann", password)) }
        #expect(try shop.answer(to: CredentialGet(service: .shop)).history == nil)
        let former = try user.answer(to: CredentialGet(service: .shop, proof: .test)).history
        #expect(former?.map(\.password.text) == ["two", "one"])
    }

    @Test(
        "A further service requires what saving there requires, and the credential is found, filled and listed by each")
    func furtherService() throws {
        let daemon = try TestService()
        let (shop, user) = (try connect(daemon), try user(daemon))
        let id = try shop.answer(to: CredentialSave("ann", "one")).credential
        func set(_ services: [SavedService], proof: Proof? = nil) -> CredentialUpdate {
            CredentialUpdate(credential: id, changes: CredentialChanges(services: services), proof: proof)
        }
        #expect(try shop.reasons(for: set([SavedService(.shop), SavedService(.bank)])) == ["domain-not-associated"])
        #expect(try shop.reasons(for: set([SavedService(Self.members)])) == ["parameter-invalid"])
        #expect(try shop.reasons(for: set([])) == ["parameter-invalid"])
        #expect(try shop.reasons(for: set([SavedService(.shop), SavedService(.shop)])) == ["parameter-invalid"])
        #expect(try shop.reasons(for: set([SavedService(.shop, match: "prefix")])) == ["parameter-invalid"])
        #expect(try shop.answer(to: set([SavedService(.shop), SavedService(Self.members, match: "exact")])).changed)
        #expect(try shop.answer(to: CredentialGet(service: Self.members, user: "ann")).password.text == "one")
        #expect(try shop.answer(to: CredentialSave("ann", "two", at: Self.members)).credential == id)
        #expect(try shop.answer(to: CredentialGet(service: .shop)).password.text == "two")
        // By the user for another app's site: that app has it, and receives its events, under a grant for its own site.
        let services = [SavedService(.shop), SavedService(Self.members, match: "exact"), SavedService(.bank)]
        #expect(try user.answer(to: set(services, proof: .test)).changed)
        let bank = try connect(daemon, "org.example.Bank")
        #expect(try bank.reasons(for: CredentialGet(service: .bank)) == ["grant-missing"])
        try user.answer(to: GrantAllow(bundleID: "org.example.Bank", service: .bank, proof: .test))
        #expect(try bank.answer(to: CredentialGet(service: .bank)).summary.credential == id)
        #expect(try bank.answer(to: AutofillFill(credential: id, form: FormDescription(.signIn))).user == "ann")
        _ = try bank.answer(to: EventSubscribe())
        _ = try bank.events()
        try shop.answer(to: CredentialSave("ann", "three"))
        #expect(
            try bank.events().map(\.content) == [.credentialsChanged(service: .bank, credential: id, change: "saved")])
        // It may remove no service that is not its own, nor replace another credential's user.
        #expect(try bank.reasons(for: set([SavedService(.shop), SavedService(.bank)])) == ["domain-not-associated"])
        let other = try user.answer(to: CredentialSave("bob", "four", at: .bank, proof: .test)).credential
        let bob = try user.answer(to: CredentialSave("bob", "five", proof: .test)).credential
        #expect(other != bob)
        let taken = CredentialUpdate(
            credential: bob, changes: CredentialChanges(services: [SavedService(.shop), SavedService(.bank)]),
            proof: .test)
        #expect(try user.reasons(for: taken) == ["credential-taken"])
    }

    @Test("What the user has denied an app at one of its services it neither removes nor has matched in another way")
    func deniedService() throws {
        let daemon = try TestService()
        let (shop, user) = (try connect(daemon), try user(daemon))
        let id = try shop.answer(to: CredentialSave("ann", "one")).credential
        func set(_ services: [SavedService], proof: Proof? = nil) -> CredentialUpdate {
            CredentialUpdate(credential: id, changes: CredentialChanges(services: services), proof: proof)
        }
        let both = [SavedService(.shop), SavedService(Self.members, match: "exact")]
        #expect(try user.answer(to: set(both, proof: .test)).changed)
        try user.answer(to: GrantDeny(bundleID: "org.example.Shop", .service(Self.members), proof: .test))
        #expect(try shop.reasons(for: set([SavedService(.shop)])) == ["grant-denied"])
        #expect(
            try shop.reasons(for: set([SavedService(.shop), SavedService(Self.members, match: "site")]))
                == ["grant-denied"])
        let found = try user.answer(to: CredentialGet(service: Self.members, user: "ann", proof: .test))
        #expect(found.summary.credential == id)
    }

    @Test("A credential that is named by its id is accessed by the one of its services that the user has allowed")
    func allowedService() throws {
        let daemon = try TestService()
        let (shop, user) = (try connect(daemon), try user(daemon))
        let id = try user.answer(to: CredentialSave("ann", "one", proof: .test)).credential
        let both = [SavedService(.shop), SavedService(Self.members, match: "exact")]
        try user.answer(
            to: CredentialUpdate(credential: id, changes: CredentialChanges(services: both), proof: .test))
        let get = CredentialGet(.id(id), interaction: .forbid)
        #expect(try shop.reasons(for: get) == ["interaction-required"])
        try user.answer(to: GrantAllow(.app(bundleID: "org.example.Shop"), .service(Self.members), proof: .test))
        #expect(try shop.answer(to: get).password.text == "one")
    }

    @Test("An accepted offer that replaces a credential, deleting it and getting it back keep all of it")
    func keepsAll() throws {
        let daemon = try TestService()
        let (shop, user) = (try connect(daemon), try user(daemon))
        let id = try shop.answer(to: CredentialSave("ann", "one")).credential
        try shop.answer(to: CredentialUpdate(credential: id, changes: all))
        let suggested = try shop.answer(to: AutofillSuggest(service: .shop, form: FormDescription(.signUp)))
        let offer = try #require(suggested.strongPassword?.offer)
        try shop.answer(to: AutofillAccept(offer: offer, replaces: id))
        try user.answer(to: CredentialDelete(credential: id, proof: .test))
        try user.answer(to: CredentialRestore(credential: id, proof: .test))
        let read = try user.answer(to: CredentialGet(service: .shop, proof: .test))
        #expect(read.summary.credential == id && read.notes?.text == "Second floor" && read.fields?.count == 2)
        #expect(read.summary.label == "Shop" && read.history?.first?.password.text == "one")
    }

    @Test("Another kind is listed, never filled or read, and a password of its user is stored beside it")
    func otherKind() throws {
        let daemon = try TestService()
        let (shop, user) = (try connect(daemon), try user(daemon))
        let passkey = Credential(
            id: ObjectID(kind: .credential, high: 1, low: 2), kind: .init(rawValue: "passkey"),
            services: [CredentialService(Service(kind: .domain, value: "shop.example.com"))], user: "ann",
            password: SecretBytes(utf8: ""), created: Timestamp(milliseconds: 0), changed: Timestamp(milliseconds: 0),
            writer: Subject(app: "x", assurance: "claimed", executable: "x"))
        try #require(daemon.vault).writers.credentials.insert(passkey)
        let id = passkey.id.description
        try user.answer(to: GrantAllow(bundleID: "org.example.Shop", service: .shop, proof: .test))
        #expect(try shop.answer(to: CredentialList(service: .shop)).credentials.map(\.kind) == ["passkey"])
        #expect(try shop.reasons(for: CredentialGet(service: .shop)) == ["credential-not-found"])
        #expect(try shop.reasons(for: CredentialGet(service: .shop, user: "ann")) == ["credential-not-found"])
        #expect(
            try shop.reasons(for: AutofillFill(credential: id, form: FormDescription(.signIn))) == [
                "credential-not-found"
            ])
        #expect(
            try shop.reasons(for: AutofillFill(service: .shop, form: FormDescription(.signIn))) == [
                "credential-not-found"
            ])
        #expect(
            try shop.answer(to: AutofillSuggest(service: .shop, form: FormDescription(.signIn))).savedCredentials == nil
        )
        #expect(try shop.answer(to: CredentialSave("ann", "one")).changed)
        #expect(try shop.answer(to: CredentialList(service: .shop)).credentials.count == 2)
        #expect(try shop.answer(to: CredentialUpdate(credential: id, changes: CredentialChanges(label: "Key"))).changed)
        #expect(try shop.answer(to: CredentialDelete(credential: id)).changed)
    }

    /// On the wire: what this version does not know is in no type of it.
    @Test(
        "A service type and a match that a later version wrote are listed, and stay where they are returned unchanged")
    func later() throws {
        let daemon = try TestService()
        let id = ObjectID(kind: .credential, high: 1, low: 2)
        try #require(daemon.vault).writers.credentials.insert(
            Credential(
                id: id,
                services: [
                    CredentialService(
                        Service(kind: .domain, value: "shop.example.com"), match: .init(rawValue: "later-path")),
                    CredentialService(
                        Service(kind: .init(rawValue: "later-app"), value: "a  B/%"),
                        match: .init(rawValue: "later-any")),
                ], user: "ann", password: SecretBytes(utf8: "one"), created: daemon.clock.now,
                changed: daemon.clock.now, writer: Subject(app: "x", assurance: "claimed", executable: "x")))
        let (shop, user) = (try connect(daemon), try user(daemon))
        try user.answer(to: GrantAllow(bundleID: "org.example.Shop", service: .shop, proof: .test))
        func listed() throws -> [[String: String]] {
            let listed = try shop.call("credential.list", ["service": Examples.shop])
            let credentials = listed.result?["credentials"] as? [[String: Any]]
            return credentials?.first?["services"] as? [[String: String]] ?? []
        }
        let written = try listed()
        #expect(
            written == [
                ["type": "domain", "value": "shop.example.com", "match": "later-path"],
                ["type": "later-app", "value": "a  B/%", "match": "later-any"],
            ])
        func update(_ services: [[String: String]], label: String = "Shop") throws -> TestAnswer {
            try shop.call(
                "credential.update", ["credential": id.description, "services": services, "label": label])
        }
        #expect(try update(written).result?["changed"] as? Bool == true)
        #expect(try listed() == written)
        // Without its match a service stays as it is too.
        #expect(try update(written.map { $0.filter { $0.key != "match" } }, label: "Web").error == nil)
        #expect(try listed() == written && shop.answer(to: CredentialGet(service: .shop)).password.text == "one")
        // What it does not know it sets nowhere.
        #expect(
            try update([written[0], written[1].merging(["match": "later-all"]) { $1 }]).member == "services[1].match")
        let other = ["type": "later-app", "value": "another", "match": "exact"]
        #expect(try update(written + [other]).member == "services[2].type")
        #expect(try listed() == written)
    }

    @Test("A version is opaque: one that is none of the daemon's fits no object")
    func versions() throws {
        let shop = try connect(try TestService())
        let id = try shop.answer(to: CredentialSave("ann", "one")).credential
        for version in ["0", "01", "+1", "x", "18446744073709551615"] {
            let change = CredentialUpdate(
                credential: id, changes: CredentialChanges(label: "Shop"), ifVersion: version)
            #expect(try shop.reasons(for: change) == ["version-mismatch"], "\(version)")
        }
        #expect(
            try shop.call("credential.delete", ["credential": id, "ifVersion": 1]).reasons == ["parameter-invalid"])
    }

    @Test("What is longer or more than the limits is refused, and what is as long as the limits is kept")
    func limits() throws {
        let shop = try connect(try TestService())
        let id = try shop.answer(to: CredentialSave("ann", "one")).credential
        func update(_ member: String, _ value: Any) throws -> [String] {
            try shop.call("credential.update", ["credential": id, member: value]).reasons
        }
        func text(_ count: Int) -> String { String(repeating: "x", count: count) }
        let field = ["name": text(Limits.customNameBytes), "value": text(Limits.customValueBytes)]
        let taken: [(String, Any)] = [
            ("label", text(Limits.credentialLabelBytes)), ("notes", text(Limits.notesBytes)),
            ("collection", text(Limits.collectionBytes)),
            ("tags", (0..<Limits.tags).map { "\($0)" + text(Limits.tagBytes - 2) }), ("customFields", [field]),
            ("customFields", (0..<Limits.customFields).map { ["name": "\($0)", "value": ""] }),
        ]
        for (member, value) in taken { #expect(try update(member, value).isEmpty, "\(member)") }
        let refused: [(String, Any)] = [
            ("label", text(Limits.credentialLabelBytes + 1)), ("notes", text(Limits.notesBytes + 1)),
            ("collection", text(Limits.collectionBytes + 1)), ("tags", [text(Limits.tagBytes + 1)]), ("tags", [""]),
            ("tags", (0...Limits.tags).map { "\($0)" }),
            ("customFields", [field.merging(["name": text(Limits.customNameBytes + 1)]) { $1 }]),
            ("customFields", [field.merging(["value": text(Limits.customValueBytes + 1)]) { $1 }]),
            ("customFields", [["name": "", "value": ""]]),
            ("customFields", (0...Limits.customFields).map { ["name": "\($0)", "value": ""] }),
            (
                "services",
                (0...Limits.servicesPerCredential).map { ["type": "domain", "value": "\($0).members.example.com"] }
            ),
        ]
        for (member, value) in refused { #expect(try update(member, value) == ["parameter-invalid"], "\(member)") }
    }
}
