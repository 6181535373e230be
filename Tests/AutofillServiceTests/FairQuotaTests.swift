// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Credentials
import EventLoop
import Foundation
import PeerIdentity
import Prompting
import SecretMemory
import Support
import Testing

/// One program asks for as much as it can get, beside another that asks for little.
@Suite("A fair share for each app")
struct FairQuotaTests {
    private func connect(_ daemon: TestService, inode: UInt64) throws -> ServiceConnection {
        try daemon.connect(as: "org.example.Shop", inode: inode)
    }

    private func set(_ account: String) -> KeychainSet {
        KeychainSet(namespace: "notes", account: account, data: SecretBytes(utf8: "a"))
    }

    @Test("What an app reads of its own again and again is on record once an hour, and so much of one program at most")
    func record() throws {
        let daemon = try TestService(consent: .fixed(.allow))
        let app = try connect(daemon, inode: 1)
        let get = KeychainGet(.place(namespace: "notes", account: "one"))
        try app.answer(to: set("one"))
        for _ in 0..<50 { try app.answer(to: get) }
        func count() throws -> Int {
            let list = ReleaseList(page: PageRequest(limit: 500), proof: .test)
            return try daemon.user().answer(to: list).releases.count { $0.method == "keychain.get" }
        }
        #expect(try count() == 1)
        daemon.clock.advance(milliseconds: Int64(Limits.ownReleaseMilliseconds))
        try app.answer(to: get)
        #expect(try count() == 2)
        let other = try connect(daemon, inode: 2)
        for _ in 0..<3 { try other.answer(to: get) }
        #expect(try count() == 5, "what is another's is on record each time")
    }

    @Test("What an app has read of its own goes on record again in a backup that replaces the vault")
    func otherRecord() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try TestService(location: .directory(folder + "/data"), consent: .fixed(.allow))
        let (app, user) = (try connect(daemon, inode: 1), try daemon.user())
        let get = KeychainGet(.place(namespace: "notes", account: "one"))
        func count() throws -> Int {
            let list = ReleaseList(page: PageRequest(limit: 500), proof: .test)
            return try user.answer(to: list).releases.count { $0.method == "keychain.get" }
        }
        try app.answer(to: set("one"))
        try user.answer(to: VaultBackup(path: folder + "/backup", proof: .test))
        for _ in 0..<2 { try app.answer(to: get) }
        #expect(try count() == 1)
        try user.answer(to: VaultRestore(path: folder + "/backup", secret: .test, proof: .test))
        let before = try count()
        for _ in 0..<2 { try app.answer(to: get) }
        #expect(try count() == before + 1)
    }

    /// attacks.md, one sandboxed app, 5
    @Test("Keychain items and verifiers of one program leave capacity for others'")
    func items() throws {
        let daemon = try TestService()
        let app = try connect(daemon, inode: 1)
        for number in 0..<Limits.itemsPerApp { try app.answer(to: set("\(number)")) }
        #expect(try app.reasons(for: set("\(Limits.itemsPerApp)")) == ["too-many-items"])
        #expect(try app.reasons(for: set("0")) == [], "what is there may be changed")
        #expect(try connect(daemon, inode: 2).reasons(for: set("-1")) == [])
        // Each deletion, of one item or by the reason's fix, frees capacity for as many others.
        let more = (0..<3).map { set("more\($0)") }
        try app.answer(to: KeychainDelete(.place(namespace: "notes", account: "1")))
        try app.answer(to: more[0])
        #expect(try app.reasons(for: more[1]) == ["too-many-items"])
        let second = ItemName.place(namespace: "notes", account: "2", accessGroup: "org.example.Shop")
        try daemon.user().answer(to: KeychainDelete(second, proof: .test))
        try app.answer(to: more[1])
        #expect(try app.reasons(for: more[2]) == ["too-many-items"])
        try app.answer(to: KeychainDelete(.place(namespace: "notes", account: "3")))
        try app.answer(to: VerifierSet(namespace: "login", account: "ann", password: SecretBytes(utf8: "secret")))
        #expect(try app.reasons(for: more[2]) == ["too-many-items"])
        try app.answer(to: VerifierDelete(namespace: "login", account: "ann"))
        try app.answer(to: more[2])
    }

    /// attacks.md, a hostile program, 6
    @Test("Guesses at the passphrase are tried one at a time, however many come at once")
    func guesses() throws {
        let daemon = try TestService.withPassphrase()
        let user = try daemon.user()
        let sent = (0..<Limits.waitingKeyDerivations).map { number in
            user.prepare(GrantList(proof: .passphrase(SecretBytes(utf8: "wrong \(number)"))))
        }
        daemon.engine.assumeIsolated { [client = user.client, lines = sent.map(\.line)] engine in
            for line in lines { _ = line.withUnsafeBytes { engine.receive($0, from: client) } }
        }
        try daemon.settle()
        let reasons = try sent.flatMap { try $0.sent.reasons() }
        #expect(reasons.count == sent.count)
        #expect(reasons.count { $0 == "proof-wrong" } == 1 && Set(reasons).count == 2, "\(reasons)")
        daemon.clock.advance(milliseconds: 250)
        try user.answer(to: GrantList(proof: .passphrase(TestService.passphrase)))
    }

    @Test("Costly rules are counted beside the loop, for one program so many at a time, and remembered")
    func rules() throws {
        let daemon = try TestService()
        let app = try connect(daemon, inode: 1)
        func suggest(_ number: Int) -> AutofillSuggest {
            let rules = "required: upper; required: digit; max-consecutive: 2; minlength: 12; maxlength: \(20 + number)"
            return AutofillSuggest(
                service: .shop,
                form: FormDescription([
                    FieldDescription(id: "user", contentType: "username"),
                    FieldDescription(id: "new", contentType: "newPassword", isSecure: true, passwordRules: rules),
                ]))
        }
        func isRefused(_ sent: SentCall<AutofillSuggest>) throws -> Bool {
            let reasons =
                switch try sent.outcome() {
                case .success(let answer): answer.reasons(withholding: "strongPassword")
                case .failure(let refused): refused.reasons.map(\.reason)
                }
            return reasons == ["too-many-requests"]
        }
        let (first, work) = try daemon.begin(suggest(0), app)
        let (second, _) = try daemon.begin(suggest(1), app)
        let (third, _) = try daemon.begin(suggest(2), app)
        #expect(first.waits && second.waits)
        #expect(try isRefused(third))
        let other = try connect(daemon, inode: 2)
        #expect(try other.reasons(for: CredentialList(service: .shop)) == ["grant-missing"], "nobody waits for it")
        try daemon.finish(try #require(work, "it is work for a thread"))
        #expect(try first.answer().strongPassword != nil && second.answer().strongPassword != nil)
        let (again, more) = try daemon.begin(suggest(1), app)
        #expect(try more == nil && again.answer().strongPassword != nil, "it is remembered")
        // While the machine sleeps nobody counts.
        let (slept, sleptWork) = try daemon.begin(suggest(5), app)
        daemon.clock.sleep(for: .seconds(3600))
        try daemon.finish(try #require(sleptWork))
        try slept.answer()
        // What needs long is counted again only after a pause.
        let (long, longWork) = try daemon.begin(suggest(3), app)
        daemon.clock.advance(milliseconds: 1000)
        try daemon.finish(try #require(longWork))
        try long.answer()
        let (late, none) = try daemon.begin(suggest(4), app)
        #expect(try none == nil && isRefused(late))
        daemon.clock.advance(milliseconds: 1000 * Int64(Limits.rulesQuota) - Int64(Limits.rulesBurstMilliseconds))
        #expect(try daemon.begin(suggest(4), app).1 != nil)
    }

    /// attacks.md, one sandboxed app, 4
    @Test("Costly rules count for the program that sent them until they are counted, though it waits for them no more")
    func abandonedRules() throws {
        let daemon = try TestService()
        let app = try connect(daemon, inode: 1)
        func suggest(_ number: Int) -> AutofillSuggest {
            let rules = "required: upper; max-consecutive: 2; minlength: 12; maxlength: \(20 + number)"
            return AutofillSuggest(
                service: .shop,
                form: FormDescription([
                    FieldDescription(id: "user", contentType: "username"),
                    FieldDescription(id: "new", contentType: "newPassword", isSecure: true, passwordRules: rules),
                ]))
        }
        let (first, work) = try daemon.begin(suggest(0), app)
        try app.cancel(first)
        #expect(try first.reasons() == ["cancelled"])
        let other = try connect(daemon, inode: 1)
        #expect(try daemon.begin(suggest(1), other).0.waits)
        try other.disconnect()
        let last = try connect(daemon, inode: 1)
        #expect(try daemon.begin(suggest(2), last).0.reasons() == ["too-many-requests"])
        #expect(try daemon.begin(suggest(2), try connect(daemon, inode: 2)).0.waits, "others have their own quota")
        // Counting takes long: that is charged, too.
        daemon.clock.advance(milliseconds: 3000)
        try daemon.finish(try #require(work))
        #expect(try daemon.begin(suggest(3), last).0.reasons() == ["too-many-requests"])
    }

    /// attacks.md, one sandboxed app, 3
    @Test("Of several apps' questions each has one shown before any has its second")
    func questions() throws {
        let daemon = try TestService(consent: .user)
        let sites = ["shop.example.com", "a.members.example.com", "b.members.example.com"].map {
            ServiceIdentifier(domain: $0)
        }
        for site in sites { try daemon.user().answer(to: CredentialSave("ann", "s", at: site, proof: .test)) }
        for app in [try connect(daemon, inode: 1), try connect(daemon, inode: 2)] {
            for site in sites { #expect(try app.send(CredentialGet(service: site)).waits) }
        }
        var shown: [String] = []
        while let question = daemon.questions.first {
            #expect(daemon.questions.count == 1)
            shown.append(question.subject.executable)
            try daemon.answer(question, .once)
        }
        #expect(shown.count == 6)
        for pair in stride(from: 0, to: shown.count - 1, by: 2) { #expect(Set(shown[pair...pair + 1]).count == 2) }
    }

    /// attacks.md, one sandboxed app, 2
    @Test("Requests of one program wait in so many bytes at most; what they held is free again when they have ended")
    func waitingBytes() throws {
        let daemon = try TestService(consent: .user)
        let password = String(repeating: "x", count: 4096)
        let filler = String(repeating: "y", count: 54_000)
        // On the wire: a member that nobody knows makes the line long.
        func submit(_ connection: ServiceConnection, _ number: Int) throws -> [TestAnswer] {
            let fields: [[String: Any]] = [
                ["id": "user", "contentType": "username", "value": "ann"],
                ["id": "pw", "contentType": "password", "secure": true, "value": password],
            ]
            let sent = try connection.call("autofill.submit", ["service": Examples.shop, "form": ["fields": fields]])
            let submission = try #require(sent.text("submission"))
            return try connection.send("autofill.confirm", ["submission": submission, "filler": filler], id: number)
        }
        let connections = try (0..<4).map { _ in try connect(daemon, inode: 1) }
        var (waiting, refused) = (0, 0)
        for connection in connections {
            for number in 0..<Limits.waitingRequests {
                let answers = try submit(connection, number + 2)
                if answers.isEmpty {
                    waiting += 1
                } else {
                    refused += answers.count { $0.reasons == ["too-many-requests"] }
                }
            }
        }
        #expect(waiting > 60 && waiting * 54_000 <= Limits.waitingBytesPerApp)
        #expect(waiting + refused == 4 * Limits.waitingRequests)
        #expect(try submit(try connect(daemon, inode: 2), 2).isEmpty, "another one's waits")
        for connection in connections { try connection.disconnect() }
        #expect(try submit(try connect(daemon, inode: 1), 2).isEmpty)
    }
}

@Suite("Nobody learns of others")
struct LearningTests {
    /// attacks.md, one sandboxed app, 7
    @Test("Without a grant an app cannot learn whether a user is saved, by any method that names one")
    func users() throws {
        let daemon = try TestService(consent: .user)
        try daemon.user().answer(to: CredentialSave("ann", "one", proof: .test))
        let app = try daemon.connect(as: "org.example.Shop", inode: 1)
        func compare<Call: MethodCall>(_ call: (String) -> Call) throws {
            let reasons = try ["ann", "nobody"].map { try app.reasons(for: call($0)) }
            #expect(reasons[0] == reasons[1] && !reasons[0].isEmpty, "\(Call.method): \(reasons)")
        }
        let (shop, guess) = (ServiceIdentifier.shop, SecretBytes(utf8: "guess"))
        let uri = SecretBytes(utf8: "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        try compare {
            CredentialSave(service: shop, user: $0, password: guess, ifVersion: "99", interaction: .forbid)
        }
        try compare { CredentialGet(service: shop, user: $0, interaction: .forbid) }
        try compare { CodeSet(service: shop, user: $0, uri: uri, interaction: .forbid) }
        try compare { CodeDelete(service: shop, user: $0, interaction: .forbid) }
        try compare { CodeGet(service: shop, user: $0, interaction: .forbid) }
    }

    @Test("A program that is not the app that it claims to be learns nothing of that one's registration")
    func mismatch() throws {
        let daemon = try TestService()
        var evidence = PeerEvidence.plainProcess
        evidence.sandbox = .flatpak(
            FlatpakInstance(appID: "org.example.Other"), .deployed(installation: "user", files: "/x"))
        let stranger = daemon.connect(evidence)
        let greeting = try stranger.greet()
        #expect(
            greeting.app
                == VerifiedApp(
                    bundleID: "org.example.Shop", assurance: "none", registration: nil, associatedDomainCount: 0,
                    reasonNames: ["identity-mismatch"]))
        #expect(greeting.capabilities == [] && greeting.vault == nil && greeting.settings == nil)
        let text = "\(try stranger.answer(to: Diagnose(service: .shop)))"
        #expect(text.contains("identity-mismatch"))
        #expect(!text.contains(TestFiles.registrations))
    }
}
