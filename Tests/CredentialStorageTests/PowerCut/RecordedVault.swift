// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// A vault whose disk is recorded, and what must be on it after each step.
final class RecordedVault {
    struct Step {
        let name: String
        /// How many events there were before and after it.
        let events: Range<Int>
        let before, after: ExpectedDisk
        /// Whether a power cut during it leaves what was before or what is after.
        let isAtomic: Bool
    }

    let home: TemporaryDirectory
    let recorder: DiskRecorder
    let start: SimulatedDisk
    /// The keys that may open it, or may not.
    let keys: [UInt8]
    var vault: Vault
    private(set) var steps: [Step] = []
    private(set) var expected: ExpectedDisk

    /// Begins the recording of what is in `home` now.
    init(
        _ recorder: DiskRecorder, _ home: TemporaryDirectory, _ vault: Vault, openedBy keys: [UInt8] = [7],
        ofAll all: [UInt8]? = nil, _ expected: ExpectedDisk = ExpectedDisk()
    ) throws {
        (self.recorder, self.home, self.vault, self.keys, self.expected) = (
            recorder, home, vault, all ?? keys, expected
        )
        if vault.state == .unlocked { self.expected.vault = try ExpectedVault(of: vault, keys: keys) }
        start = try SimulatedDisk(of: home.path)
        recorder.begin(in: home.path)
    }

    /// Does something, and notes what must be on the disk when it is answered.
    ///
    /// - Parameters:
    ///   - keys: those that open the vault afterwards; nil: the same.
    ///   - keepsReleases: whether all releases are on the disk afterwards.
    ///   - body: gets what must be on the disk, to add files and copies. The vault itself is read afterwards, if it is unlocked.
    func step(
        _ name: String, keys: [UInt8]? = nil, keepsReleases: Bool = false, isAtomic: Bool = true,
        _ body: (inout ExpectedDisk) throws -> Void
    ) throws {
        let before = expected
        let first = recorder.count
        recorder.resume()
        defer { recorder.pause() }
        var disk = expected
        try body(&disk)
        recorder.pause()
        var present = disk.vault
        if vault.state == .unlocked {
            present = try ExpectedVault(
                of: vault, keys: keys ?? before.vault?.keys ?? self.keys, durable: before.vault?.durable ?? 0)
        }
        let isSynced = keepsReleases || vault.state != .unlocked
        disk.vault = isSynced ? present?.synced : present
        expected = disk
        steps.append(
            Step(name: name, events: first..<recorder.count, before: before, after: expected, isAtomic: isAtomic))
    }

    /// Leaves the files as a process that is killed leaves them: nothing of that is recorded, or reaches the disk.
    func kill() throws {
        let copy = try TemporaryDirectory()
        try Tampering.copyFiles(from: home.vaultPath, to: copy)
        vault.close()
        try Tampering.copyFiles(from: copy.vaultPath, to: home)
    }

    /// A path as `ExpectedDisk` has it.
    func name(_ path: String) -> String { String(path.dropFirst(home.path.count + 1)) }
}

/// A moment at which the power is cut.
struct PowerCut {
    /// How many events had happened.
    let events: Int
    let step: RecordedVault.Step
    let loss: PowerLoss

    /// The moments at which most is expected of the disk, and random ones.
    static func moments(
        of steps: [RecordedVault.Step], _ events: [DiskEvent], random count: Int, seed: UInt64
    ) -> [PowerCut] {
        var generator = SeededGenerator(seed: seed)
        var moments = steps.flatMap { directed($0, events) }
        let all = moments.count + count
        let names = events.indices.filter { events[$0].isOfNames }
        while moments.count < all, !events.isEmpty {
            // Half of them after a change of names, where order matters most.
            let isOfNames = !names.isEmpty && Bool.random(using: &generator)
            let event =
                isOfNames
                ? names[Int.random(in: names.indices, using: &generator)]
                : Int.random(in: events.indices, using: &generator)
            guard let step = steps.first(where: { $0.events.contains(event) }) else { continue }
            let isAtEnd = event + 1 == step.events.upperBound
            guard step.isAtomic || isAtEnd else { continue }
            moments.append(
                PowerCut(events: event + 1, step: step, loss: .random(after: event, using: &generator)))
        }
        return moments.sorted { $0.events < $1.events }
    }

    /// Of a step: its end, without all that is not synced, or with the content of one file alone; and the time around its last
    /// rename, when names, content or that rename alone arrive first.
    private static func directed(_ step: RecordedVault.Step, _ events: [DiskEvent]) -> [PowerCut] {
        let end = step.events.upperBound
        var cuts = [PowerCut(events: end, step: step, loss: .all)]
        if let last = step.events.last(where: { events[$0].isWrite }) {
            cuts.append(PowerCut(events: end, step: step, loss: .others(than: last)))
        }
        guard step.isAtomic, let rename = step.events.last(where: { events[$0].isRename }) else { return cuts }
        cuts.append(PowerCut(events: rename + 1, step: step, loss: .content))
        cuts.append(PowerCut(events: rename + 1, step: step, loss: .allBut(rename: rename)))
        if let write = step.events.first(where: { $0 > rename && events[$0].isWrite }) {
            cuts.append(PowerCut(events: write + 1, step: step, loss: .names))
        }
        return cuts
    }

    /// What may be there: during a step what was before, too.
    var allowed: [ExpectedDisk] { events == step.events.upperBound ? [step.after] : [step.before, step.after] }
}
