// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import EventLoop
import PeerIdentity
import Prompting
import Testing

@testable import Support

@Suite("What waits for others")
struct LateInspectionTests {
    @Test("Programs that could not be inspected in time are not reported as missing: the fix is another one")
    func lateInspection() throws {
        let slow = """
            {"bundleID": "org.example.Slow", "name": "Slow", "executables": ["/usr/bin/slow"],
             "entitlements": {"com.apple.developer.associated-domains": ["webcredentials:shop.example.com"],
             "com.apple.developer.authentication-services.autofill-credential-provider": true}}
            """
        let registrations = try TestRegistrations(["org.example.Slow": slow])
        let daemon = try TestService(registrations: registrations.path)
        let user = try daemon.user()
        let call = GrantAllow(bundleID: "org.example.Slow", service: .shop, proof: .test)
        let missing = try #require(try user.refusal(of: call)?.reasons.first)
        #expect(missing.reason == "app-not-installed" && missing.fix.hasPrefix("Install org.example.Slow"))
        daemon.parts.work.holdsInspections = true
        let sent = try user.send(call)
        daemon.clock.advance(milliseconds: Int64(Limits.fileLookMilliseconds))
        try daemon.settle()
        let late = try #require(try sent.refusal()?.reasons.first)
        #expect(late.reason == "app-not-installed" && late.retry == "afterDelay" && missing.retry == "afterChange")
        #expect(late.fix.hasPrefix("Try again: What its registration names could not be inspected in time"))
        #expect(late.fix.contains("/org.example.Slow.json names respond within 2 seconds"))
        daemon.parts.work.releaseAll()
        try daemon.settle()
    }

    @Test("The words of forms are built once the client is answered that was there first, and not before")
    func words() throws {
        let daemon = try TestService()
        nonisolated(unsafe) let work = daemon.parts.work
        let shop = daemon.connect()
        try daemon.onEngine { $0.prepareForms(isAwaited: true) }
        #expect(!work.lanes.contains(.rules))
        // Its answer is written, and has not left.
        daemon.leave {}
        _ = try shop.send("hello", ["bundleID": "org.example.Shop", "protocol": 1])
        try daemon.onEngine { engine in
            #expect(engine.outgoingBytes > 0)
            engine.endTurn { outbox in #expect(outbox.count > 0 && !work.lanes.contains(.rules)) }
        }
        #expect(work.lanes.count { $0 == .rules } == 1)
        _ = try shop.send("status")
        try daemon.onEngine { engine in engine.endTurn { outbox in #expect(outbox.count > 0) } }
        #expect(work.lanes.count { $0 == .rules } == 1)
    }

    @Test("Where nobody has come, or somebody was answered already, they are built at once")
    func atOnce() throws {
        for hasClient in [false, true] {
            let daemon = try TestService()
            if hasClient { try daemon.connect().greet() }
            try daemon.onEngine { $0.prepareForms(isAwaited: hasClient) }
            #expect(daemon.parts.work.lanes.contains(.rules))
        }
    }
}
