// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Credentials
import EventLoop
import Foundation
import Prompting
import SecretMemory
import Settings
import Support
import TestGround
import Testing

/// No time span is measured by the clock that users set.
@Suite("The wall clock set forward and back by a day", .serialized)
struct WallClockTests {
    static let shifts: [Int64] = [86_400_000, -86_400_000]

    private func connect(_ daemon: TestService, _ app: String = "org.example.Shop") throws -> ServiceConnection {
        let connection = daemon.connect(.systemProgram)
        try connection.greet(as: app)
        return connection
    }

    private func user(_ daemon: TestService) throws -> ServiceConnection {
        try connect(daemon, "org.autofilld.autofillctl")
    }

    @Test("An idle vault locks when its time is over, neither sooner nor later", arguments: shifts)
    func idle(_ shift: Int64) throws {
        var settings = DaemonSettings()
        settings.lockWhenIdleMinutes = 1
        let daemon = try TestService(settings: settings)
        daemon.clock.wall += shift
        try daemon.begin { await $0.keepUp() }
        #expect(try connect(daemon).answer(to: Status()).vault == "unlocked")
        daemon.clock.advance(milliseconds: 59_999)
        try daemon.begin { await $0.keepUp() }
        #expect(try connect(daemon).answer(to: Status()).vault == "unlocked")
        daemon.clock.advance(milliseconds: 1)
        try daemon.begin { await $0.keepUp() }
        #expect(try connect(daemon).answer(to: Status()).vault == "locked")
    }

    @Test("An idle vault locks after a sleep of the machine that was longer than its time")
    func idleAsleep() throws {
        var settings = DaemonSettings()
        settings.lockWhenIdleMinutes = 1
        let daemon = try TestService(settings: settings)
        daemon.clock.sleep(for: .seconds(60))
        try daemon.begin { await $0.keepUp() }
        #expect(try connect(daemon).answer(to: Status()).vault == "locked")
    }

    @Test("The user's no holds for its time, and a request waits for the user for its time", arguments: shifts)
    func denialAndDeadline(_ shift: Int64) throws {
        let daemon = try TestService(consent: .user)
        try user(daemon).answer(
            to: CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "s3cret"), proof: .test))
        let app = try connect(daemon)
        let get = CredentialGet(service: .shop)
        let first = try app.send(get)
        try daemon.answer(try #require(daemon.questions.first), .deny)
        #expect(try first.reasons() == ["consent-denied"])
        daemon.clock.wall += shift
        #expect(
            try app.refusal(of: get)?.reasons.first?.retryAfterMilliseconds == Limits.denialMilliseconds)
        daemon.clock.advance(milliseconds: Int64(Limits.denialMilliseconds))
        let second = try app.send(get)
        daemon.clock.wall += shift
        daemon.clock.advance(milliseconds: Int64(Limits.promptMilliseconds) - 1)
        try daemon.settle()
        #expect(second.waits)
        daemon.clock.advance(milliseconds: 1)
        try daemon.settle()
        #expect(try second.reasons() == ["consent-denied"])
    }

    @Test("An offer is kept for its time", arguments: shifts)
    func offer(_ shift: Int64) throws {
        let daemon = try TestService()
        let app = try connect(daemon)
        let suggest = AutofillSuggest(service: .shop, form: FormDescription(.signUp, id: "f"))
        let first = try app.answer(to: suggest).strongPassword?.offer
        daemon.clock.wall += shift
        daemon.clock.advance(milliseconds: 11_000)
        let second = try app.answer(to: suggest).strongPassword?.offer
        #expect(first != nil && first == second)
        daemon.clock.advance(milliseconds: 24 * 3_600_000)
        let late = try app.reasons(for: AutofillAccept(offer: try #require(first), user: "ann"))
        #expect(late == ["offer-expired"])
    }

    @Test("The journal takes the same event again after a second", arguments: shifts)
    func journal(_ shift: Int64) throws {
        let daemon = try TestService()
        let stranger = try connect(daemon, "org.example.Stranger")
        func lines() throws -> Int {
            _ = try stranger.refusal(of: CredentialGet(service: .shop))
            return daemon.journal.count { $0.refusal != nil }
        }
        #expect(try lines() == 1)
        daemon.clock.wall += shift
        #expect(try lines() == 1)
        daemon.clock.advance(milliseconds: 1000)
        #expect(try lines() == 2)
    }

    @Test(
        "After a wrong password of a verifier, and a wrong proof, the next try is as far away as before",
        arguments: shifts)
    func delays(_ shift: Int64) throws {
        let daemon = try TestService()
        let app = try connect(daemon)
        func check(_ password: String) -> VerifierCheck {
            VerifierCheck(namespace: "login", account: "ann", password: SecretBytes(utf8: password))
        }
        let hash = SecretBytes(utf8: Examples.passwordHash)
        try app.answer(to: VerifierSet(namespace: "login", account: "ann", hash: hash))
        #expect(try !app.answer(to: check("wrong")).isMatch)
        daemon.clock.wall += shift
        #expect(try app.reasons(for: check("pleaseletmein")) == ["check-too-soon"])
        daemon.clock.advance(milliseconds: Int64(Limits.verifierDelayMilliseconds))
        #expect(try app.answer(to: check("pleaseletmein")).isMatch)

        let user = try user(daemon)
        let refused = try user.refusal(of: SlotList(proof: .wrong))
        let delay = try #require(refused?.reasons.first?.retryAfterMilliseconds)
        daemon.clock.wall += shift
        #expect(try user.reasons(for: SlotList(proof: .test)) == ["proof-too-soon"])
        daemon.clock.advance(milliseconds: Int64(delay))
        try user.answer(to: SlotList(proof: .test))
    }

    @Test("A vault that could not be opened is tried again after a second", arguments: shifts)
    func retries(_ shift: Int64) throws {
        let directory = try TemporaryDirectory()
        let database = directory.path + "/data/vault.sqlite"
        try FileManager.default.createDirectory(
            atPath: directory.path + "/data", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try Data("no vault".utf8).write(to: URL(filePath: database))
        let daemon = try TestService(location: .directory(directory.path + "/data"), isCreated: false)
        let user = try user(daemon)
        #expect(try user.answer(to: Status()).vault == "vault-unreadable")
        daemon.clock.wall += shift
        try FileManager.default.removeItem(atPath: database)
        daemon.clock.advance(milliseconds: 999)
        #expect(try user.answer(to: Status()).vault == "vault-unreadable")
        daemon.clock.advance(milliseconds: 1)
        #expect(try user.answer(to: Status()).vault == "missing")
    }

    @Test(
        "A site that failed is asked again when its time has come, and its statement holds for the time that it states",
        arguments: shifts)
    func sites(_ shift: Int64) throws {
        var asked = 0
        let daemon = try TestService(siteAssociation: .required)
        daemon.sites = { query in
            asked += query.domain == "shop.example.com" ? 1 : 0
            return .failing(query)
        }
        let app = try connect(daemon)
        func state() throws -> String {
            try app.answer(to: DomainGet(domain: "shop.example.com")).siteState
        }
        #expect(try state() == "failed" && asked == 1)
        daemon.clock.wall += shift
        try daemon.onEngine { $0.refreshAssociations() }
        #expect(asked == 1)
        daemon.sites = { .listing(["org.example.Shop"], to: $0, validSeconds: 3600) }
        daemon.clock.advance(milliseconds: 400_000)
        try daemon.onEngine { $0.refreshAssociations() }
        #expect(try state() == "approved")
        daemon.clock.wall += shift
        #expect(try state() == "approved")
        daemon.areSitesSilent = true
        daemon.clock.advance(milliseconds: 3_600_000)
        #expect(try state() == "notFetched")
    }

    @Test("A code that came in is kept for three minutes", arguments: shifts)
    func codes(_ shift: Int64) throws {
        let daemon = try TestService(consent: .fixed(.once))
        let mail = try connect(daemon, "org.example.Mail")
        let app = try connect(daemon)
        let name = try mail.answer(to: CodeOffer(service: .shop, code: SecretBytes(utf8: "111111"))).code
        daemon.clock.wall += shift
        let fields = [FieldDescription(id: "otp", contentType: "oneTimeCode")]
        daemon.clock.advance(milliseconds: Int64(Limits.offeredCodeMilliseconds) - 1)
        let answer = try app.answer(to: AutofillSuggest(service: .shop, form: FormDescription(fields)))
        #expect(answer.oneTimeCode != nil && answer.savedCredentials == nil)
        daemon.clock.advance(milliseconds: 1)
        #expect(try app.reasons(for: AutofillFill(code: name, form: FormDescription(fields))) == ["code-not-found"])
    }
}
