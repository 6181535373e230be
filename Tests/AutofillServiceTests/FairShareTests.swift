// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Credentials
import Foundation
import PeerIdentity
import Prompting
import Support
import Testing

/// One program asks for as much as it can get, beside another that asks for little.
@Suite("A fair share for each app")
struct FairShareTests {
    private func connect(_ daemon: TestService, _ path: String, inode: UInt64) throws -> ServiceConnection {
        let connection = daemon.connect(.process(path: path, inode: inode))
        try connection.hello()
        return connection
    }

    private func releases(_ daemon: TestService) throws -> [[String: Any]] {
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        let list = try person.call("admin.release.list", ["limit": 500, "proof": Examples.proof])
        return list.result?["releases"] as? [[String: Any]] ?? []
    }

    @Test("What an app reads of its own again and again is on record once an hour, and so much of one program at most")
    func record() throws {
        let daemon = try TestService(consent: .fixed(.allow))
        let app = try connect(daemon, "/home/user/greedy", inode: 1)
        let item: [String: Any] = ["place": ["service": "notes", "account": "one"]]
        try app.call("keychain.set", item.merging(["data": ["base64": "AA=="]]) { $1 })
        for _ in 0..<50 { #expect(try app.call("keychain.get", item).error == nil) }
        func own() throws -> Int { try releases(daemon).count { $0["method"] as? String == "keychain.get" } }
        #expect(try own() == 1)
        daemon.clock.advance(milliseconds: Int64(Limits.ownReleaseMilliseconds))
        try app.call("keychain.get", item)
        #expect(try own() == 2)
        let other = try connect(daemon, "/home/user/other", inode: 2)
        for _ in 0..<3 { #expect(try other.call("keychain.get", item).error == nil) }
        #expect(try own() == 5, "what is another's is on record each time")
    }

    @Test("Keychain items and verifiers of one program leave room for others'")
    func items() throws {
        let daemon = try TestService()
        let app = try connect(daemon, "/home/user/greedy", inode: 1)
        func set(_ app: ServiceConnection, _ number: Int) throws -> [String] {
            let item: [String: Any] = [
                "place": ["service": "notes", "account": "\(number)"], "data": ["base64": "AA=="],
            ]
            return try app.call("keychain.set", item).reasons
        }
        for number in 0..<Limits.itemsPerApp { try #require(try set(app, number) == []) }
        #expect(try set(app, Limits.itemsPerApp) == ["too-many-items"])
        #expect(try set(app, 0) == [], "what is there may be changed")
        #expect(try set(try connect(daemon, "/home/user/other", inode: 2), -1) == [])
    }

    @Test("Guesses at the passphrase are tried one at a time, however many come at once")
    func guesses() throws {
        let daemon = try TestService(isCreated: false)
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        let right: [String: Any] = ["passphrase": "correct horse battery"]
        #expect(try person.call("admin.vault.create", right).error == nil)
        let lines = try (0..<Limits.waitingKeyDerivations).map { number in
            let wrong: [String: Any] = ["passphrase": "wrong \(number)"]
            return Array(try ServiceConnection.line("admin.grant.list", ["proof": wrong], id: number + 2).utf8)
        }
        let client = person.client
        daemon.engine.assumeIsolated { engine in
            for line in lines { line.withUnsafeBytes { engine.receive($0, from: client) } }
        }
        try daemon.settle()
        let reasons = try person.answers().flatMap(\.reasons)
        #expect(reasons.count == lines.count)
        #expect(reasons.count { $0 == "proof-wrong" } == 1 && Set(reasons).count == 2, "\(reasons)")
        daemon.clock.advance(milliseconds: 250)
        #expect(try person.call("admin.grant.list", ["proof": right]).error == nil)
    }

    @Test("Costly rules are counted beside the loop, for one program so many at a time, and remembered")
    func rules() throws {
        let daemon = try TestService()
        let app = try connect(daemon, "/home/user/greedy", inode: 1)
        func line(_ number: Int) throws -> String {
            let rules = "required: upper; required: digit; max-consecutive: 2; minlength: 12; maxlength: \(20 + number)"
            let field: [String: Any] = [
                "id": "new", "contentType": "newPassword", "secure": true, "passwordRules": rules,
            ]
            let user: [String: Any] = ["id": "user", "contentType": "username"]
            return try ServiceConnection.line(
                "autofill.suggest", ["service": Examples.shop, "fields": [user, field]], id: number + 2)
        }
        let first = try #require(try daemon.begin(try line(0), app), "it is work for a thread")
        for number in 1..<3 { _ = try daemon.begin(try line(number), app) }
        #expect(try app.answers().map { $0.withheld["strongPassword"] ?? $0.reasons } == [["too-many-requests"]])
        let other = try connect(daemon, "/home/user/other", inode: 2)
        #expect(try other.call("credential.list", ["service": Examples.shop]).error != nil, "nobody waits for it")
        #expect(try daemon.finish(first, app).count { $0.contains("strongPassword") } == 2)
        #expect(try daemon.begin(try line(1), app) == nil && !app.received().isEmpty, "it is remembered")
        // What takes long is counted again only after a rest.
        let long = try #require(try daemon.begin(try line(3), app))
        daemon.clock.advance(milliseconds: 1000)
        #expect(try daemon.finish(long, app).count == 1)
        #expect(try daemon.begin(try line(4), app) == nil)
        #expect(try app.answers().map { $0.withheld["strongPassword"] ?? $0.reasons } == [["too-many-requests"]])
        daemon.clock.advance(milliseconds: 1000 * Int64(Limits.rulesShare) - Int64(Limits.rulesBurstMilliseconds))
        #expect(try daemon.begin(try line(4), app) != nil)
    }

    /// attacks.md, one sandboxed app, 3
    @Test("Of several apps' questions each has one shown before any has its second")
    func questions() throws {
        let daemon = try TestService(consent: .person)
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        let sites = ["shop.example.com", "a.members.example.com", "b.members.example.com"]
        for site in sites {
            let service = ["type": "domain", "value": site]
            let saved: [String: Any] = ["service": service, "user": "ann", "password": "s", "proof": Examples.proof]
            try #require(try person.call("credential.save", saved).error == nil)
        }
        let (greedy, other) = (try connect(daemon, "/home/u/a", inode: 1), try connect(daemon, "/home/u/b", inode: 2))
        for app in [greedy, other] {
            for (number, site) in sites.enumerated() {
                let service = ["type": "domain", "value": site]
                #expect(try app.send("credential.get", ["service": service], id: number + 2).isEmpty)
            }
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

    @Test("Requests of one program wait in so many bytes at most; what they held is free again when they have gone")
    func waitingBytes() throws {
        let daemon = try TestService(consent: .person)
        let (greedy, other) = (PeerEvidence.process(path: "/home/user/greedy", inode: 1), PeerEvidence.systemProgram)
        let password = String(repeating: "x", count: 4096)
        let filler = String(repeating: "y", count: 50_000)
        func submit(_ connection: ServiceConnection, _ number: Int) throws -> [TestAnswer] {
            let fields: [[String: Any]] = [
                ["id": "user", "contentType": "username", "value": "ann"],
                ["id": "pw", "contentType": "password", "secure": true, "value": password],
            ]
            return try connection.send(
                "autofill.submitted", ["service": Examples.shop, "fields": fields, "filler": filler], id: number)
        }
        var connections: [ServiceConnection] = []
        var (waiting, refused) = (0, 0)
        for _ in 0..<4 {
            let connection = daemon.connect(greedy)
            try connection.hello()
            connections.append(connection)
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
        let quiet = daemon.connect(other)
        try quiet.hello()
        #expect(try submit(quiet, 2).isEmpty, "another one's waits")
        for connection in connections { try connection.disconnect() }
        let again = daemon.connect(greedy)
        try again.hello()
        #expect(try submit(again, 2).isEmpty)
    }
}

@Suite("Nobody learns of others")
struct LearningTests {
    @Test("Without a grant an app cannot tell whether a user is saved, by any method that names one")
    func users() throws {
        let daemon = try TestService(consent: .person)
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        try person.call(
            "credential.save", ["service": Examples.shop, "user": "ann", "password": "one", "proof": Examples.proof])
        let app = daemon.connect(.process(path: "/home/user/app", inode: 1))
        try app.hello()
        let uri = "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        let calls: [(String, [String: Any])] = [
            ("credential.save", ["password": "guess", "ifVersion": "99"]),
            ("credential.get", [:]),
            ("code.set", ["uri": uri]), ("code.delete", [:]), ("code.get", [:]),
        ]
        for (method, more) in calls {
            let answers = try ["ann", "nobody"].map { user in
                try app.call(
                    method,
                    ["service": Examples.shop, "user": user, "interaction": "forbid"].merging(more) { $1 })
            }
            #expect(answers[0].reasons == answers[1].reasons && !answers[0].reasons.isEmpty, "\(method): \(answers)")
        }
    }

    @Test("Who is not the app that it says it is learns nothing of that one's registration")
    func mismatch() throws {
        let daemon = try TestService()
        var evidence = PeerEvidence.plainProcess
        evidence.sandbox = .flatpak(
            FlatpakInstance(appID: "org.example.Other"), .deployed(installation: "user", files: "/x"))
        let stranger = daemon.connect(evidence)
        let answer = try stranger.hello("org.example.Shop")
        let app = try #require(answer.result?["app"] as? [String: Any])
        #expect(app["assurance"] as? String == "none")
        #expect(app["registration"] as? String == nil)
        #expect(app["associatedDomainCount"] as? Int == 0)
        #expect(app["reasonNames"] as? [String] == ["identity-mismatch"])
        #expect(answer.result?["capabilities"] as? [String] == [])
        #expect(answer.result?["vault"] == nil && answer.result?["settings"] == nil)
        let diagnosed = try stranger.call("diagnose", ["service": Examples.shop])
        let text = "\(diagnosed.result ?? [:])"
        #expect(text.contains("identity-mismatch"))
        #expect(!text.contains(TestFiles.registrations))
    }
}
