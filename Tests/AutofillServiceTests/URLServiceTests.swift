// SPDX-License-Identifier: Apache-2.0
import AutofillService
import CredentialStorage
import Credentials
import Foundation
import PeerIdentity
import Prompting
import Support
import Testing

@Suite("The service type url, for credential helpers")
struct URLServiceTests {
    private static var docker: [String: Any] { WideRegistrations.url("https://index.docker.io/v1/") }
    private let registrations: TestRegistrations
    private let daemon: TestService

    init() throws {
        registrations = try WideRegistrations.folder()
        daemon = try TestService(consent: .person, registrations: registrations.path)
    }

    private func connect(
        _ app: String = WideRegistrations.helper, _ evidence: PeerEvidence = .systemProgram,
        to daemon: TestService? = nil
    ) throws -> ServiceConnection {
        let connection = (daemon ?? self.daemon).connect(evidence)
        try connection.hello(app)
        return connection
    }

    private func person() throws -> ServiceConnection { try connect("org.autofilld.autofillctl", .plainProcess) }

    private func save(_ service: [String: Any], _ user: String, _ password: String) throws {
        let saved = try person().call(
            "credential.save",
            ["service": service, "user": user, "password": password, "proof": Examples.proof])
        #expect(saved.error == nil)
    }

    @Test("Strings are kept byte for byte, and told apart by any byte")
    func bytes() throws {
        let helper = try connect()
        let values = [
            "https://index.docker.io/v1/", "https://index.docker.io/v1", "https://index.docker.io/v1/access-token",
            "HTTPS://index.docker.io/v1/", "sparse+https://crates.example/index/", "  two  spaces ", "ключ",
            "https://ann@host.example/a:b@c", "a:b@c",
            String(repeating: "x", count: 2048),
        ]
        for (number, value) in values.enumerated() {
            let saved = try helper.call(
                "credential.save",
                ["service": WideRegistrations.url(value), "user": "ann", "password": "p\(number)"])
            #expect(saved.error == nil, "\(value)")
        }
        for (number, value) in values.enumerated() {
            let found = try helper.call("credential.get", ["service": WideRegistrations.url(value)])
            #expect(found.text("password") == "p\(number)", "\(value)")
            #expect(WideRegistrations.service(of: found) == ["type": "url", "value": value])
        }
    }

    @Test(
        "A string with a control character, too long, not in normal form, or with a password in it is refused",
        arguments: [
            "", "a\nb", "a\u{7F}", "a\u{85}b", "e\u{301}", String(repeating: "x", count: 2049),
            "https://ann:s3cret@host.example/", "s3://:s3cret@host.example",
        ])
    func refused(value: String) throws {
        let answer = try connect().call("credential.get", ["service": WideRegistrations.url(value)])
        #expect(answer.problem == "parameter-invalid")
        #expect(answer.member == "service.value")
    }

    @Test("What another saved takes the person's word, for that very string; what it saved itself does not")
    func consent() throws {
        try save(Self.docker, "ann", "s3cret")
        let helper = try connect()
        #expect(
            try helper.call("credential.get", ["service": Self.docker, "interaction": "forbid"]).reasons
                == ["interaction-required"])
        #expect(try helper.send("credential.get", ["service": Self.docker]).isEmpty)
        let question = try #require(daemon.questions.first)
        #expect(question.service == Service(kind: .url, value: "https://index.docker.io/v1/"))
        #expect(
            question.first.description.hasPrefix(
                "Helper wants to fill the password saved for https://index.docker.io/v1/."))
        try daemon.answer(question, .allow)
        #expect(try helper.answers().map { $0.text("password") } == ["s3cret"])
        #expect(try connect().call("credential.get", ["service": Self.docker]).text("password") == "s3cret")
        try save(WideRegistrations.url("ghcr.io"), "ann", "s3cret")
        let forbidden = try helper.call(
            "credential.get", ["service": WideRegistrations.url("ghcr.io"), "interaction": "forbid"])
        #expect(forbidden.fixes.first?.hasSuffix("autofillctl grant allow org.example.Helper url:ghcr.io") == true)
        let other = WideRegistrations.url("https://index.docker.io/v1/access-token")
        #expect(
            try helper.call("credential.get", ["service": other, "interaction": "forbid"]).reasons
                == ["interaction-required"])
    }

    @Test("The grant and the record name the string")
    func records() throws {
        try save(Self.docker, "ann", "s3cret")
        let helper = try connect()
        _ = try helper.send("credential.get", ["service": Self.docker])
        try daemon.answer(try #require(daemon.questions.first), .allow)
        let grants =
            try person().call("admin.grant.list", ["proof": Examples.proof]).result?["grants"] as? [[String: Any]]
        #expect(
            grants?.compactMap { $0["service"] as? [String: String] } == [
                ["type": "url", "value": "https://index.docker.io/v1/"]
            ])
        _ = try helper.call("credential.get", ["service": WideRegistrations.url("a/b"), "interaction": "forbid"])
        let releases =
            try person().call("admin.release.list", ["proof": Examples.proof]).result?["releases"] as? [[String: Any]]
            ?? []
        let named = releases.compactMap { $0["service"] as? [String: String] }
        #expect(named.contains(["type": "url", "value": "https://index.docker.io/v1/"]))
        #expect(named.contains(["type": "url", "value": "a/b"]), "a refused one too, and as what it is")
    }

    @Test("Without the entitlement it is refused, with its reason and fix")
    func notEntitled() throws {
        for app in [WideRegistrations.shop, WideRegistrations.browser] {
            let answer = try connect(app).call("credential.get", ["service": Self.docker])
            #expect(answer.reasons == ["helper-entitlement-missing"])
            #expect(answer.fixes.first?.contains("org.autofilld.credential-helper") == true)
        }
        #expect(
            try connect("org.example.Nobody").call("credential.get", ["service": Self.docker]).reasons == [
                "app-not-registered"
            ])
    }

    @Test("A registration that is not root's counts in a daemon for tests only")
    func notRoots() throws {
        guard getuid() != 0 || !registrations.path.hasPrefix("/root") else { return }
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try TestService(
            location: .directory(folder + "/data"), consent: .person, registrations: registrations.path)
        let helper = try connect(to: daemon)
        let refused = try helper.call("credential.get", ["service": Self.docker])
        #expect(refused.reasons == ["helper-entitlement-missing"])
        let evidence = try helper.call("diagnose", ["service": Self.docker]).evidence(of: "providerEntitlement")
        #expect(evidence?.hasSuffix("which is not root-owned") == true, "\(evidence ?? "")")
    }

    @Test("diagnose says what stands in the place of each condition")
    func diagnosed() throws {
        let helper = try connect()
        let answer = try helper.call("diagnose", ["service": Self.docker])
        let file = "\(registrations.path)/\(WideRegistrations.helper).json"
        let standIn = "org.autofilld.credential-helper stands in its place, declared in \(file)"
        #expect(answer.evidence(of: "registration") == file)
        #expect(answer.evidence(of: "providerEntitlement") == standIn)
        for condition in ["associatedDomains", "site", "userApproval"] {
            #expect(answer.evidence(of: condition) == "not needed: \(standIn)")
        }
        #expect(answer.evidence(of: "service") == "a string of its own")
        #expect(answer.evidence(of: "grant") == "the user has not been asked")
    }

    @Test("hello tells that it may, and no reason stands in the way")
    func greeted() throws {
        let connection = daemon.connect()
        let greeting = try connection.hello(WideRegistrations.helper)
        #expect(
            greeting.result?["capabilities"] as? [String]
                == [
                    "strong-passwords", "credentials", "one-time-codes", "urls", "origins", "keychain", "verifiers",
                    "sign-in",
                ])
        #expect((greeting.result?["app"] as? [String: Any])?["reasonNames"] as? [String] == [])
    }

    @Test("Forms, offers, codes, lists and deletion work as for domains")
    func methods() throws {
        let helper = try connect()
        let suggested = try helper.call("autofill.suggest", ["service": Self.docker, "fields": Examples.signUp])
        let offer = try #require(suggested.suggestion("strongPassword")?["offer"] as? String, "\(suggested)")
        #expect(try helper.call("autofill.accept", ["offer": offer, "user": "ann"]).error == nil)
        let code: [String: Any] = [
            "service": Self.docker, "user": "ann", "uri": "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
        ]
        #expect(try helper.call("code.set", code).error == nil)
        #expect(try helper.call("code.get", ["service": Self.docker]).text("code")?.utf8.count == 6)
        let listed = try helper.call("credential.list", ["service": Self.docker])
        let credentials = listed.result?["credentials"] as? [[String: Any]]
        #expect(credentials?.compactMap { $0["user"] as? String } == ["ann"])
        let id = try #require(credentials?.first?["credential"] as? String)
        #expect(try helper.call("autofill.fill", ["credential": id, "fields": Examples.signIn]).text("user") == "ann")
        let submitted = try helper.call(
            "autofill.submitted",
            [
                "service": Self.docker,
                "fields": [
                    ["id": "mail", "contentType": "username", "value": "ann"],
                    ["id": "password", "contentType": "password", "secure": true, "value": "no such"],
                ], "interaction": "forbid",
            ])
        #expect(submitted.reasons == ["interaction-required"])
        #expect(try helper.call("credential.delete", ["credential": id]).error == nil)
        #expect(
            try helper.call("credential.get", ["service": Self.docker, "interaction": "forbid"]).text("password") == nil
        )
    }
}
