// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// When a process next wakes by itself: the time until each of its timers, from the kernel (proc(5), fdinfo of a
/// timerfd).
@Suite(
    "Sleep", .serialized, .blocking,
    .enabled(if: geteuid() == 0, "the daemon keeps others from reading its /proc files"))
struct WakeUpTests {
    /// The kernel's information about its descriptors.
    private func descriptors(_ daemon: DaemonProcess) throws -> [String] {
        let folder = "/proc/\(daemon.process.processIdentifier)/fdinfo"
        return try FileManager.default.contentsOfDirectory(atPath: folder)
            .compactMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
    }

    /// In how many seconds the daemon wakes by itself; nil: never.
    private func next(_ daemon: DaemonProcess) throws -> Int? {
        try descriptors(daemon).compactMap { text -> Int? in
            guard let left = text.firstMatch(of: #/it_value: \((\d+), (\d+)\)/#) else { return nil }
            return left.1 == "0" && left.2 == "0" ? nil : Int(left.1)
        }.min()
    }

    /// Whether it watches a directory by inotify(7).
    private func watches(_ daemon: DaemonProcess, _ path: String) throws -> Bool {
        let number = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
        let inode = "ino:" + String(try #require(number), radix: 16) + " "
        return try descriptors(daemon).contains { $0.contains("inotify wd:") && $0.contains(inode) }
    }

    /// Waits until it has finished the delayed work of earlier events, at most a minute.
    private func sleeps(_ daemon: DaemonProcess, atLeast seconds: Int) throws -> Int? {
        let deadline = Date(timeIntervalSinceNow: 60)
        while try next(daemon) ?? .max < seconds, Date() < deadline { usleep(50_000) }
        return try next(daemon)
    }

    @Test(
        "A daemon that nobody asks wakes for its hourly care and for nothing else, with clients that are connected too")
    func idle() throws {
        let daemon = try DaemonProcess()
        #expect(try sleeps(daemon, atLeast: 60) ?? .max > 3000)
        let app = try SocketConnection(to: daemon.socket)
        try app.hello()
        _ = try app.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "word"])
        #expect(try sleeps(daemon, atLeast: 60) ?? .max > 3000)
        #expect(try app.call("status").text("vault") == "unlocked")
    }

    @Test(
        "A directory of registrations that was missing is watched as soon as it is there, though its parents were missing too"
    )
    func appears() throws {
        let folder = NSTemporaryDirectory() + "autofill-appears-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let apps = folder + "/share/autofilld/apps"
        let daemon = try DaemonProcess(registrations: apps)
        // Its first answer is after its start.
        try SocketConnection(to: daemon.socket).hello()
        #expect(try watches(daemon, folder))
        // It gets no request meanwhile, and its own timer is in an hour.
        #expect(try sleeps(daemon, atLeast: 3000) ?? .max > 3000)
        try FileManager.default.createDirectory(atPath: apps, withIntermediateDirectories: true)
        let deadline = Date(timeIntervalSinceNow: 60)
        while try !watches(daemon, apps), Date() < deadline { usleep(10_000) }
        #expect(try watches(daemon, apps))
        #expect(try !watches(daemon, folder))
        // Where the directory was deleted, the daemon waits for it again.
        try FileManager.default.removeItem(atPath: folder + "/share")
        while try !watches(daemon, folder), Date() < deadline { usleep(10_000) }
        #expect(try watches(daemon, folder))
    }
}
