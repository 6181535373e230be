// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import Systemd
import TestGround
import Testing

@Suite(.blocking) struct ServiceNotifierTests {
    private let clock = ManualClock()
    private let loop: EventLoop
    init() throws { loop = try EventLoop(clocks: clock.clocks) }

    @Test("Each state is one datagram of sd_notify's protocol")
    func messages() throws {
        let manager = try DatagramListener()
        let notifier = ServiceEnvironment(variables: ["NOTIFY_SOCKET": manager.path]).notifier(on: loop)
        notifier.ready(status: "Locked.")
        #expect(try manager.next() == "READY=1\nSTATUS=Locked.")
        notifier.status("Unlocked, 2 clients.")
        #expect(try manager.next() == "STATUS=Unlocked, 2 clients.")
        notifier.reloading()
        #expect(
            try manager.next() == "RELOADING=1\nMONOTONIC_USEC=\(clock.clocks.monotonic().nanoseconds / 1000)")
        notifier.feedWatchdog()
        #expect(try manager.next() == "WATCHDOG=1")
        notifier.stopping(status: "Bye.")
        #expect(try manager.next() == "STOPPING=1\nSTATUS=Bye.")
    }

    @Test("A status cannot smuggle in another state")
    func forgedStatus() throws {
        let manager = try DatagramListener()
        ServiceNotifier(on: loop, address: manager.path).status("a\nMAINPID=1")
        #expect(try manager.next() == #"STATUS=a\u{A}MAINPID=1"#)
    }

    @Test(
        "Without a manager, or with one that does not listen, nothing is sent, nothing fails, and nothing is tried again",
        arguments: [nil, "", "/nonexistent/d", "vsock:2:1"])
    func noManager(address: String?) throws {
        let notifier = ServiceNotifier(on: loop, address: address)
        notifier.ready(status: "")
        notifier.feedWatchdog()
        clock.advance(by: .seconds(60))
        #expect(try !loop.turn(timeout: .zero))
    }

    @Test("A manager that does not read blocks nothing, and gets all states in order when it reads again")
    func fullSocket() throws {
        let manager = try DatagramListener()
        let notifier = ServiceNotifier(on: loop, address: manager.path)
        let filler = ServiceNotifier(on: loop, address: manager.path)
        // Far more than net.unix.max_dgram_qlen anywhere admits would wait for ever in sd_notify(3).
        for _ in 0..<10_000 { filler.feedWatchdog() }
        notifier.ready(status: "A")
        for number in 0..<100 { notifier.status("\(number)") }
        notifier.feedWatchdog()
        notifier.stopping(status: "B")
        clock.advance(by: .seconds(1))
        try loop.runUntilIdle()
        while let message = manager.arrived() { #expect(message == "WATCHDOG=1") }
        var messages: [String] = []
        for _ in 0..<10 {
            clock.advance(by: .milliseconds(100))
            try loop.runUntilIdle()
            while let message = manager.arrived() { messages.append(message) }
        }
        #expect(messages.first == "READY=1\nSTATUS=A" && messages.last == "STOPPING=1\nSTATUS=B")
        #expect(messages.dropLast().last == "STATUS=99" && messages.count <= 16)
    }

    @Test("The watchdog is fed from the loop at half of its interval, beginning at once") func watchdog() throws {
        let manager = try DatagramListener()
        let watchdog = Watchdog(
            on: loop, feeding: ServiceNotifier(on: loop, address: manager.path), interval: .seconds(30))
        #expect(try manager.next() == "WATCHDOG=1")
        clock.advance(by: .seconds(14))
        try loop.runUntilIdle()
        #expect(manager.arrived() == nil)
        for _ in 0..<3 {
            clock.advance(by: .seconds(15))
            #expect(manager.arrived() == nil, "nothing is sent but by the loop")
            try loop.runUntilIdle()
            #expect(try manager.next() == "WATCHDOG=1")
        }
        withExtendedLifetime(watchdog) {}
    }
}
