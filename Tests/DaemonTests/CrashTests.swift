// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support
import TestGround
import Testing

/// 6 rounds; 50 with AUTOFILL_FULL=1.
@Suite("Crashes", .serialized, .blocking)
struct CrashTests {
    private static let rounds = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1" ? 50 : 6
    private static let clients = 4

    /// The answers that all clients of a round received.
    private final class Ledger: @unchecked Sendable {
        // Every access to the rest is under the lock.
        private let lock = NSLock()
        private var saved: [String: String] = [:]
        private var lastChange: [Int: Int] = [:]
        private var answers = 0

        /// Notes an answered save; true when it is the `limit`th of the round.
        func note(_ user: String, _ password: String, client: Int, change: Int, limit: Int) -> Bool {
            lock.withLock {
                saved[user] = password
                lastChange[client] = change
                answers += 1
                return answers == limit
            }
        }

        func beginRound() { lock.withLock { answers = 0 } }
        /// The saves of this round.
        var count: Int { lock.withLock { answers } }
        var all: (saved: [String: String], lastChange: [Int: Int]) { lock.withLock { (saved, lastChange) } }
    }

    @Test(
        "Every answered save is there after kill -9 at a random moment under several clients, and the vault is intact")
    func rounds() throws {
        let daemon = try DaemonProcess(isEphemeral: false)
        let first = try SocketConnection(to: daemon.socket)
        try first.hello()
        try first.call("admin.vault.create", Examples.newSecret)
        first.close()
        let ledger = Ledger()
        var generator = SplitMix(state: 7)
        for round in 0..<Self.rounds {
            ledger.beginRound()
            let limit = Int.random(in: 1...80, using: &generator)
            let process = daemon.process.processIdentifier
            let socket = daemon.socket
            DispatchQueue.concurrentPerform(iterations: Self.clients) { client in
                Self.save(round, client, socket, ledger, killing: process, after: limit)
            }
            daemon.kill9()
            try daemon.start()
            #expect(ledger.count >= limit, "round \(round) ended before its kill")
            try check(daemon, ledger)
        }
    }

    /// Saves and changes until the daemon is gone.
    private static func save(
        _ round: Int, _ client: Int, _ socket: String, _ ledger: Ledger, killing process: Int32, after limit: Int
    ) {
        guard let app = try? SocketConnection(to: socket), (try? app.hello()) != nil else { return }
        let base = (ledger.all.lastChange[client] ?? 0) + 1
        for number in base..<(base + 10_000) {
            let user = "user-\(round)-\(client)-\(number)"
            let proof = Examples.proof
            let new: [String: Any] = [
                "service": Examples.shop, "user": user, "password": "password of \(user)", "proof": proof,
            ]
            let change: [String: Any] = [
                "service": Examples.shop, "user": "changing-\(client)", "password": String(number), "proof": proof,
            ]
            guard (try? app.call("credential.save", change))?.result != nil,
                (try? app.call("credential.save", new))?.result != nil
            else { return }
            if ledger.note(user, "password of \(user)", client: client, change: number, limit: limit) {
                kill(process, SIGKILL)
            }
        }
    }

    private func check(_ daemon: DaemonProcess, _ ledger: Ledger) throws {
        let administrator = try SocketConnection(to: daemon.socket)
        #expect(try administrator.hello("org.autofilld.autofillctl").text("vault") == "unlocked")
        let (saved, lastChange) = ledger.all
        for (user, password) in saved {
            let found = try administrator.call(
                "credential.get", ["service": Examples.shop, "user": user, "proof": Examples.proof])
            #expect(found.text("password") == password, "\(user)")
        }
        for (client, change) in lastChange {
            let found = try administrator.call(
                "credential.get", ["service": Examples.shop, "user": "changing-\(client)", "proof": Examples.proof])
            // A change without an answer may have been made; an answered change is never undone.
            #expect(Int(found.text("password") ?? "") ?? 0 >= change)
        }
        let checked = try administrator.call("admin.vault.check", ["proof": Examples.proof])
        #expect(checked.result?["intact"] as? Bool == true, "\(checked.result?["findings"] ?? "")")
    }
}

/// Sebastiano Vigna's SplitMix64: the same numbers in every run.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
