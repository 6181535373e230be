// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import CredentialStorage
import Credentials
import EventLoop
import Foundation
import Prompting
import SecretMemory
import Support
import TestGround
import Testing

@Suite("One-time codes")
struct CodeTests {
    private static let field = [FieldDescription(id: "otp", contentType: "oneTimeCode")]
    private static let get = CodeGet(service: .shop)
    private static let getAnns = CodeGet(service: .shop, user: "ann")
    private static let suggest = AutofillSuggest(service: .shop, form: FormDescription(field))
    /// The secret of the RFCs' vectors.
    private static let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    private static let time = "otpauth://totp/a?secret=\(secret)"
    private static let counter = "otpauth://hotp/a?counter=0&secret=\(secret)"
    private static let other = "otpauth://totp/a?secret=MY"

    private func connect(_ daemon: TestService, inode: UInt64 = 7) throws -> ServiceConnection {
        try daemon.connect(as: "org.example.Shop", inode: inode)
    }

    /// An app that has saved ann's password and her codes.
    private func shop(_ daemon: TestService, _ uri: String) throws -> ServiceConnection {
        let shop = try connect(daemon)
        try shop.answer(to: CredentialSave("ann", "secret"))
        #expect(try shop.answer(to: set(uri)).changed)
        return shop
    }

    private func set(_ uri: String, interaction: Interaction = .allow, proof: Proof? = nil) -> CodeSet {
        CodeSet(service: .shop, user: "ann", uri: SecretBytes(utf8: uri), interaction: interaction, proof: proof)
    }

    private func codes(_ app: ServiceConnection, form: String? = nil) throws -> [SuggestedCode] {
        try app.answer(to: AutofillSuggest(service: .shop, form: FormDescription(Self.field, id: form))).oneTimeCode?
            .codes ?? []
    }

    private func fill(_ code: String) -> AutofillFill { AutofillFill(code: code, form: FormDescription(Self.field)) }

    private func filled(_ app: ServiceConnection, _ code: String) throws -> String? {
        try app.answer(to: fill(code)).code?.text
    }

    private func got(_ app: ServiceConnection) throws -> String { try app.answer(to: Self.get).code.text }

    @Test("A code of the time is that of the moment, and states until when")
    func time() throws {
        let daemon = try TestService()
        let shop = try shop(daemon, "otpauth://totp/a?digits=8&secret=\(Self.secret)")
        daemon.clock.wall = 1_111_111_109_500
        let got = try shop.answer(to: Self.get)
        #expect(got.code.text == "07081804" && got.validUntil == "2005-03-18T01:58:30.000Z")
        let suggested = try #require(try codes(shop).first)
        #expect(suggested.user == "ann" && suggested.expires == nil)
        daemon.clock.wall = 1_111_111_111_000
        let filled = try shop.answer(to: fill(suggested.code))
        #expect(filled.values.map(\.field) == ["otp"] && filled.values.map(\.value.text) == ["14050471"])
        #expect(filled.password == nil)
    }

    @Test("A secret for codes that cannot be read is left out, and keeps no other code and no password from a form")
    func damaged() throws {
        let daemon = try TestService()
        let shop = try shop(daemon, Self.time)
        try shop.answer(to: CredentialSave("bob", "secret"))
        let vault = try #require(daemon.vault)
        let bob = try #require(
            try vault.readers.credentials.get(for: Service(kind: .domain, value: "shop.example.com"), user: "bob"))
        _ = try vault.writers.credentials.update(bob.id, at: daemon.clock.now) {
            $0.oneTimeCode = SecretBytes(utf8: "otpauth://")
        }
        let suggested = try shop.answer(
            to: AutofillSuggest(service: .shop, form: FormDescription(.signIn + Self.field)))
        #expect(suggested.savedCredentials != nil)
        #expect(suggested.oneTimeCode?.codes.map(\.user) == ["ann"])
        #expect(try shop.answer(to: Self.get).user == "ann")
        #expect(try !shop.reasons(for: CodeGet(service: .shop, user: "bob")).isEmpty)
    }

    @Test("What is exported can be handed in again: a URI that grows too long when it is written out is refused")
    func longURI() throws {
        let daemon = try TestService()
        let uri = "otpauth://totp/\(String(repeating: "ü", count: 600))?secret=\(Self.secret)"
        let shop = try shop(daemon, uri)
        let exported = try shop.answer(to: CodeExport(.saved(for: .shop, user: "ann"), proof: .test)).uri.text
        #expect(try !shop.answer(to: set(exported)).changed)
        let longer = uri + "&issuer=" + String(repeating: "!", count: 100)
        #expect(try shop.reasons(for: set(longer)) == ["parameter-invalid"])
    }

    @Test("A counter's suggestion is one code however often it is filled, also after a lock; the next one is another")
    func counter() throws {
        let daemon = try TestService()
        let shop = try shop(daemon, Self.counter)
        func suggested(_ form: String) throws -> String { try #require(try codes(shop, form: form).first).code }
        let first = try suggested("one")
        #expect(try filled(shop, first) == "755224")
        #expect(try filled(shop, first) == "755224")
        #expect(try suggested("one") == first)
        try shop.answer(to: VaultLock())
        try shop.answer(to: VaultUnlock(proof: .test))
        #expect(try filled(shop, first) == "755224")
        let (second, third) = (try suggested("two"), try suggested("three"))
        #expect(try filled(shop, third) == "287082")
        #expect(try filled(shop, second) == "359152")
        #expect(try shop.answer(to: Self.getAnns).code.text == "969429")
        #expect(try filled(shop, first) == "755224")
        daemon.clock.advance(milliseconds: 600_000)
        #expect(try shop.reasons(for: fill(first)) == ["code-not-found"])
        #expect(try suggested("one") != first)
    }

    @Test("A counter's suggestion ends when another secret takes its place")
    func replacedCounter() throws {
        let shop = try shop(TestService(), Self.counter)
        let former = try #require(try codes(shop, form: "one").first).code
        #expect(try filled(shop, former) == "755224")
        try shop.answer(to: set(Self.counter + "&digits=8"))
        #expect(try shop.reasons(for: fill(former)) == ["code-not-found"])
        let new = try #require(try codes(shop, form: "one").first).code
        #expect(try new != former && filled(shop, new) == "84755224")
    }

    @Test("A code whose release cannot be put on record costs no counter", arguments: [false, true])
    func notOnRecord(isFilled: Bool) throws {
        let directory = try TemporaryDirectory()
        let daemon = try TestService(location: .directory(directory.path + "/data"))
        let shop = try shop(daemon, Self.counter)
        let suggested = try #require(try codes(shop, form: "one").first).code
        let record = try FullRecord(at: directory.path + "/data/vault.releases")
        let call: any MethodCall = isFilled ? fill(suggested) : Self.get
        #expect(try shop.reasons(for: call) == ["storage-full"])
        record.restore()
        if isFilled { #expect(try filled(shop, suggested) == "755224") } else { #expect(try got(shop) == "755224") }
        #expect(try got(shop) == "287082")
    }

    @Test("Where a form has more counters than an app may have suggestions of, none of them is kept")
    func tooManyCounters() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        let users = (0...Limits.codesPerApp).map { "user\($0)" }
        for user in users {
            try shop.answer(to: CredentialSave(user, "secret"))
            try shop.answer(to: CodeSet(service: .shop, user: user, uri: SecretBytes(utf8: Self.counter)))
        }
        let withheld = try shop.answer(to: Self.suggest).withheld.first { $0.type == "oneTimeCode" }
        #expect(withheld?.reasons.map(\.reason) == ["too-many-codes"])
        try shop.answer(to: CodeDelete(service: .shop, user: users[0]))
        #expect(try codes(shop).count == Limits.codesPerApp)
    }

    @Test("A counter survives a restart: no code is given twice")
    func restart() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let suggested: String
        do {
            let daemon = try TestService(location: .directory(folder + "/vault"))
            let shop = try shop(daemon, Self.counter)
            suggested = try #require(try codes(shop, form: "one").first).code
            #expect(try filled(shop, suggested) == "755224")
            try daemon.close()
        }
        let daemon = try TestService(location: .directory(folder + "/vault"), isCreated: false, consent: .fixed(.once))
        let shop = try connect(daemon)
        try shop.answer(to: VaultUnlock(proof: .test))
        #expect(try filled(shop, suggested) == "755224")
        #expect(try got(shop) == "287082")
    }

    @Test("Another program does not learn whether there are codes, and gets none without a grant")
    func stranger() throws {
        let daemon = try TestService()
        let name = try #require(try codes(try shop(daemon, Self.counter)).first).code
        let stranger = try connect(daemon, inode: 8)
        #expect(try stranger.answer(to: Self.suggest).oneTimeCode?.codes == [])
        // The suggestion is not its own, and the name reveals nothing of the credential's.
        #expect(try stranger.reasons(for: fill(name)) == ["code-not-found"])
        #expect(try stranger.reasons(for: Self.get) == ["grant-missing"])
        #expect(try stranger.reasons(for: CodeDelete(service: .shop, user: "ann")) == ["grant-missing"])
        let bank = try daemon.connect(as: "org.example.Bank")
        #expect(try bank.reasons(for: Self.get) == ["domain-not-associated"])
        let withheld = try bank.answer(to: Self.suggest).reasons(withholding: "oneTimeCode")
        #expect(withheld == ["domain-not-associated"])
    }

    @Test("Codes that the user set make the credential another one than the app saved")
    func keepsOwning() throws {
        let daemon = try TestService()
        let shop = try shop(daemon, Self.time)
        #expect(try shop.answer(to: CredentialGet(service: .shop)).password.text == "secret")
        try daemon.user().answer(to: set(Self.other, proof: .test))
        #expect(try shop.reasons(for: CredentialGet(service: .shop)) == ["grant-missing"])
    }

    @Test("A password that the app saved gives no right to codes that the user set")
    func codesOfTheUser() throws {
        let daemon = try TestService()
        let user = try daemon.user()
        try connect(daemon).answer(to: CredentialSave("ann", "secret"))
        try user.answer(to: set(Self.time, proof: .test))
        let shop = try connect(daemon)
        for password in ["secret", "another"] {
            try shop.answer(to: CredentialSave("ann", password))
            #expect(try shop.answer(to: CredentialGet(service: .shop)).password.text == password)
            #expect(try shop.reasons(for: Self.get) == ["grant-missing"])
            #expect(try shop.reasons(for: Self.getAnns) == ["grant-missing"])
            #expect(try codes(shop).isEmpty)
        }
        #expect(try shop.reasons(for: set(Self.other)) == ["grant-missing"])
        #expect(try shop.reasons(for: CodeDelete(service: .shop, user: "ann")) == ["grant-missing"])
        #expect(try shop.reasons(for: set(Self.other, interaction: .forbid)) == ["interaction-required"])
        let exported = try user.answer(to: CodeExport(.saved(for: .shop, user: "ann"), proof: .test))
        #expect(exported.uri.text.contains(Self.secret))
    }

    @Test("The program that set codes may change and remove them in another connection, and has to ask for them")
    func codesOfTheApp() throws {
        let daemon = try TestService()
        let first = try shop(daemon, Self.time)
        // A new password leaves this connection its codes.
        try first.answer(to: CredentialSave("ann", "new"))
        try first.answer(to: Self.getAnns)
        let again = try connect(daemon)
        #expect(try again.reasons(for: Self.getAnns) == ["grant-missing"])
        try again.answer(to: set(Self.other))
        try again.answer(to: Self.getAnns)
        #expect(try again.answer(to: CodeDelete(service: .shop, user: "ann")).changed)
    }

    @Test("A code that came in is filled once, under a grant, for three minutes")
    func incoming() throws {
        let daemon = try TestService(consent: .fixed(.once))
        let mail = try daemon.connect(as: "org.example.Mail", inode: 9)
        let shop = try connect(daemon)
        func offer(_ code: String) throws -> String {
            try mail.answer(to: CodeOffer(service: .shop, code: SecretBytes(utf8: code))).code
        }
        let first = try offer("111111")
        #expect(try shop.answer(to: Self.suggest).oneTimeCode?.codes == [])
        let filled = try shop.answer(to: fill(first))
        #expect(filled.code?.text == "111111" && filled.values.map(\.value.text) == ["111111"])
        #expect(filled.values.map(\.field) == ["otp"])
        #expect(try shop.reasons(for: fill(first)) == ["code-not-found"])
        let (former, latest) = (try offer("222222"), try offer("333333"))
        #expect(try shop.reasons(for: fill(former)) == ["code-not-found"])
        daemon.clock.advance(milliseconds: 180_000)
        #expect(try shop.reasons(for: fill(latest)) == ["code-not-found"])
        _ = try offer("444444")
        #expect(try got(shop) == "444444")
        #expect(try shop.reasons(for: Self.get) == ["code-not-found"])
    }

    @Test("What the app saved itself does not entitle it to codes that came in")
    func incomingIsNobodysOwn() throws {
        let daemon = try TestService()
        let shop = try shop(daemon, Self.time)
        let mail = try daemon.connect(as: "org.example.Mail")
        let offered = try mail.answer(to: CodeOffer(service: .shop, code: SecretBytes(utf8: "111111")))
        #expect(try shop.reasons(for: fill(offered.code)) == ["grant-missing"])
        #expect(try codes(shop).map(\.source) == ["time"])
        // It is not notified that there is one either.
        #expect(try shop.answer(to: CodeGet(service: .shop, interaction: .forbid)).source == "time")
    }

    @Test("Only a registered app with the entitlement hands codes over, and not without end")
    func sources() throws {
        let daemon = try TestService()
        func offer(_ service: ServiceIdentifier = .shop) -> CodeOffer {
            CodeOffer(service: service, code: SecretBytes(utf8: "1"))
        }
        #expect(try connect(daemon).reasons(for: offer()) == ["code-source-entitlement-missing"])
        #expect(try daemon.connect(as: "org.example.Nobody").reasons(for: offer()) == ["app-not-registered"])
        let mail = try daemon.connect(as: "org.example.Mail")
        for number in 0..<32 {
            try mail.answer(to: offer(ServiceIdentifier(domain: "s\(number).example.com")))
        }
        #expect(try mail.reasons(for: offer()) == ["too-many-codes"])
        daemon.clock.advance(milliseconds: 180_000)
        try mail.answer(to: offer())
    }

    @Test("A field for a code that has the focus is offered codes alone")
    func focus() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        let call = AutofillSuggest(service: .shop, form: FormDescription(Self.field, id: "f1", focus: "otp"))
        let none = try shop.answer(to: call)
        #expect(none.parts == ["otp": "oneTimeCode"])
        #expect(none.types == ["oneTimeCode"] && none.withheld.isEmpty)
        try shop.answer(to: CredentialSave("ann", "secret"))
        try shop.answer(to: set(Self.counter))
        for _ in 0..<Int(2 * Limits.suggestedCodes) {
            let answer = try shop.answer(to: call)
            #expect(answer.types == ["oneTimeCode"] && answer.withheld.isEmpty)
        }
        // The same form has one of the places of suggestions.
        #expect(try codes(shop).count == 1)
        let withheld = try daemon.connect(as: "org.example.NotSetUp").answer(to: call).withheld
        #expect(withheld.map(\.type) == ["oneTimeCode"])
        #expect(withheld.first?.reasons.map(\.reason) == ["associated-domains-missing"])
    }

    @Test("Each code of a counter is a change that is announced; filling it again is none")
    func counterEvents() throws {
        let daemon = try TestService()
        let shop = try shop(daemon, Self.counter)
        let listener = try connect(daemon)
        try listener.answer(to: EventSubscribe())
        func changes() throws -> Int {
            try listener.events().count {
                if case .credentialsChanged(_, _, "saved") = $0.content { true } else { false }
            }
        }
        #expect(try got(shop) == "755224")
        #expect(try changes() == 1)
        let name = try #require(try codes(shop, form: "one").first).code
        #expect(try changes() == 0)
        #expect(try filled(shop, name) == "287082")
        #expect(try changes() == 1)
        #expect(try filled(shop, name) == "287082")
        #expect(try changes() == 0)
    }
}
