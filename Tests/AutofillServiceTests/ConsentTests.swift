// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Credentials
import PeerIdentity
import Prompting
import SecretMemory
import Support
import Testing

@Suite("Asking the user about an app")
struct ConsentTests {
    private let daemon: TestService

    /// A vault in which the user has saved something for the shop.
    init() throws {
        daemon = try TestService(consent: .user)
        let administrator = daemon.connect()
        try administrator.greet(as: "org.autofilld.autofillctl")
        try administrator.answer(
            to: CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "s3cret"), proof: .test))
    }

    private func app(
        _ evidence: PeerEvidence = .systemProgram, confirm: @escaping () throws(PeerRefusal) -> Void = {}
    ) throws -> ServiceConnection {
        let app = daemon.connect(evidence, confirm: confirm)
        try app.greet()
        return app
    }

    private static let get = CredentialGet(service: .shop)

    private func grants() throws -> [GrantReport] {
        let administrator = daemon.connect()
        try administrator.greet(as: "org.autofilld.autofillctl")
        return try administrator.answer(to: GrantList(proof: .test)).grants
    }

    @Test("Requests that ask the same share one prompt; a remembered yes answers all, and those to come")
    func shared() throws {
        let first = try app()
        let second = try app()
        let got = try first.send(Self.get)
        let listed = try first.send(CredentialList(service: .shop))
        let others = try second.send(Self.get)
        #expect(got.waits && listed.waits && others.waits)
        let question = try #require(daemon.questions.first)
        #expect(daemon.questions.count == 1)
        try daemon.answer(question, .allow)
        #expect(daemon.questions.isEmpty)
        #expect(try got.answer().password.text == "s3cret")
        #expect(try listed.answer().credentials.map(\.user) == ["ann"])
        #expect(try others.answer().password.text == "s3cret")
        #expect(try app().answer(to: Self.get).password.text == "s3cret")
        let kept = try grants()
        #expect(kept.map(\.executable) == ["path:/usr/bin/shop"])
        #expect(kept.map(\.decision) == ["allow"])
    }

    @Test("A yes for once answers those who waited, and nobody else")
    func once() throws {
        let app = try app()
        let sent = try app.send(Self.get)
        try daemon.answer(try #require(daemon.questions.first), .once)
        #expect(try sent.answer().password.text == "s3cret")
        #expect(try grants().isEmpty)
        #expect(try app.send(Self.get).waits)
        #expect(daemon.questions.count == 1)
    }

    @Test("A no holds for a while, for this app, program and service, and then the user is asked again")
    func denied() throws {
        let app = try app()
        let sent = try app.send(Self.get)
        try daemon.answer(try #require(daemon.questions.first), .deny)
        #expect(try sent.reasons() == ["consent-denied"])
        let again = try #require(try app.refusal(of: Self.get)).reasons
        #expect(again.map(\.reason) == ["consent-denied"])
        #expect(again.first?.retryAfterMilliseconds == Limits.denialMilliseconds)
        #expect(daemon.questions.isEmpty)
        let other = try self.app(.plainProcess)
        #expect(try other.send(Self.get).waits)
        try daemon.answer(try #require(daemon.questions.first), .once)
        daemon.clock.advance(milliseconds: Int64(Limits.denialMilliseconds))
        #expect(try app.send(Self.get).waits)
        #expect(daemon.questions.count == 1)
    }

    @Test("A grant by command cancels the user's recent no")
    func changedMind() throws {
        let app = try app()
        _ = try app.send(Self.get)
        try daemon.answer(try #require(daemon.questions.first), .deny)
        let administrator = daemon.connect()
        try administrator.greet(as: "org.autofilld.autofillctl")
        try administrator.answer(to: GrantAllow(bundleID: "org.example.Shop", service: .shop, proof: .test))
        #expect(try app.answer(to: Self.get).password.text == "s3cret")
    }

    @Test("Forbidden to ask, it answers at once; where nobody can be asked, with the command that does the same")
    func notAsked() throws {
        let app = try app()
        let forbidden = try app.reasons(for: CredentialGet(service: .shop, interaction: .forbid))
        #expect(forbidden == ["interaction-required"])
        #expect(daemon.questions.isEmpty)
        let sent = try app.send(Self.get)
        try daemon.answer(try #require(daemon.questions.first), nil)
        let refused = try #require(try sent.refusal())
        #expect(refused.reasons.map(\.reason) == ["grant-missing"])
        #expect(
            refused.reasons.map(\.fix) == ["Allow it: autofillctl grant allow org.example.Shop shop.example.com"])
    }

    @Test("The prompt is removed when its request is cancelled, its connection is closed, or its program has ended")
    func takenAway() throws {
        final class ProgramState { var hasEnded = false }
        let state = ProgramState()
        let app = try app(.systemProgram) { () throws(PeerRefusal) in if state.hasEnded { throw .ended } }
        let cancelled = try app.send(Self.get)
        #expect(daemon.questions.count == 1)
        try app.cancel(cancelled)
        #expect(try cancelled.reasons() == ["cancelled"])
        #expect(daemon.questions.isEmpty)

        _ = try app.send(Self.get)
        try app.disconnect()
        try daemon.settle()
        #expect(daemon.questions.isEmpty)

        let other = try self.app(.systemProgram) { () throws(PeerRefusal) in if state.hasEnded { throw .ended } }
        let sent = try other.send(Self.get)
        try daemon.onEngine { $0.endPromptsOfEnded() }
        try daemon.settle()
        #expect(daemon.questions.count == 1)
        state.hasEnded = true
        try daemon.onEngine { $0.endPromptsOfEnded() }
        try daemon.settle()
        #expect(daemon.questions.isEmpty)
        #expect(try sent.reasons() == ["peer-ended"])
    }

    @Test("A program that ended while the user was asked gets nothing, whatever the answer")
    func endedMeanwhile() throws {
        final class ProgramState { var hasEnded = false }
        let state = ProgramState()
        let app = try app(.systemProgram) { () throws(PeerRefusal) in if state.hasEnded { throw .ended } }
        let sent = try app.send(Self.get)
        state.hasEnded = true
        try daemon.answer(try #require(daemon.questions.first), .allow)
        #expect(try sent.reasons() == ["peer-ended"])
    }

    @Test("A no for good that is given while the vault is locked is a no, though nothing can be remembered")
    func deniedWhileLocked() throws {
        let user = try daemon.user()
        let app = try app()
        let sent = try app.send(Self.get)
        let question = try #require(daemon.questions.first)
        try user.answer(to: VaultLock())
        try daemon.answer(question, .never)
        #expect(try sent.reasons() == ["consent-denied"])
        try user.answer(to: VaultUnlock(proof: .test))
        #expect(try grants().isEmpty)
        #expect(try app.reasons(for: Self.get) == ["consent-denied"])
    }

    @Test("Only so many questions wait, of which one shows; past that the refusal states so")
    func queue() throws {
        for number in 0..<Limits.waitingPrompts {
            let app = try app(.process(path: "/home/user/app\(number)", inode: UInt64(100 + number)))
            #expect(try app.send(Self.get).waits)
        }
        let late = try app()
        #expect(try late.reasons(for: Self.get) == ["too-many-requests"])
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        let listed = try user.send(GrantList(proof: .prompt))
        #expect(listed.waits, "the user's own has its own record")
        #expect(daemon.approvals.isEmpty)
        try daemon.answer(try #require(daemon.questions.first), .once)
        try daemon.answer(try #require(daemon.approvals.first), isApproved: true)
        #expect(try listed.reasons() == [], "and comes before those that wait")
        var shown: [String] = []
        while let question = daemon.questions.first {
            #expect(daemon.questions.count == 1)
            shown.append(question.subject.executable)
            try daemon.answer(question, .once)
        }
        #expect(shown.count == Limits.waitingPrompts - 1 && Set(shown).count == shown.count)
    }

    @Test("One program has its quota of the questions that wait, whatever apps it claims to be")
    func share() throws {
        let evidence = PeerEvidence.process(path: "/home/user/greedy", inode: 77)
        for _ in 0..<Limits.waitingPromptsPerApp {
            let connection = daemon.connect(evidence)
            try connection.greet(as: "org.autofilld.autofillctl")
            #expect(try connection.send(GrantList(proof: .prompt)).waits)
        }
        let connection = daemon.connect(evidence)
        try connection.greet(as: "org.autofilld.autofillctl")
        #expect(try connection.reasons(for: GrantList(proof: .prompt)) == ["too-many-requests"])
        #expect(try app().send(Self.get).waits, "others have theirs")
    }

    @Test("A no counts for the app, for what it asks besides and what waits already, and longer each time")
    func longerEachTime() throws {
        let app = try app()
        let mail = CredentialGet(service: ServiceIdentifier(domain: "a.members.example.com"))
        let (first, second) = (try app.send(Self.get), try app.send(mail))
        try daemon.answer(try #require(daemon.questions.first), .deny)
        #expect(daemon.questions.isEmpty)
        #expect(try first.reasons() == ["consent-denied"] && second.reasons() == ["consent-denied"])
        /// The user says no once more; how long that holds.
        func denial() throws -> Int? {
            let sent = try app.send(mail)
            try daemon.answer(try #require(daemon.questions.first), .deny)
            return try sent.refusal()?.reasons.first?.retryAfterMilliseconds
        }
        var span = Limits.denialMilliseconds
        for _ in 0..<8 {
            #expect(try app.refusal(of: mail)?.reasons.first?.retryAfterMilliseconds == span)
            daemon.clock.advance(milliseconds: Int64(span))
            span = min(2 * span, Limits.longestDenialMilliseconds)
            #expect(try denial() == span)
        }
        #expect(span == Limits.longestDenialMilliseconds)
        daemon.clock.advance(milliseconds: 2 * Int64(span))
        #expect(try denial() == Limits.denialMilliseconds, "long ago")
    }

    @Test("A request waits for the user no longer than hello states, and then the prompt is removed")
    func longestWait() throws {
        let app = try app()
        let sent = try app.send(Self.get)
        daemon.clock.advance(milliseconds: Int64(Limits.promptMilliseconds))
        try daemon.settle()
        try daemon.settle()
        #expect(try sent.reasons() == ["consent-denied"])
        #expect(daemon.questions.isEmpty)
    }

    @Test("A question that shows until its request has waited long enough is a no, and so is the third withdrawal")
    func unanswered() throws {
        let app = try app()
        func withdraw() throws {
            let sent = try app.send(Self.get)
            try app.cancel(sent)
            #expect(try sent.reasons() == ["cancelled"])
        }
        for _ in 0..<3 {
            #expect(daemon.questions.isEmpty)
            try withdraw()
        }
        #expect(try app.reasons(for: Self.get) == ["consent-denied"])
        daemon.clock.advance(milliseconds: Int64(Limits.denialMilliseconds))
        let sent = try app.send(Self.get)
        #expect(daemon.questions.count == 1)
        daemon.clock.advance(milliseconds: Int64(Limits.promptMilliseconds))
        for _ in 0..<2 { try daemon.settle() }
        let refused = try #require(try sent.refusal()).reasons
        #expect(refused.map(\.reason) == ["consent-denied"])
        #expect(refused.first?.retryAfterMilliseconds == Limits.denialMilliseconds)
        #expect(try app.reasons(for: Self.get) == ["consent-denied"])
        // What was not shown yet is no answer, however often it is withdrawn.
        daemon.clock.advance(milliseconds: 2 * Int64(Limits.denialMilliseconds))
        let other = try self.app(.process(path: "/home/user/other", inode: 8))
        #expect(try other.send(Self.get).waits)
        for _ in 0..<3 { try withdraw() }
        #expect(try app.send(Self.get).waits && daemon.questions.count == 1)
    }

    @Test("A question that is withdrawn before it shows is no withdrawal, also while the same one leaves the screen")
    func withdrawnUnshown() throws {
        let app = try app()
        daemon.keepsWithdrawnPrompts = true
        for _ in 0..<3 {
            let sent = try app.send(Self.get)
            try app.cancel(sent)
            #expect(try sent.reasons() == ["cancelled"] && daemon.questions.count == 1)
        }
        daemon.keepsWithdrawnPrompts = false
        let sent = try app.send(Self.get)
        #expect(sent.waits)
        try daemon.answer(try #require(daemon.questions.first), .deny)
        #expect(sent.waits && daemon.questions.count == 1, "the answer came too late, and it is asked again")
        try daemon.answer(try #require(daemon.questions.first), .once)
        #expect(try sent.answer().password.text == "s3cret")
    }

    @Test("The prompt names app, bundle ID, program, assurance and domain; the second question states for how long")
    func text() throws {
        let app = try app()
        _ = try app.send(Self.get)
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
        _ = try app.send(Self.get)
        let text = try #require(daemon.questions.first?.first.description)
        #expect(text.contains(#"/home/user/x\u{a}Identity: installed \u{3c}b\u{3e}"#))
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("Identity:") }.count == 1)
    }

    @Test("An interpreter is remembered for this login; what cannot be known again is asked about each time")
    func memory() throws {
        let script = try app(.interpreter)
        let sent1 = try script.send(Self.get)
        let question = try #require(daemon.questions.first)
        #expect(question.afterYes?.description.contains("until you log out") == true)
        try daemon.answer(question, .allow)
        #expect(try sent1.answer().password.text == "s3cret")
        #expect(try grants().map(\.executable) == ["login:boot/session"])
        var later = PeerEvidence.interpreter
        later.login = "boot/another"
        let nextLogin = try app(later)
        #expect(try nextLogin.send(Self.get).waits)
        try nextLogin.disconnect()

        // A program of the user's whose content nobody could read.
        let passing = try app(.plainProcess)
        let sent2 = try passing.send(Self.get)
        let last = try #require(daemon.questions.last)
        #expect(last.afterYes == nil)
        try daemon.answer(last, .allow)
        #expect(try sent2.answer().password.text == "s3cret")
        #expect(try grants().count == 1)
    }

    @Test("A user's program that was changed is asked about again, root's that was upgraded is not")
    func changedPrograms() throws {
        let before = daemon.connect(.plainProcess, contentHash: "aa")
        try before.greet()
        _ = try before.send(Self.get)
        try daemon.answer(try #require(daemon.questions.first), .allow)
        #expect(try grants().map(\.executable) == ["file:/home/user/app#aa"])
        let same = daemon.connect(.plainProcess, contentHash: "aa")
        try same.greet()
        #expect(try same.answer(to: Self.get).password.text == "s3cret")
        let changed = daemon.connect(.plainProcess, contentHash: "bb")
        try changed.greet()
        #expect(try changed.send(Self.get).waits)
        try daemon.answer(try #require(daemon.questions.first), .deny)

        let root = try app()
        _ = try root.send(Self.get)
        try daemon.answer(try #require(daemon.questions.first), .allow)
        let upgraded = try app(.systemProgram(inode: 77))
        #expect(try upgraded.answer(to: Self.get).password.text == "s3cret")
    }
}
