// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Credentials
import EventLoop
import Foundation
import Prompting
import Settings
import Support
import TestGround
import Testing

/// No time span is measured by the clock that people set.
@Suite("The wall clock set forward and back by a day", .serialized)
struct WallClockTests {
    static let shifts: [Int64] = [86_400_000, -86_400_000]

    private func connect(_ daemon: TestService, _ app: String = "org.example.Shop") throws -> ServiceConnection {
        let connection = daemon.connect(.systemProgram)
        try connection.hello(app)
        return connection
    }

    private func person(_ daemon: TestService) throws -> ServiceConnection {
        try connect(daemon, "org.autofilld.autofillctl")
    }

    @Test("An idle vault locks when its time is over, neither sooner nor later", arguments: shifts)
    func idle(_ shift: Int64) throws {
        var settings = DaemonSettings()
        settings.lockWhenIdleMinutes = 1
        let daemon = try TestService(settings: settings)
        daemon.clock.wall += shift
        try daemon.begin { await $0.keepUp() }
        #expect(try connect(daemon).call("status").text("vault") == "unlocked")
        daemon.clock.advance(milliseconds: 59_999)
        try daemon.begin { await $0.keepUp() }
        #expect(try connect(daemon).call("status").text("vault") == "unlocked")
        daemon.clock.advance(milliseconds: 1)
        try daemon.begin { await $0.keepUp() }
        #expect(try connect(daemon).call("status").text("vault") == "locked")
    }

    @Test("An idle vault locks after a sleep of the machine that was longer than its time")
    func idleAsleep() throws {
        var settings = DaemonSettings()
        settings.lockWhenIdleMinutes = 1
        let daemon = try TestService(settings: settings)
        daemon.clock.sleep(for: .seconds(60))
        try daemon.begin { await $0.keepUp() }
        #expect(try connect(daemon).call("status").text("vault") == "locked")
    }

    @Test("The person's no holds as long as it says, and a request waits for the person as long", arguments: shifts)
    func denialAndDeadline(_ shift: Int64) throws {
        let daemon = try TestService(consent: .person)
        try person(daemon).call(
            "credential.save",
            ["service": Examples.shop, "user": "ann", "password": "s3cret", "proof": Examples.proof])
        let app = try connect(daemon)
        let get: [String: Any] = ["service": Examples.shop]
        _ = try app.send("credential.get", get)
        try daemon.answer(try #require(daemon.questions.first), .deny)
        #expect(try app.answers().map(\.reasons) == [["consent-denied"]])
        daemon.clock.wall += shift
        #expect(try app.call("credential.get", get).retryAfter == Limits.denialMilliseconds)
        daemon.clock.advance(milliseconds: Int64(Limits.denialMilliseconds))
        #expect(try app.send("credential.get", get, id: 2).isEmpty)
        daemon.clock.wall += shift
        daemon.clock.advance(milliseconds: Int64(Limits.promptMilliseconds) - 1)
        try daemon.settle()
        #expect(try app.answers().isEmpty)
        daemon.clock.advance(milliseconds: 1)
        try daemon.settle()
        #expect(try app.answers().map(\.reasons) == [["consent-denied"]])
    }

    @Test("An offer is kept for its time", arguments: shifts)
    func offer(_ shift: Int64) throws {
        let daemon = try TestService()
        let app = try connect(daemon)
        let suggest: [String: Any] = ["service": Examples.shop, "form": "f", "fields": Examples.signUp]
        let first = try app.call("autofill.suggest", suggest).suggestion("strongPassword")?["offer"] as? String
        daemon.clock.wall += shift
        daemon.clock.advance(milliseconds: 11_000)
        let second = try app.call("autofill.suggest", suggest).suggestion("strongPassword")?["offer"] as? String
        #expect(first != nil && first == second)
        daemon.clock.advance(milliseconds: 24 * 3_600_000)
        let late = try app.call("autofill.accept", ["offer": try #require(first), "user": "ann"])
        #expect(late.reasons == ["offer-expired"])
    }

    @Test("The journal takes the same event again after a second", arguments: shifts)
    func journal(_ shift: Int64) throws {
        let daemon = try TestService()
        let stranger = try connect(daemon, "org.example.Stranger")
        func lines() throws -> Int {
            try stranger.call("credential.get", ["service": Examples.shop])
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
        let account: [String: Any] = ["service": "login", "account": "ann"]
        func check(_ password: String) throws -> TestAnswer {
            try app.call("verifier.check", account.merging(["password": password]) { $1 })
        }
        try app.call("admin.verifier.import", account.merging(["hash": Examples.passwordHash]) { $1 })
        #expect(try check("wrong").result?["right"] as? Bool == false)
        daemon.clock.wall += shift
        #expect(try check("pleaseletmein").reasons == ["check-too-soon"])
        daemon.clock.advance(milliseconds: Int64(Limits.verifierDelayMilliseconds))
        #expect(try check("pleaseletmein").result?["right"] as? Bool == true)

        let person = try person(daemon)
        let wrong: [String: Any] = ["key": ["base64": Data(repeating: 0, count: 32).base64EncodedString()]]
        let delay = try #require(try person.call("admin.slot.list", ["proof": wrong]).retryAfter)
        daemon.clock.wall += shift
        #expect(try person.call("admin.slot.list", ["proof": Examples.proof]).reasons == ["proof-too-soon"])
        daemon.clock.advance(milliseconds: Int64(delay))
        #expect(try person.call("admin.slot.list", ["proof": Examples.proof]).error == nil)
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
        let person = try person(daemon)
        #expect(try person.call("status").text("vault") == "vault-unreadable")
        daemon.clock.wall += shift
        try FileManager.default.removeItem(atPath: database)
        daemon.clock.advance(milliseconds: 999)
        #expect(try person.call("status").text("vault") == "vault-unreadable")
        daemon.clock.advance(milliseconds: 1)
        #expect(try person.call("status").text("vault") == "missing")
    }

    @Test(
        "A site that failed is asked again when its time has come, and its word holds as long as it said",
        arguments: shifts)
    func sites(_ shift: Int64) throws {
        var asked = 0
        let daemon = try TestService(siteAssociation: .required)
        daemon.sites = { query in
            asked += query.domain == "shop.example.com" ? 1 : 0
            return .failing(query)
        }
        let app = try connect(daemon)
        func state() throws -> String? {
            try app.call("admin.domain.get", ["domain": "shop.example.com"]).text("siteState")
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
        let name = try #require(
            try mail.call("code.offer", ["service": Examples.shop, "code": "111111"]).text("code"))
        daemon.clock.wall += shift
        let fields: [[String: Any]] = [["id": "otp", "contentType": "oneTimeCode"]]
        daemon.clock.advance(milliseconds: Int64(Limits.offeredCodeMilliseconds) - 1)
        let answer = try app.call("autofill.suggest", ["service": Examples.shop, "fields": fields])
        #expect(answer.types == ["oneTimeCode"])
        daemon.clock.advance(milliseconds: 1)
        #expect(try app.call("autofill.fill", ["code": name, "fields": fields]).reasons == ["code-not-found"])
    }
}
