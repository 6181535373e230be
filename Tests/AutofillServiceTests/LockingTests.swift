// SPDX-License-Identifier: Apache-2.0
import AutofillService
import Credentials
import Foundation
import Settings
import Support
import Testing

@Suite("When the vault locks by itself")
struct LockingTests {
    private func broker(_ change: (inout DaemonSettings) -> Void = { _ in }) throws -> TestBroker {
        var settings = DaemonSettings()
        change(&settings)
        return try TestBroker(settings: settings)
    }

    private func vault(_ broker: TestBroker) throws -> String? {
        let connection = broker.connect()
        return try connection.hello().text("vault")
    }

    @Test("It locks with the session and before sleep, unless the settings say otherwise")
    func signals() throws {
        for signal in [SessionSignal.locked, .fallsAsleep] {
            let locking = try broker()
            locking.broker.follow(signal, keyFile: nil)
            #expect(try vault(locking) == "locked")
            let staying = try broker { ($0.lockOnSessionLock, $0.lockBeforeSleep) = (false, false) }
            staying.broker.follow(signal, keyFile: nil)
            #expect(try vault(staying) == "unlocked")
        }
    }

    @Test(
        "What a key file opened at the start it opens again when the session or the machine is back, and nothing sooner"
    )
    func again() throws {
        let key = try TestFiles.keyFile()
        let broker = try broker()
        broker.broker.follow(.locked, keyFile: key)
        broker.broker.follow(.wokeUp, keyFile: key)
        #expect(try vault(broker) == "locked")
        broker.broker.follow(.unlocked, keyFile: nil)
        #expect(try vault(broker) == "locked")
        broker.broker.follow(.unlocked, keyFile: key)
        #expect(try vault(broker) == "unlocked")
        broker.broker.follow(.fallsAsleep, keyFile: key)
        broker.broker.follow(.wokeUp, keyFile: key)
        #expect(try vault(broker) == "unlocked")
    }

    @Test("A session that was locked after the machine fell asleep keeps it locked when the machine wakes up")
    func sleepThenLock() throws {
        let key = try TestFiles.keyFile()
        let broker = try broker()
        broker.broker.follow(.fallsAsleep, keyFile: key)
        broker.broker.follow(.locked, keyFile: key)
        broker.broker.follow(.wokeUp, keyFile: key)
        #expect(try vault(broker) == "locked")
        broker.broker.follow(.unlocked, keyFile: key)
        #expect(try vault(broker) == "unlocked")
    }

    @Test("What the person locked stays locked")
    func onRequest() throws {
        let broker = try broker()
        let control = broker.connect()
        try control.hello("org.autofilld.autofillctl")
        try control.call("vault.lock")
        for signal in [SessionSignal.locked, .unlocked, .fallsAsleep, .wokeUp] {
            broker.broker.follow(signal, keyFile: try TestFiles.keyFile())
        }
        #expect(try vault(broker) == "locked")
    }

    @Test("While the vault is lent for work, sleep waits until the work has stopped and the keys are gone")
    func lent() throws {
        final class Flag { var isSet = false }
        let (broker, keysAreGone) = (try broker(), Flag())
        let control = broker.connect()
        try control.hello("org.autofilld.autofillctl")
        let shop = broker.connect()
        try shop.hello()
        try shop.call("event.subscribe")
        let key = TestFiles.key.base64EncodedString()
        let work = try #require(
            try broker.begin(
                #"{"jsonrpc":"2.0","id":7,"method":"vault.check","params":{"proof":{"key":{"base64":"\#(key)"}}}}"#,
                control))
        broker.broker.follow(.fallsAsleep, keyFile: nil) { keysAreGone.isSet = true }
        #expect(!keysAreGone.isSet)
        #expect(try TestAnswer(try #require(try broker.finish(work, control).first)).reasons == ["cancelled"])
        #expect(keysAreGone.isSet)
        #expect(try vault(broker) == "locked")
        #expect(shop.received().contains { $0.contains(#""cause":"sleep""#) })
    }

    @Test("It locks after the idle time; a look at the status is no use, what is answered from the vault is")
    func idle() throws {
        let broker = try broker { $0.lockWhenIdleMinutes = 2 }
        let shop = broker.connect()
        try shop.hello()
        try shop.call("event.subscribe")
        broker.clock.now = broker.clock.now.advanced(byMilliseconds: 119_000)
        try shop.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "secret"])
        broker.clock.now = broker.clock.now.advanced(byMilliseconds: 119_000)
        try shop.call("status")
        broker.broker.lockWhenIdle()
        #expect(try vault(broker) == "unlocked")
        broker.clock.now = broker.clock.now.advanced(byMilliseconds: 1000)
        broker.broker.lockWhenIdle()
        try broker.endTurn()
        #expect(try vault(broker) == "locked")
        #expect(shop.received().contains { $0.contains(#""cause":"idle""#) })
    }
}
