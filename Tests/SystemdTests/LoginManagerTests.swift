// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import Systemd
import TestGround
import Testing

/// On a real bus, with a login manager of the test's own.
@Suite(.blocking, .enabled(if: PrivateBus.isAvailable, "needs /usr/bin/dbus-daemon"))
final class LoginManagerTests {
    private let clock = ManualClock()
    private let loop: EventLoop
    private let bus: PrivateBus
    private var received: [String] = []

    init() throws {
        loop = try EventLoop(clocks: clock.clocks)
        bus = try PrivateBus()
    }

    private func manager() -> LoginManager {
        let manager = LoginManager(
            on: loop, address: .at(bus.address), onChange: { [unowned self] in received.append("\($0)") },
            receive: { [unowned self] in received.append("\($0)") })
        manager.start()
        return manager
    }

    private func until(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
        _ = try loop.run(until: { received.count >= expected.count })
        #expect(received == expected, sourceLocation: sourceLocation)
        received = []
    }

    private static let following = "following(holdsSleep: true)"

    @Test(
        "Orders to this user's sessions and the state of their screens are reported, those of other users and senders are not"
    )
    func signals() throws {
        let login = try FakeLoginManager(on: loop, at: bus.address)
        let stranger = try FakeLoginManager(on: loop, at: bus.address, name: nil)
        login.sessions = ["own": .init(), "other": .init(user: geteuid() + 1, isLocked: true)]
        let manager = manager()
        try until([Self.following])
        stranger.send("Lock", of: "own")
        stranger.prepareForSleep(true)
        for member in ["Lock", "Unlock"] {
            login.send(member, of: "other")
            login.send(member, of: "gone")
            login.send(member, of: "own")
        }
        try until(["locked", "unlocked"])
        login.setLocked("own", true)
        try until(["locked"])
        login.setLocked("own", true)
        login.setLocked("other", false)
        login.setLocked("own", false)
        try until(["unlocked"])
        withExtendedLifetime((manager, stranger)) {}
    }

    @Test("The end of the last session that was locked is reported, also where it ended while nobody could report it")
    func endsWhileLocked() throws {
        var login: FakeLoginManager? = try FakeLoginManager(on: loop, at: bus.address)
        login?.sessions = ["one": .init(isLocked: true), "two": .init(), "three": .init()]
        let manager = manager()
        try until([Self.following, "locked"])
        login?.send("Lock", of: "two")
        try until(["locked"])
        login?.remove("one")
        login?.remove("three")
        login?.setLocked("two", true)
        try until(["locked"])
        login?.remove("two")
        try until(["unlocked"])
        login?.sessions = ["four": .init(isLocked: true)]
        login?.setLocked("four", true)
        try until(["locked"])
        login = nil
        try until([#"absent("the login manager has ended")"#])
        login = try FakeLoginManager(on: loop, at: bus.address)
        try until([Self.following, "unlocked"])
        withExtendedLifetime((manager, login)) {}
    }

    @Test("A screen that is locked at the start is reported") func lockedAtStart() throws {
        let login = try FakeLoginManager(on: loop, at: bus.address)
        login.sessions = ["own": .init(isLocked: true)]
        let manager = manager()
        try until([Self.following, "locked"])
        withExtendedLifetime(manager) {}
    }

    @Test("Sleep waits for letSleep, for four seconds at most, and is held up again after waking") func sleep() throws {
        let login = try FakeLoginManager(on: loop, at: bus.address)
        let manager = manager()
        try until([Self.following])
        #expect(login.isSleepHeld)
        for (number, isLate) in [(1, false), (2, true)] {
            login.prepareForSleep(true)
            try until(["fallsAsleep(\(number))"])
            #expect(login.isSleepHeld)
            if isLate { clock.advance(by: .seconds(4)) } else { manager.letSleep(number) }
            #expect(try loop.run(until: { !login.isSleepHeld }))
            login.prepareForSleep(false)
            try until(["wokeUp"])
            #expect(try loop.run(until: { login.isSleepHeld }))
        }
    }

    @Test("A receiver that finishes after a sleep is over does not release the next one")
    func lateForSleep() throws {
        let login = try FakeLoginManager(on: loop, at: bus.address)
        let manager = manager()
        try until([Self.following])
        login.prepareForSleep(true)
        try until(["fallsAsleep(1)"])
        clock.advance(by: .seconds(4))
        try loop.runUntilIdle()
        login.prepareForSleep(false)
        try until(["wokeUp"])
        #expect(try loop.run(until: { login.isSleepHeld }))
        manager.letSleep(1)
        #expect(login.isSleepHeld)
        login.prepareForSleep(true)
        try until(["fallsAsleep(2)"])
        manager.letSleep(1)
        #expect(login.isSleepHeld)
        manager.letSleep(2)
        #expect(try loop.run(until: { !login.isSleepHeld }))
    }

    @Test("A sleep that is over before the receiver finishes leaves the next one inhibited")
    func shortSleep() throws {
        let login = try FakeLoginManager(on: loop, at: bus.address)
        let manager = manager()
        try until([Self.following])
        login.prepareForSleep(true)
        try until(["fallsAsleep(1)"])
        login.prepareForSleep(false)
        try until(["wokeUp"])
        clock.advance(by: .seconds(4))
        try loop.runUntilIdle()
        #expect(login.isSleepHeld)
        withExtendedLifetime(manager) {}
    }

    @Test("A login manager that does not wait is followed all the same") func refused() throws {
        let login = try FakeLoginManager(on: loop, at: bus.address)
        login.refusesToWait = true
        let manager = manager()
        try until(["following(holdsSleep: false)"])
        login.prepareForSleep(true)
        try until(["fallsAsleep(1)"])
        withExtendedLifetime(manager) {}
    }

    @Test("A bus that ends is reported once, retried with longer pauses, and locks in between are detected")
    func reconnects() throws {
        var login: FakeLoginManager? = try FakeLoginManager(on: loop, at: bus.address)
        login?.sessions = ["own": .init()]
        let manager = manager()
        try until([Self.following])
        bus.end()
        try until([#"absent("the system bus has ended")"#])
        login = nil
        for pause in [1, 2, 4, 8] {
            clock.advance(by: .seconds(pause))
            try loop.runUntilIdle()
        }
        #expect(received == [])
        try bus.begin()
        login = try FakeLoginManager(on: loop, at: bus.address)
        login?.sessions = ["own": .init(isLocked: true)]
        clock.advance(by: .seconds(15))
        try loop.runUntilIdle()
        #expect(received == [], "the pause is 16 seconds")
        clock.advance(by: .seconds(1))
        try until([Self.following, "locked"])
        withExtendedLifetime(manager) {}
    }

    @Test("A restarted login manager is followed at once, and inhibited; a missing one is reported once")
    func restarted() throws {
        let manager = manager()
        _ = try loop.run(until: { !received.isEmpty })
        #expect(received.count == 1 && received[0].hasPrefix(#"absent("no login manager"#))
        received = []
        var login: FakeLoginManager? = try FakeLoginManager(on: loop, at: bus.address)
        login?.sessions = ["own": .init(isLocked: true)]
        try until([Self.following, "locked"])
        login = nil
        try until([#"absent("the login manager has ended")"#])
        login = try FakeLoginManager(on: loop, at: bus.address)
        login?.sessions = ["own": .init(isLocked: true)]
        try until([Self.following])
        #expect(login?.isSleepHeld == true)
        // The screen that was locked all the time is not reported again.
        login?.setLocked("own", false)
        try until(["unlocked"])
        withExtendedLifetime(manager) {}
    }

    @Test("A missing bus is reported once, and retried") func noBus() throws {
        bus.end()
        let manager = manager()
        #expect(received.count == 1 && received[0].hasPrefix(#"absent("no system bus"#))
        clock.advance(by: .seconds(1))
        try loop.runUntilIdle()
        #expect(received.count == 1)
        received = []
        try bus.begin()
        let login = try FakeLoginManager(on: loop, at: bus.address)
        clock.advance(by: .seconds(2))
        try until([Self.following])
        withExtendedLifetime((manager, login)) {}
    }
}
