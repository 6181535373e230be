// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@Suite("Threads", .serialized, .blocking)
struct IdleThreadsTests {
    /// How many threads the process has: the entries of `/proc/PID/task`.
    private func threads(of daemon: DaemonProcess) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.process.processIdentifier)/task").count
    }

    /// Waits until it has one thread: the pool's threads end after a while without work.
    ///
    /// - Returns: how many it has at the end.
    private func settled(_ daemon: DaemonProcess) throws -> Int {
        let deadline = Date(timeIntervalSinceNow: 60)
        while true {
            let count = try threads(of: daemon)
            if count == 1 || Date() > deadline { return count }
            usleep(20_000)
        }
    }

    @Test(
        "A daemon that waits for its clients has one thread, before and after it served them")
    func one() throws {
        let daemon = try DaemonProcess(isEphemeral: false)
        #expect(try settled(daemon) == 1)
        let app = try SocketConnection(to: daemon.socket)
        try app.hello()
        // Derives a key, inspects the peer's files, writes the vault: work of the pool.
        try app.call("admin.vault.create", Examples.newSecret)
        try app.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "word"])
        #expect(try app.call("credential.get", ["service": Examples.shop, "user": "ann"]).text("password") == "word")
        #expect(try settled(daemon) == 1)
        // A hundred clients at once need no second thread, once they are accepted and inspected.
        let clients = try (0..<100).map { _ in try SocketConnection(to: daemon.socket) }
        for client in clients { try client.hello() }
        #expect(try settled(daemon) == 1)
        for client in clients { #expect(try client.call("status").result != nil) }
        #expect(try settled(daemon) == 1)
    }
}
