// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestGround
import Testing

/// Two machines over programs that users have; only with AUTOFILL_FULL=1.
@Suite(
    "Sync over Syncthing and over Nextcloud", .serialized, .blocking,
    .enabled(if: ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1", "runs with AUTOFILL_FULL=1"))
struct RealCarrierTests {
    private static let rounds = 12

    @Test(
        "Two machines over Syncthing, which is killed while it transfers, have the same, and nothing is lost",
        .enabled(if: SyncthingPair.isInstalled, "needs the Debian package syncthing"))
    func syncthing() throws {
        let pair = try SyncthingPair()
        var group = try SyncGroup(2, in: pair.folders, within: 120, seed: 32)
        try interrupt(pair, &group)
        try conflict(pair, &group)
        try group.judge()
    }

    @Test(
        "Two machines over Nextcloud, whose clients are killed while they transfer, have the same, and nothing is lost",
        .enabled(if: NextcloudPair.isInstalled, "needs the Debian packages nextcloud-desktop-cmd and python3"))
    func nextcloud() throws {
        let pair = try NextcloudPair()
        var group = try SyncGroup(2, in: pair.folders, within: 120, seed: 34)
        try interrupt(pair, &group)
        try damage(pair, &group)
    }

    /// Both save, while what carries the folder, carriers and daemons are killed; alternately a side that receives and
    /// one that sends.
    private func interrupt(_ pair: some FolderPair, _ group: inout SyncGroup) throws {
        // How often a program was killed while it received, and while it sent.
        var (receiving, sending) = (0, 0)
        try pair.start()
        // The first snapshot is large enough to be interrupted.
        try group.found(saving: 150)
        for number in 1...Self.rounds {
            for _ in 0..<group.random(1...20) { try group.save() }
            let side = group.random(0...1)
            if number.isMultiple(of: 2) {
                if Self.waits(until: { pair.isSending(side) }) { sending += 1 }
            } else if Self.waits(until: { pair.isReceiving(side) }) {
                receiving += 1
            }
            pair.kill(side)
            if Bool.random(using: &group.generator) { group.machines[side].killCarrier() }
            if Bool.random(using: &group.generator) { group.machines[1 - side].killDaemon() }
            group.note()
            try group.start()
            try pair.start()
            if number.isMultiple(of: 4) { try group.judge() }
        }
        print(
            "\(type(of: pair)): \(group.ledger.answered) saves answered, killed \(receiving) times while it",
            "received, \(sending) times while it sent, \(group.published.count) files")
        #expect(receiving > 0 && sending > 0)
    }

    /// Stops both sides.
    ///
    /// - Returns: the snapshot of the first machine as the other side has it, and its own.
    private func stoppedAtSnapshot(
        _ pair: some FolderPair, _ group: inout SyncGroup
    ) throws -> (file: String, own: String) {
        try group.save(on: group.machines[0])
        try group.judge()
        for side in 0...1 { pair.kill(side) }
        let device = try group.machines[0].device
        let file = try #require(
            pair.folders[1].files(of: device).filter { $0.hasSuffix(".snap") && !$0.contains("conflict") }.max())
        return (file, pair.folders[0].path + file.dropFirst(pair.folders[1].path.count))
    }

    /// The snapshot of one machine is cut on the other side, and written again at its own: Syncthing keeps one of the two as a
    /// conflict copy.
    private func conflict(_ pair: SyncthingPair, _ group: inout SyncGroup) throws {
        for isOwnNewer in [false, true] {
            let (file, own) = try stoppedAtSnapshot(pair, &group)
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
            try group.judge()
        }
    }

    /// The snapshot of one machine is cut or emptied on the other side, and the client there carries that to the server. Where
    /// the machine's own file was written again meanwhile, its client makes that one a conflict copy, which no carrier reads.
    private func damage(_ pair: NextcloudPair, _ group: inout SyncGroup) throws {
        for (isWrittenAgain, isEmptied) in [(false, false), (true, false), (false, true), (true, true)] {
            let (file, own) = try stoppedAtSnapshot(pair, &group)
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
            try group.judge()
        }
    }

    private static func write(_ content: Data, to path: String, at time: Date) throws {
        try content.write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
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
