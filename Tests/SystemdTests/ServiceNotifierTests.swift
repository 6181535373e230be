// SPDX-License-Identifier: Apache-2.0
import Systemd
import Testing

@Suite struct ServiceNotifierTests {
    @Test("Each state is one datagram of sd_notify's protocol")
    func messages() throws {
        let manager = try DatagramListener()
        let notifier = ServiceEnvironment(variables: ["NOTIFY_SOCKET": manager.path], processID: 1).notifier
        #expect(notifier.ready(status: "Locked."))
        #expect(try manager.next() == "READY=1\nSTATUS=Locked.")
        #expect(notifier.status("Unlocked, 2 clients."))
        #expect(try manager.next() == "STATUS=Unlocked, 2 clients.")
        #expect(notifier.reloading(at: 12345))
        #expect(try manager.next() == "RELOADING=1\nMONOTONIC_USEC=12345")
        #expect(notifier.feedWatchdog())
        #expect(try manager.next() == "WATCHDOG=1")
        #expect(notifier.stopping(status: "Bye."))
        #expect(try manager.next() == "STOPPING=1\nSTATUS=Bye.")
    }

    @Test("A status cannot smuggle in another state")
    func forgedStatus() throws {
        let manager = try DatagramListener()
        ServiceNotifier(address: manager.path).status("a\nMAINPID=1")
        #expect(try manager.next() == #"STATUS=a\u{A}MAINPID=1"#)
    }

    @Test(
        "Without a manager, or with one that does not listen, nothing is sent and nothing fails",
        arguments: [nil, "", "/nonexistent/d", "vsock:2:1"])
    func noManager(address: String?) {
        #expect(!ServiceNotifier(address: address).ready(status: ""))
    }

    @Test("The watchdog's interval is read, and is another process's when it says so")
    func watchdog() {
        func interval(_ variables: [String: String]) -> Duration? {
            ServiceEnvironment(variables: variables, processID: 7).watchdogInterval
        }
        #expect(interval(["WATCHDOG_USEC": "30000000"]) == .seconds(30))
        #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"]) == .seconds(30))
        #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"]) == nil)
        #expect(interval(["WATCHDOG_USEC": "0"]) == nil)
        #expect(interval(["WATCHDOG_USEC": "soon"]) == nil)
        #expect(interval([:]) == nil)
    }
}
