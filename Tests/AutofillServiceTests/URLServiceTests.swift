// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Credentials
import Foundation
import PeerIdentity
import Prompting
import SecretMemory
import Support
import Testing

@Suite("The service type url, for credential helpers")
struct URLServiceTests {
    private static let docker = ServiceIdentifier.url("https://index.docker.io/v1/")
    private static let get = CredentialGet(service: docker)
    private let registrations: TestRegistrations
    private let daemon: TestService

    init() throws {
        registrations = try WideRegistrations.folder()
        daemon = try TestService(consent: .user, registrations: registrations.path)
    }

    private func connect(
        _ app: String = WideRegistrations.helper, to daemon: TestService? = nil
    ) throws -> ServiceConnection {
        let connection = (daemon ?? self.daemon).connect(.systemProgram)
        try connection.greet(as: app)
        return connection
    }

    private func save(_ service: ServiceIdentifier, _ user: String, _ password: String) throws {
        try daemon.user().answer(to: CredentialSave(user, password, at: service, proof: .test))
    }

    private func silently(_ service: ServiceIdentifier) -> CredentialGet {
        CredentialGet(service: service, interaction: .forbid)
    }

    @Test("Strings are kept byte for byte, and distinguished by any byte")
    func bytes() throws {
        let helper = try connect()
        let values = [
            "https://index.docker.io/v1/", "https://index.docker.io/v1", "https://index.docker.io/v1/access-token",
            "HTTPS://index.docker.io/v1/", "sparse+https://crates.example/index/", "  two  spaces ", "ключ",
            "https://ann@host.example/a:b@c", "a:b@c",
            String(repeating: "x", count: 2048),
        ]
        for (number, value) in values.enumerated() {
            try helper.answer(to: CredentialSave("ann", "p\(number)", at: .url(value)))
        }
        for (number, value) in values.enumerated() {
            let found = try helper.answer(to: CredentialGet(service: .url(value)))
            #expect(found.password.text == "p\(number)" && found.summary.service == .url(value), "\(value)")
        }
    }

    @Test(
        "A string with a control character, too long, not in normal form, or with a password in it is refused",
        arguments: [
            "", "a\nb", "a\u{7F}", "a\u{85}b", "e\u{301}", String(repeating: "x", count: 2049),
            "https://ann:s3cret@host.example/", "s3://:s3cret@host.example",
        ])
    func refused(value: String) throws {
        let refused = try #require(try connect().refusal(of: CredentialGet(service: .url(value))))
        #expect(refused.reasons.map(\.reason) == ["parameter-invalid"] && refused.member == "service.value")
    }

    @Test("What another saved requires the user's consent, for that very string; what it saved itself does not")
    func consent() throws {
        try save(Self.docker, "ann", "s3cret")
        let helper = try connect()
        #expect(try helper.reasons(for: silently(Self.docker)) == ["interaction-required"])
        let sent = try helper.send(Self.get)
        let question = try #require(daemon.questions.first)
        #expect(question.service == Service(kind: .url, value: "https://index.docker.io/v1/"))
        #expect(
            question.first.description.hasPrefix(
                "Helper wants to fill the password saved for https://index.docker.io/v1/."))
        try daemon.answer(question, .allow)
        #expect(try sent.answer().password.text == "s3cret")
        #expect(try connect().answer(to: Self.get).password.text == "s3cret")
        try save(.url("ghcr.io"), "ann", "s3cret")
        let forbidden = try #require(try helper.refusal(of: silently(.url("ghcr.io"))))
        #expect(forbidden.fix?.hasSuffix("autofillctl grant allow org.example.Helper url:ghcr.io") == true)
        let other = silently(.url("https://index.docker.io/v1/access-token"))
        #expect(try helper.reasons(for: other) == ["interaction-required"])
    }

    @Test("The grant and the record name the string")
    func records() throws {
        try save(Self.docker, "ann", "s3cret")
        let helper = try connect()
        _ = try helper.send(Self.get)
        try daemon.answer(try #require(daemon.questions.first), .allow)
        let user = try daemon.user()
        #expect(try user.answer(to: GrantList(proof: .test)).grants.map(\.service) == [Self.docker])
        _ = try helper.send(silently(.url("a/b")))
        let named = try user.answer(to: ReleaseList(proof: .test)).releases.map(\.service)
        #expect(named.contains(Self.docker))
        #expect(named.contains(.url("a/b")), "a refused one too, and as what it is")
    }

    @Test("The journal has no query, no fragment and no user of the string, which may be tokens")
    func journal() throws {
        let helper = try connect()
        let service = ServiceIdentifier.url("https://t0ken@git.example/a?access=t0ken#t0ken")
        #expect(try !helper.reasons(for: silently(service)).isEmpty)
        try helper.answer(to: CredentialSave("ann", "s3cret", at: service))
        try helper.answer(to: silently(service))
        let entries = daemon.journal.filter { $0.domain != nil }
        #expect(Set(entries.map(\.domain)) == ["https://git.example/a"] && entries.count >= 2)
        for entry in entries {
            let text = "\(entry.message) \(entry.domain ?? "") \(entry.refusal?.fixForJournal ?? "")"
            #expect(!text.contains("t0ken"), "\(text)")
        }
    }

    @Test("Without the entitlement it is refused, with its reason and fix")
    func notEntitled() throws {
        for app in [WideRegistrations.shop, WideRegistrations.browser] {
            let refused = try #require(try connect(app).refusal(of: Self.get))
            #expect(refused.reasons.map(\.reason) == ["helper-entitlement-missing"])
            #expect(refused.fix?.contains("org.autofilld.credential-helper") == true)
        }
        #expect(try connect("org.example.Nobody").reasons(for: Self.get) == ["app-not-registered"])
    }

    @Test("A registration that is not root's counts in a daemon for tests only")
    func notRoots() throws {
        guard getuid() != 0 || !registrations.path.hasPrefix("/root") else { return }
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try TestService(
            location: .directory(folder + "/data"), consent: .user, registrations: registrations.path)
        let helper = try connect(to: daemon)
        #expect(try helper.reasons(for: Self.get) == ["helper-entitlement-missing"])
        let evidence = try helper.answer(to: Diagnose(service: Self.docker)).evidence(of: "providerEntitlement")
        #expect(evidence?.hasSuffix("which is not root-owned") == true, "\(evidence ?? "")")
    }

    @Test("diagnose states what each condition is met by")
    func diagnosed() throws {
        let answer = try connect().answer(to: Diagnose(service: Self.docker))
        let file = "\(registrations.path)/\(WideRegistrations.helper).json"
        let standIn = "org.autofilld.credential-helper replaces it, declared in \(file)"
        #expect(answer.evidence(of: "registration") == file)
        #expect(answer.evidence(of: "providerEntitlement") == standIn)
        for condition in ["associatedDomains", "site", "userApproval"] {
            #expect(answer.evidence(of: condition) == "not needed: \(standIn)")
        }
        #expect(answer.evidence(of: "service") == "a string of its own")
        #expect(answer.evidence(of: "grant") == "the user has not been asked")
    }

    @Test("hello returns that it may, and no reason prevents it")
    func greeted() throws {
        let greeting = try daemon.connect().greet(as: WideRegistrations.helper)
        #expect(
            greeting.capabilities == [
                "strong-passwords", "credentials", "codes", "urls", "origins", "keychain", "verifiers",
                "sign-in",
            ])
        #expect(greeting.app.reasonNames == [])
    }

    @Test("Forms, offers, codes, lists and deletion work as for domains")
    func methods() throws {
        let helper = try connect()
        let suggested = try helper.answer(to: AutofillSuggest(service: Self.docker, form: FormDescription(.signUp)))
        let offer = try #require(suggested.strongPassword).offer
        try helper.answer(to: AutofillAccept(offer: offer, user: "ann"))
        let uri = SecretBytes(utf8: "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        try helper.answer(to: CodeSet(service: Self.docker, user: "ann", uri: uri))
        #expect(try helper.answer(to: CodeGet(service: Self.docker)).code.text.utf8.count == 6)
        let listed = try helper.answer(to: CredentialList(service: Self.docker)).credentials
        #expect(listed.map(\.user) == ["ann"])
        let id = try #require(listed.first).credential
        #expect(try helper.answer(to: AutofillFill(credential: id, form: FormDescription(.signIn))).user == "ann")
        var typed = [FieldDescription].signIn
        typed[0].value = SecretBytes(utf8: "ann")
        typed[1].value = SecretBytes(utf8: "no such")
        let submitted = try helper.submission(of: FormDescription(typed), at: Self.docker, interaction: .forbid)
        #expect(try helper.reasons(for: submitted) == ["interaction-required"])
        #expect(try helper.answer(to: CredentialDelete(credential: id)).changed)
        #expect(try !helper.reasons(for: silently(Self.docker)).isEmpty)
    }
}
