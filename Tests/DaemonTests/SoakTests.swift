// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import Foundation
import SecretMemory
import Support
import TestGround
import Testing

private let soakSeconds = Double(ProcessInfo.processInfo.environment["AUTOFILL_SOAK"] ?? "") ?? 0

/// `Tests/soak HOURS`: mixed load with random kills, for as many seconds as AUTOFILL_SOAK states.
@Suite("Soak", .serialized, .blocking, .enabled(if: soakSeconds > 0, "runs for hours: Tests/soak HOURS"))
struct SoakTests {
    private static let clients = 8

    /// The most that one run of the daemon used.
    private struct Usage {
        var residentKibibytes = 0
        var descriptors = 0
    }

    /// What the clients of one run share.
    private final class Round: @unchecked Sendable {
        // Every access to the rest is under the lock.
        private let lock = NSLock()
        private var isOver = false
        private var saved: [String: String] = [:]

        func note(_ user: String, _ password: String) { lock.withLock { saved[user] = password } }
        func end() { lock.withLock { isOver = true } }
        var goesOn: Bool { lock.withLock { !isOver } }
        var all: [String: String] { lock.withLock { saved } }
    }

    @Test("Under mixed load with random kills memory and descriptors stay flat, and nothing that was answered is lost")
    func soak() throws {
        let daemon = try DaemonProcess(isEphemeral: false)
        let first = try SocketConnection(to: daemon.socket)
        try first.hello()
        try first.call("admin.vault.create", Examples.newSecret)
        first.close()
        var runs: [Usage] = []
        let end = Date(timeIntervalSinceNow: soakSeconds)
        while Date() < end {
            let usage = try run(daemon, until: min(end, Date(timeIntervalSinceNow: .random(in: 1...60))), runs.count)
            runs.append(usage)
            print("run \(runs.count): \(usage.residentKibibytes) KiB, \(usage.descriptors) descriptors")
            daemon.kill9()
            try daemon.start()
        }
        // A daemon that does not answer yet may not handle signals either.
        let last = try SocketConnection(to: daemon.socket)
        try last.hello()
        last.close()
        #expect(daemon.terminate() == 0)
        let sizes = runs.map(\.residentKibibytes).sorted()
        #expect((sizes.last ?? 0) < (sizes.first ?? 0) + 32 * 1024)
        #expect(runs.allSatisfy { $0.descriptors <= 64 + Self.clients })
        let report = try check(daemon)
        #expect(report.isIntact, "\(report.findings)")
    }

    private func run(_ daemon: DaemonProcess, until end: Date, _ number: Int) throws -> Usage {
        let round = Round()
        let socket = daemon.socket
        let done = DispatchGroup()
        for client in 0..<Self.clients {
            DispatchQueue.global().async(group: done) { Self.load(socket, "\(number)-\(client)", round) }
        }
        var usage = Usage()
        while Date() < end {
            usleep(50_000)
            usage.residentKibibytes = max(usage.residentKibibytes, daemon.residentKibibytes)
            let names = try? FileManager.default.contentsOfDirectory(
                atPath: "/proc/\(daemon.process.processIdentifier)/fd")
            usage.descriptors = max(usage.descriptors, names?.count ?? 0)
        }
        round.end()
        done.wait()
        let user = try SocketConnection(to: socket)
        try user.hello("org.autofilld.autofillctl")
        for (name, password) in round.all {
            let found = try user.call(
                "credential.get", ["service": Examples.shop, "user": name, "proof": Examples.proof])
            #expect(found.text("password") == password, "\(name)")
        }
        return usage
    }

    /// Repeats everything that an app does.
    private static func load(_ socket: String, _ name: String, _ round: Round) {
        var number = 0
        while round.goesOn {
            guard let app = try? SocketConnection(to: socket), (try? app.hello()) != nil else { return }
            for _ in 0..<50 where round.goesOn {
                number += 1
                let user = "user-\(name)-\(number % 20)"
                let suggest: [String: Any] = [
                    "service": Examples.shop,
                    "form": ["id": "\(name)-\(number % 3)", "fields": Examples.signUp] as [String: Any],
                ]
                let suggested = try? app.call("autofill.suggest", suggest)
                let offer = suggested?.suggestion("strongPassword")?["offer"] as? String ?? ""
                _ = try? app.call("autofill.fill", ["offer": offer])
                _ = try? app.call("autofill.decline", ["offer": offer])
                let password = "password-\(number)"
                let save: [String: Any] = [
                    "service": Examples.shop, "user": user, "password": password, "proof": Examples.proof,
                ]
                if (try? app.call("credential.save", save))?.result != nil { round.note(user, password) }
                _ = try? app.call("credential.get", ["service": Examples.bank, "user": user])
                _ = try? app.call("credential.get", ["service": Examples.shop, "user": user])
            }
        }
    }

    private func check(_ daemon: DaemonProcess) throws -> CheckReport {
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        let vault = try Vault(at: .directory(daemon.folder + "/data"), program: "soak")
        let key = VaultSecret.key(SecretBytes(copying: TestFiles.key, count: TestFiles.key.count))
        _ = try vault.unlock(with: vault.slots.attempt(key, at: now).derive(), at: now)
        defer { vault.close() }
        return try vault.check()
    }
}
