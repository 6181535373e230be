// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestGround
import Testing

/// Two machines over programs that people use; only with AUTOFILL_FULL=1.
@Suite(
    "Sync over Syncthing and over git by ssh", .serialized, .blocking,
    .enabled(if: ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1", "runs with AUTOFILL_FULL=1"))
struct RealCarrierTests {
    private static let rounds = 12

    @Test(
        "Two machines over Syncthing, which is killed while it transfers, have the same, and nothing is lost",
        .enabled(if: SyncthingPair.isInstalled, "needs the Debian package syncthing"))
    func syncthing() throws {
        let pair = try SyncthingPair()
        let machines = try ["desktop", "laptop"].enumerated().map { try SyncMachine($1, in: pair.folders[$0].path) }
        let judge = SyncJudge(machines, over: pair.folders[0], copies: [pair.folders[1]], seconds: 120)
        var ledger = SyncLedger(), generator = SeededGenerator(seed: 32)
        try pair.start()
        try machines[0].found()
        // The first snapshot is large enough to be interrupted.
        for _ in 0..<150 { try ledger.save(on: machines[0], &generator) }
        try machines[0].admit(machines[1], within: 120)
        var interrupted = 0
        for number in 1...Self.rounds {
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                try ledger.save(on: machines[Int.random(in: 0...1, using: &generator)], &generator)
            }
            let side = Int.random(in: 0...1, using: &generator)
            if Self.waits(until: { pair.isReceiving(side) }) { interrupted += 1 }
            pair.kill(side)
            if Bool.random(using: &generator) { machines[side].killCarrier() }
            if Bool.random(using: &generator) { machines[1 - side].killDaemon() }
            judge.note()
            for machine in machines { try machine.start() }
            try pair.start()
            if number.isMultiple(of: 4) { try judge.judge(ledger) }
        }
        try conflict(pair, machines, judge, &ledger, &generator)
        try judge.judge(ledger)
        print(
            "Syncthing: \(ledger.answered) saves answered, killed in a transfer \(interrupted) times, \(judge.count) files"
        )
        #expect(interrupted > 0)
    }

    /// The snapshot of one machine is cut on the other side, and written again at its own: Syncthing keeps one of the two as a
    /// conflict copy.
    private func conflict(
        _ pair: SyncthingPair, _ machines: [SyncMachine], _ judge: SyncJudge, _ ledger: inout SyncLedger,
        _ generator: inout SeededGenerator
    ) throws {
        for isOwnNewer in [false, true] {
            try ledger.save(on: machines[0], &generator)
            try judge.judge(ledger)
            for side in 0...1 { pair.kill(side) }
            let device = try machines[0].device
            let file = try #require(
                pair.folders[1].files(of: device).filter { $0.hasSuffix(".snap") && !$0.contains("conflict") }.max())
            let own = pair.folders[0].path + file.dropFirst(pair.folders[1].path.count)
            let (before, content) = (
                pair.conflictCopies(0).union(pair.conflictCopies(1)), try Data(contentsOf: URL(filePath: own))
            )
            // The newer one keeps the name.
            let now = Date()
            for (path, bytes, age) in [(file, content.prefix(content.count / 2), 1.0), (own, content, 2.0)] {
                try bytes.write(to: URL(filePath: path))
                let time = now.addingTimeInterval(-60 * (isOwnNewer ? 3 - age : age))
                try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
            }
            try pair.start()
            try SyncFolder.eventually("there is a conflict copy", within: 120) {
                pair.conflictCopies(0).union(pair.conflictCopies(1)) != before
            }
            try judge.judge(ledger)
        }
    }

    @Test(
        "Two machines over git by ssh, with carriers and the server killed, have the same, and nothing is lost",
        .enabled(if: SSHServer.isInstalled, "needs the Debian packages openssh-server, openssh-client and git"))
    func git() throws {
        let server = try SSHServer()
        let machines = try ["desktop", "laptop"].map { name in
            try SyncMachine(name, git: server.url, programs: server.programs)
        }
        // Other machines' branches are fetched every five minutes, and when a carrier starts.
        let judge = SyncJudge(machines, over: try SyncFolder(), seconds: 120) { machine in
            machine.killCarrier()
            try machine.start()
        }
        var ledger = SyncLedger(), generator = SeededGenerator(seed: 33)
        try machines[0].found()
        for _ in 0..<20 { try ledger.save(on: machines[0], &generator) }
        try machines[0].admit(machines[1], within: 120)
        for number in 1...Self.rounds {
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                try ledger.save(on: machines[Int.random(in: 0...1, using: &generator)], &generator)
            }
            let machine = machines[Int.random(in: 0...1, using: &generator)]
            // Any moment of a round, which begins at once where a carrier starts.
            machine.killCarrier()
            try machine.start()
            usleep(UInt32.random(in: 0...1_500_000, using: &generator))
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: machine.killCarrier()
            case 1: machine.killDaemon()
            default:
                server.stop()
                try server.start()
            }
            judge.note()
            for machine in machines { try machine.start() }
            if number.isMultiple(of: 4) { try judge.judge(ledger) }
        }
        try judge.judge(ledger)
        print("git: \(ledger.answered) saves answered, \(judge.count) files")
    }

    /// Waits until something is so; false after as long as it could take.
    private static func waits(until isSo: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(10)
        while !isSo() {
            guard ContinuousClock.now < deadline else { return false }
        }
        return true
    }
}
