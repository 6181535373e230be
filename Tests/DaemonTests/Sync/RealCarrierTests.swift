// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestGround
import Testing

/// Two machines over programs that people use; only with AUTOFILL_FULL=1.
@Suite(
    "Sync over Syncthing, over Nextcloud and over git by ssh", .serialized, .blocking,
    .enabled(if: ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1", "runs with AUTOFILL_FULL=1"))
struct RealCarrierTests {
    private static let rounds = 12

    /// Two machines, each with the folder of one side, and what they have saved.
    private struct Run {
        let machines: [SyncMachine]
        let judge: SyncJudge
        var ledger = SyncLedger()
        var generator: SeededGenerator
        /// How often a program was killed while it received, and while it sent.
        var (receiving, sending) = (0, 0)

        init(_ pair: some FolderPair, seed: UInt64) throws {
            machines = try ["desktop", "laptop"].enumerated().map { try SyncMachine($1, in: pair.folders[$0].path) }
            judge = SyncJudge(machines, over: pair.folders[0], copies: [pair.folders[1]], seconds: 120)
            generator = SeededGenerator(seed: seed)
        }

        mutating func save(on side: Int? = nil) throws {
            let side = side ?? Int.random(in: 0...1, using: &generator)
            try ledger.save(on: machines[side], &generator)
        }

        func judgeAll() throws { try judge.judge(ledger) }

        func report(_ name: String) {
            print(
                "\(name): \(ledger.answered) saves answered, killed \(receiving) times while it received, \(sending) times",
                "while it sent, \(judge.count) files")
            #expect(receiving > 0 && sending > 0)
        }
    }

    @Test(
        "Two machines over Syncthing, which is killed while it transfers, have the same, and nothing is lost",
        .enabled(if: SyncthingPair.isInstalled, "needs the Debian package syncthing"))
    func syncthing() throws {
        let pair = try SyncthingPair()
        var run = try Run(pair, seed: 32)
        try interrupt(pair, &run)
        try conflict(pair, &run)
        try run.judgeAll()
        run.report("Syncthing")
    }

    @Test(
        "Two machines over Nextcloud, whose clients are killed while they transfer, have the same, and nothing is lost",
        .enabled(if: NextcloudPair.isInstalled, "needs the Debian packages nextcloud-desktop-cmd and python3"))
    func nextcloud() throws {
        let pair = try NextcloudPair()
        var run = try Run(pair, seed: 34)
        try interrupt(pair, &run)
        try damage(pair, &run)
        run.report("Nextcloud")
    }

    /// Both save, while what carries the folder, carriers and daemons are killed; alternately a side that receives and
    /// one that sends.
    private func interrupt(_ pair: some FolderPair, _ run: inout Run) throws {
        try pair.start()
        try run.machines[0].found()
        // The first snapshot is large enough to be interrupted.
        for _ in 0..<150 { try run.save(on: 0) }
        try run.machines[0].admit(run.machines[1], within: 120)
        for number in 1...Self.rounds {
            for _ in 0..<Int.random(in: 1...20, using: &run.generator) { try run.save() }
            let side = Int.random(in: 0...1, using: &run.generator)
            if number.isMultiple(of: 2) {
                if Self.waits(until: { pair.isSending(side) }) { run.sending += 1 }
            } else if Self.waits(until: { pair.isReceiving(side) }) {
                run.receiving += 1
            }
            pair.kill(side)
            if Bool.random(using: &run.generator) { run.machines[side].killCarrier() }
            if Bool.random(using: &run.generator) { run.machines[1 - side].killDaemon() }
            run.judge.note()
            for machine in run.machines { try machine.start() }
            try pair.start()
            if number.isMultiple(of: 4) { try run.judgeAll() }
        }
    }

    /// Stops both sides.
    ///
    /// - Returns: the snapshot of the first machine as the other side has it, and its own.
    private func stoppedAtSnapshot(_ pair: some FolderPair, _ run: inout Run) throws -> (file: String, own: String) {
        try run.save(on: 0)
        try run.judgeAll()
        for side in 0...1 { pair.kill(side) }
        let device = try run.machines[0].device
        let file = try #require(
            pair.folders[1].files(of: device).filter { $0.hasSuffix(".snap") && !$0.contains("conflict") }.max())
        return (file, pair.folders[0].path + file.dropFirst(pair.folders[1].path.count))
    }

    /// The snapshot of one machine is cut on the other side, and written again at its own: Syncthing keeps one of the two as a
    /// conflict copy.
    private func conflict(_ pair: SyncthingPair, _ run: inout Run) throws {
        for isOwnNewer in [false, true] {
            let (file, own) = try stoppedAtSnapshot(pair, &run)
            let (before, content) = (
                pair.conflictCopies(0).union(pair.conflictCopies(1)), try Data(contentsOf: URL(filePath: own))
            )
            // The newer one keeps the name.
            let now = Date()
            for (path, bytes, age) in [(file, content.prefix(content.count / 2), 1.0), (own, content, 2.0)] {
                try Self.write(bytes, to: path, at: now.addingTimeInterval(-60 * (isOwnNewer ? 3 - age : age)))
            }
            try pair.start()
            try SyncFolder.eventually("there is a conflict copy", within: 120) {
                pair.conflictCopies(0).union(pair.conflictCopies(1)) != before
            }
            try run.judgeAll()
        }
    }

    /// The snapshot of one machine is cut or emptied on the other side, and the client there carries that to the server. Where
    /// the machine's own file was written again meanwhile, its client makes that one a conflict copy, which no carrier reads.
    private func damage(_ pair: NextcloudPair, _ run: inout Run) throws {
        for (isWrittenAgain, isEmptied) in [(false, false), (true, false), (false, true), (true, true)] {
            let (file, own) = try stoppedAtSnapshot(pair, &run)
            let (before, content) = (pair.conflictCopies(0), try Data(contentsOf: URL(filePath: own)))
            let damaged = content.prefix(isEmptied ? 0 : content.count / 2)
            // The client notices what has another size, or another time.
            try Self.write(damaged, to: file, at: Date())
            if isWrittenAgain { try Self.write(content, to: own, at: Date(timeIntervalSinceNow: -86_400)) }
            try pair.start(1)
            try SyncFolder.eventually("the server has the damaged file", within: 120) {
                pair.served(file, of: 1) == damaged
            }
            try pair.start()
            try SyncFolder.eventually("the file is whole again", within: 120) {
                let now = [file, own].map { FileManager.default.contents(atPath: $0) } + [pair.served(file, of: 1)]
                // The machine may have published another one meanwhile.
                return now.allSatisfy { $0 == nil || $0 == content }
            }
            if isWrittenAgain { #expect(pair.conflictCopies(0) != before) }
            try run.judgeAll()
        }
    }

    private static func write(_ content: Data, to path: String, at time: Date) throws {
        try content.write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
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
