// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import EventLoop
import PeerIdentity
import Prompting
import SecretMemory
import Settings
import Support
import Testing

@Suite("What is done beside requests")
struct UpkeepTests {
    private static let hour = Duration.seconds(3600)

    /// In how long there is something to do, once what is due is done.
    private func next(_ daemon: TestService) throws -> Duration? {
        try daemon.begin { await $0.keepUp() }
        try daemon.settle()
        return try daemon.onEngine { $0.nextUpkeep }
    }

    @Test("Without a vault nothing is ever due; with one the hourly care is, to the second")
    func hourly() throws {
        #expect(try next(TestService(isCreated: false)) == nil)
        let daemon = try TestService()
        #expect(try next(daemon) == Self.hour)
        daemon.clock.advance(by: .seconds(1000))
        #expect(try next(daemon) == Self.hour - .seconds(1000))
        daemon.clock.advance(by: .seconds(2600))
        #expect(try next(daemon) == Self.hour)
    }

    @Test("A vault that locks when it is idle is due when its time is over, and never once it is locked")
    func idle() throws {
        var settings = DaemonSettings()
        settings.lockWhenIdleMinutes = 2
        let daemon = try TestService(settings: settings)
        daemon.clock.advance(by: .seconds(50))
        #expect(try next(daemon) == .seconds(70))
        daemon.clock.advance(by: .seconds(70))
        #expect(try next(daemon) == nil)
        let app = daemon.connect()
        try app.hello()
        #expect(try app.call("status").text("vault") == "locked")
    }

    @Test("A code that came in is deleted when the vault is locked, and once its time has passed")
    func incomingCodes() throws {
        let daemon = try TestService()
        let (mail, user) = (try daemon.connect(as: "org.example.Mail"), daemon.connect())
        try user.greet(as: "org.autofilld.autofillctl")
        let offer = CodeOffer(service: .shop, code: SecretBytes(utf8: "111111"))
        let first = try mail.answer(to: offer).code
        try user.answer(to: VaultLock())
        #expect(try next(daemon) == nil)
        // One that comes in while it is locked waits.
        try mail.answer(to: offer)
        #expect(try next(daemon) == .milliseconds(Limits.offeredCodeMilliseconds))
        daemon.clock.advance(milliseconds: Int64(Limits.offeredCodeMilliseconds))
        #expect(try next(daemon) == nil)
        try user.answer(to: VaultUnlock(proof: .test))
        let form = FormDescription([FieldDescription(id: "otp", contentType: "oneTimeCode")])
        #expect(try user.reasons(for: AutofillFill(code: first, form: form, proof: .test)) == ["code-not-found"])
    }

    @Test("What was read of the vault is let go once, five seconds after it was last used")
    func resting() throws {
        let daemon = try TestService()
        #expect(try next(daemon) == Self.hour)
        let app = daemon.connect()
        try app.greet()
        try app.answer(to: CredentialSave("ann", "Alpha-1"))
        let left = try #require(try next(daemon))
        #expect(left <= .milliseconds(Limits.upkeepMilliseconds))
        daemon.clock.advance(by: left)
        let later = try #require(try next(daemon))
        #expect(later > .milliseconds(Limits.upkeepMilliseconds))
        #expect(try app.answer(to: CredentialGet(service: .shop, user: "ann")).summary.user == "ann")
    }

    @Test("A site is due when its word ends or it is asked again, whichever is first")
    func sites() throws {
        let daemon = try TestService(siteAssociation: .required)
        daemon.sites = { .listing(["linux.org.example.Shop"], to: $0, validSeconds: 3600) }
        let app = daemon.connect()
        try app.hello()
        try daemon.settle()
        // It is asked again after half of its word's time, or up to three quarters.
        let pause = try #require(try next(daemon))
        #expect((.seconds(1800) ... .seconds(2700)).contains(pause))
        var asked = 0
        daemon.sites = {
            asked += 1
            return .listing(["linux.org.example.Shop"], to: $0, validSeconds: 7200)
        }
        daemon.clock.advance(by: pause - .milliseconds(1))
        #expect(try next(daemon) == .milliseconds(1) && asked == 0)
        daemon.clock.advance(by: .milliseconds(1))
        // The app's other site is due next, or this one once more.
        let later = try #require(try next(daemon))
        #expect(asked > 0 && later > .zero)
    }

    @Test(
        "A prompt is removed within about a second once its program has ended; while nobody is asked nobody is inspected"
    )
    func prompts() throws {
        final class PeerState {
            var hasEnded = false
            var inspections = 0
        }
        let peer = PeerState()
        let daemon = try TestService(consent: .user)
        let confirm = { () throws(PeerRefusal) in
            peer.inspections += 1
            if peer.hasEnded { throw .ended }
        }
        let app = daemon.connect(.systemProgram, confirm: confirm)
        try app.hello()
        let before = peer.inspections
        for _ in 0..<10 { try pass(daemon) }
        #expect(peer.inspections == before)
        _ = try app.send("credential.get", ["service": Examples.shop], id: 9)
        for _ in 0..<3 { try pass(daemon) }
        #expect(daemon.questions.count == 1 && peer.inspections >= before + 3)
        peer.hasEnded = true
        try pass(daemon)
        #expect(daemon.questions.isEmpty)
        #expect(try app.answers().map(\.reasons) == [["peer-ended"]])
        let after = peer.inspections
        for _ in 0..<10 { try pass(daemon) }
        #expect(peer.inspections == after)
    }

    private func pass(_ daemon: TestService) throws {
        daemon.clock.advance(by: .milliseconds(Limits.promptPeerMilliseconds + 1))
        try daemon.settle()
    }
}
