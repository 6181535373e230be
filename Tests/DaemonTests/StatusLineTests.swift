// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support
import TestGround
import Testing

/// The service manager's socket, where the daemon reports its status (sd_notify(3)).
private final class ServiceManager {
    let path: String
    private let descriptor: Int32

    init(in folder: String) throws {
        path = folder + "/notify"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard descriptor >= 0, result == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    }

    deinit { close(descriptor) }

    /// The status of the newest message that has arrived by now.
    func status() -> String? {
        var newest: String?
        while let next = next(waiting: 0) { newest = next }
        return newest
    }

    /// Waits for a status with this text; nil where none arrives within a minute.
    func status(containing text: String) -> String? {
        while let next = next(waiting: 60_000) { if next.contains(text) { return next } }
        return nil
    }

    /// The next status, "" for a message without one.
    private func next(waiting milliseconds: Int32) -> String? {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, milliseconds) == 1 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { return nil }
        let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix("STATUS=") }.map { String($0.dropFirst(7)) } ?? ""
    }
}

@Suite("The line for systemctl status", .blocking)
struct StatusLineTests {
    @Test("The vault's state is reported before the answer is sent; the counts follow in a moment")
    func atOnce() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let manager = try ServiceManager(in: folder)
        let daemon = try DaemonProcess(isEphemeral: false, environment: ["NOTIFY_SOCKET": manager.path])
        let control = try SocketConnection(to: daemon.socket)
        try control.hello("org.autofilld.autofillctl")
        try control.call("admin.vault.create", Examples.newSecret)
        #expect(manager.status()?.hasPrefix("Vault unlocked, 0 credentials, ") == true)
        for _ in 0..<3 {
            try control.call("admin.vault.lock")
            #expect(manager.status()?.hasPrefix("Vault locked, ") == true)
            try control.call("vault.unlock", ["proof": Examples.proof])
            #expect(manager.status()?.hasPrefix("Vault unlocked, ") == true)
        }
        try control.call(
            "credential.save",
            ["service": Examples.shop, "user": "jo", "password": "one", "proof": Examples.proof])
        #expect(manager.status(containing: "1 credential, 1 client") != nil)
        let second = try SocketConnection(to: daemon.socket)
        try second.hello()
        #expect(manager.status(containing: "2 clients") != nil)
        second.close()
        #expect(manager.status(containing: "1 client") != nil)
        #expect(daemon.terminate() == 0)
    }
}
