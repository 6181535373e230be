// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Credentials
import PeerIdentity
import Prompting
import Support
import Testing

@Suite("Asking the person about an app")
struct ConsentTests {
    private let daemon: TestService

    /// A vault in which the person has saved something for the shop.
    init() throws {
        daemon = try TestService(consent: .person)
        let administrator = daemon.connect()
        try administrator.hello("org.autofilld.autofillctl")
        try administrator.call(
            "credential.save",
            ["service": Examples.shop, "user": "ann", "password": "s3cret", "proof": Examples.proof])
    }

    private func app(
        _ evidence: PeerEvidence = .systemProgram, confirm: @escaping () throws(PeerRefusal) -> Void = {}
    ) throws -> ServiceConnection {
        let app = daemon.connect(evidence, confirm: confirm)
        try app.hello()
        return app
    }

    private func grants() throws -> [[String: Any]] {
        let administrator = daemon.connect()
        try administrator.hello("org.autofilld.autofillctl")
        return try administrator.call("admin.grant.list", ["proof": Examples.proof]).result?["grants"]
            as? [[String: Any]]
            ?? []
    }

    @Test("Requests that ask the same share one prompt; a remembered yes answers all, and those to come")
    func shared() throws {
        let first = try app()
        let second = try app()
        #expect(try first.send("credential.get", ["service": Examples.shop]).isEmpty)
        #expect(try first.send("credential.list", ["service": Examples.shop], id: 2).isEmpty)
        #expect(try second.send("credential.get", ["service": Examples.shop]).isEmpty)
        let question = try #require(daemon.questions.first)
        #expect(daemon.questions.count == 1)
        try daemon.answer(question, .allow)
        #expect(daemon.questions.isEmpty)
        #expect(try first.answers().map { $0.text("password") } == ["s3cret", nil])
        #expect(try second.answers().map { $0.text("password") } == ["s3cret"])
        #expect(try app().call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
        let kept = try grants()
        #expect(kept.map { $0["executable"] as? String } == ["path:/usr/bin/shop"])
        #expect(kept.map { $0["decision"] as? String } == ["allow"])
    }

    @Test("A yes for once answers those who waited, and nobody else")
    func once() throws {
        let app = try app()
        _ = try app.send("credential.get", ["service": Examples.shop])
        try daemon.answer(try #require(daemon.questions.first), .once)
        #expect(try app.answers().map { $0.text("password") } == ["s3cret"])
        #expect(try grants().isEmpty)
        #expect(try app.send("credential.get", ["service": Examples.shop], id: 2).isEmpty)
        #expect(daemon.questions.count == 1)
    }

    @Test("A no holds for a while, for this app, program and service, and then the person is asked again")
    func denied() throws {
        let app = try app()
        _ = try app.send("credential.get", ["service": Examples.shop])
        try daemon.answer(try #require(daemon.questions.first), .deny)
        #expect(try app.answers().map(\.reasons) == [["consent-denied"]])
        let again = try #require(try app.send("credential.get", ["service": Examples.shop], id: 2).first)
        #expect(again.reasons == ["consent-denied"])
        #expect(again.retryAfter == Limits.denialMilliseconds)
        #expect(daemon.questions.isEmpty)
        let other = try self.app(.plainProcess)
        #expect(try other.send("credential.get", ["service": Examples.shop]).isEmpty)
        try daemon.answer(try #require(daemon.questions.first), .once)
        daemon.clock.advance(milliseconds: Int64(Limits.denialMilliseconds))
        #expect(try app.send("credential.get", ["service": Examples.shop], id: 3).isEmpty)
        #expect(daemon.questions.count == 1)
    }

    @Test("A grant by command takes the person's recent no back")
    func changedMind() throws {
        let app = try app()
        _ = try app.send("credential.get", ["service": Examples.shop])
        try daemon.answer(try #require(daemon.questions.first), .deny)
        let administrator = daemon.connect()
        try administrator.hello("org.autofilld.autofillctl")
        try administrator.call(
            "admin.grant.allow", ["bundleID": "org.example.Shop", "service": Examples.shop, "proof": Examples.proof])
        #expect(try app.call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
    }

    @Test("Forbidden to ask, it answers at once; where nobody can be asked, with the command that does the same")
    func notAsked() throws {
        let app = try app()
        let forbidden = try app.call("credential.get", ["service": Examples.shop, "interaction": "forbid"])
        #expect(forbidden.reasons == ["interaction-required"])
        #expect(daemon.questions.isEmpty)
        _ = try app.send("credential.get", ["service": Examples.shop])
        try daemon.answer(try #require(daemon.questions.first), nil)
        let refused = try #require(try app.answers().first)
        #expect(refused.reasons == ["grant-missing"])
        #expect(refused.fixes == ["Allow it: autofillctl grant allow org.example.Shop shop.example.com"])
    }

    @Test("The prompt goes when its request is cancelled, its connection is gone, or its program has ended")
    func takenAway() throws {
        final class Life { var hasEnded = false }
        let life = Life()
        let app = try app(.systemProgram) { () throws(PeerRefusal) in if life.hasEnded { throw .ended } }
        _ = try app.send("credential.get", ["service": Examples.shop], id: 7)
        #expect(daemon.questions.count == 1)
        let cancelled = try app.call("request.cancel", ["id": 7])
        #expect(cancelled.reasons == ["cancelled"])
        #expect(daemon.questions.isEmpty)

        _ = try app.send("credential.get", ["service": Examples.shop], id: 8)
        try app.disconnect()
        try daemon.settle()
        #expect(daemon.questions.isEmpty)

        let other = try self.app(.systemProgram) { () throws(PeerRefusal) in if life.hasEnded { throw .ended } }
        _ = try other.send("credential.get", ["service": Examples.shop], id: 9)
        try daemon.onEngine { $0.endPromptsOfEnded() }
        try daemon.settle()
        #expect(daemon.questions.count == 1)
        life.hasEnded = true
        try daemon.onEngine { $0.endPromptsOfEnded() }
        try daemon.settle()
        #expect(daemon.questions.isEmpty)
        #expect(try other.answers().map(\.reasons) == [["peer-ended"]])
    }

    @Test("A program that ended while the person was asked gets nothing, whatever the answer")
    func endedMeanwhile() throws {
        final class Life { var hasEnded = false }
        let life = Life()
        let app = try app(.systemProgram) { () throws(PeerRefusal) in if life.hasEnded { throw .ended } }
        _ = try app.send("credential.get", ["service": Examples.shop])
        life.hasEnded = true
        try daemon.answer(try #require(daemon.questions.first), .allow)
        #expect(try app.answers().map(\.reasons) == [["peer-ended"]])
    }

    @Test("Only so many questions wait, of which one shows; past that it says so")
    func queue() throws {
        for number in 0..<Limits.waitingPrompts {
            let app = try app(.process(path: "/home/user/app\(number)", inode: UInt64(100 + number)))
            #expect(try app.send("credential.get", ["service": Examples.shop]).isEmpty)
        }
        let late = try app()
        #expect(try late.call("credential.get", ["service": Examples.shop]).reasons == ["too-many-requests"])
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        #expect(
            try person.send("admin.grant.list", ["proof": ["prompt": true]]).isEmpty, "the person's own has its place")
        #expect(daemon.approvals.isEmpty)
        try daemon.answer(try #require(daemon.questions.first), .once)
        try daemon.answer(try #require(daemon.approvals.first), isApproved: true)
        #expect(try person.answers().map { $0.error == nil } == [true], "and comes before those that wait")
        var shown: [String] = []
        while let question = daemon.questions.first {
            #expect(daemon.questions.count == 1)
            shown.append(question.subject.executable)
            try daemon.answer(question, .once)
        }
        #expect(shown.count == Limits.waitingPrompts - 1 && Set(shown).count == shown.count)
    }

    @Test("One program has its share of the questions that wait, whatever apps it says it is")
    func share() throws {
        let evidence = PeerEvidence.process(path: "/home/user/greedy", inode: 77)
        for _ in 0..<Limits.waitingPromptsPerApp {
            let connection = daemon.connect(evidence)
            try connection.hello("org.autofilld.autofillctl")
            #expect(try connection.send("admin.grant.list", ["proof": ["prompt": true]]).isEmpty)
        }
        let connection = daemon.connect(evidence)
        try connection.hello("org.autofilld.autofillctl")
        #expect(try connection.call("admin.grant.list", ["proof": ["prompt": true]]).reasons == ["too-many-requests"])
        #expect(try app().send("credential.get", ["service": Examples.shop]).isEmpty, "others have theirs")
    }

    @Test("A no counts for the app, for what it asks besides and what waits already, and longer each time")
    func longerEachTime() throws {
        let app = try app()
        let mail: [String: Any] = ["type": "domain", "value": "a.members.example.com"]
        _ = try app.send("credential.get", ["service": Examples.shop], id: 1)
        _ = try app.send("credential.get", ["service": mail], id: 2)
        try daemon.answer(try #require(daemon.questions.first), .deny)
        #expect(daemon.questions.isEmpty)
        #expect(Set(try app.answers().flatMap(\.reasons)) == ["consent-denied"])
        var span = Limits.denialMilliseconds
        for _ in 0..<8 {
            #expect(try app.call("credential.get", ["service": mail]).retryAfter == span)
            daemon.clock.advance(milliseconds: Int64(span))
            _ = try app.send("credential.get", ["service": mail], id: 3)
            try daemon.answer(try #require(daemon.questions.first), .deny)
            span = min(2 * span, Limits.longestDenialMilliseconds)
            #expect(try app.answers().map(\.retryAfter) == [span])
        }
        #expect(span == Limits.longestDenialMilliseconds)
        daemon.clock.advance(milliseconds: 2 * Int64(span))
        _ = try app.send("credential.get", ["service": mail], id: 4)
        try daemon.answer(try #require(daemon.questions.first), .deny)
        #expect(try app.answers().map(\.retryAfter) == [Limits.denialMilliseconds], "long ago")
    }

    @Test("A request waits for the person no longer than hello says, and then the prompt goes")
    func longestWait() throws {
        let app = try app()
        _ = try app.send("credential.get", ["service": Examples.shop])
        daemon.clock.advance(milliseconds: Int64(Limits.promptMilliseconds))
        try daemon.settle()
        try daemon.settle()
        #expect(try app.answers().map(\.reasons) == [["consent-denied"]])
        #expect(daemon.questions.isEmpty)
    }

    @Test("The prompt names app, bundle ID, program, assurance and domain; the second question says for how long")
    func text() throws {
        let app = try app()
        _ = try app.send("credential.get", ["service": Examples.shop])
        let question = try #require(daemon.questions.first)
        let text = question.first.description
        for part in [
            "Example Shop wants", "shop.example.com", "App: org.example.Shop", "Program: /usr/bin/shop (process 4243)",
            "Identity: claimed.",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        #expect(question.first.kind == .confirm(yes: "Allow", no: "Do not allow"))
        #expect(question.afterYes?.description.contains("from now on") == true)
    }

    @Test("A program that chose its path to forge lines shows it escaped")
    func forgedPath() throws {
        let app = try app(.process(path: "/home/user/x\nIdentity: installed <b>", inode: 50))
        _ = try app.send("credential.get", ["service": Examples.shop])
        let text = try #require(daemon.questions.first?.first.description)
        #expect(text.contains(#"/home/user/x\u{a}Identity: installed \u{3c}b\u{3e}"#))
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("Identity:") }.count == 1)
    }

    @Test("An interpreter is remembered for this login; what cannot be known again is asked about each time")
    func memory() throws {
        let script = try app(.interpreter)
        _ = try script.send("credential.get", ["service": Examples.shop])
        let question = try #require(daemon.questions.first)
        #expect(question.afterYes?.description.contains("until you log out") == true)
        try daemon.answer(question, .allow)
        #expect(try script.answers().map { $0.text("password") } == ["s3cret"])
        #expect(try grants().map { $0["executable"] as? String } == ["login:boot/session"])
        var later = PeerEvidence.interpreter
        later.login = "boot/another"
        let nextLogin = try app(later)
        #expect(try nextLogin.send("credential.get", ["service": Examples.shop]).isEmpty)
        try nextLogin.disconnect()

        // A program of the user's whose content nobody could read.
        let passing = try app(.plainProcess)
        _ = try passing.send("credential.get", ["service": Examples.shop])
        let last = try #require(daemon.questions.last)
        #expect(last.afterYes == nil)
        try daemon.answer(last, .allow)
        #expect(try passing.answers().map { $0.text("password") } == ["s3cret"])
        #expect(try grants().count == 1)
    }

    @Test("A user's program that was changed is asked about again, root's that was upgraded is not")
    func changedPrograms() throws {
        let before = daemon.connect(.plainProcess, contentHash: "aa")
        try before.hello()
        _ = try before.send("credential.get", ["service": Examples.shop])
        try daemon.answer(try #require(daemon.questions.first), .allow)
        #expect(try grants().map { $0["executable"] as? String } == ["file:/home/user/app#aa"])
        let same = daemon.connect(.plainProcess, contentHash: "aa")
        try same.hello()
        #expect(try same.call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
        let changed = daemon.connect(.plainProcess, contentHash: "bb")
        try changed.hello()
        #expect(try changed.send("credential.get", ["service": Examples.shop]).isEmpty)
        try daemon.answer(try #require(daemon.questions.first), .deny)

        let root = try app()
        _ = try root.send("credential.get", ["service": Examples.shop])
        try daemon.answer(try #require(daemon.questions.first), .allow)
        let upgraded = try app(.systemProgram(inode: 77))
        #expect(try upgraded.call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
    }
}
