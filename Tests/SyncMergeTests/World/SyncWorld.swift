// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge
import TestGround

/// Machines and a folder that others carry about: it loses, repeats, delays, truncates and rolls back.
final class SyncWorld {
    let seed: UInt64
    var random: SeededGenerator
    /// At the end the folder carries everything.
    var isFair = false
    var time: Int64 = 1_800_000_000_000
    private var serial = 0
    var folder = WorldFolder()
    private var past: WorldFolder?
    /// The folder as each machine has it.
    var views: [WorldFolder] = []
    var machines: [WorldMachine] = []
    var events: [WorldEvent] = []
    /// What was in vaults before sync, by content: copies of one record are one event.
    var started: [StartKey: WorldEvent] = [:]
    var cuts: [DeviceID: UInt64] = [:]
    /// The ids that were given up: twins and restores.
    var renamed: Set<DeviceID> = []
    /// Of an element that an undelete wrote, those that it repeats.
    var copies: [WorldEvent.Key: Set<WorldEvent.Key>] = [:]
    private var given: [GivenKey: RecordView] = [:]
    private var latest: [GivenKey: UInt64] = [:]
    /// A version that an app remembers of an id.
    var held: [Int: (id: ObjectID, version: UInt64, view: RecordView)] = [:]
    /// What only a machine had that was restored or removed, and of it what nobody has any more.
    var risky = EventSet()
    var lost = EventSet()
    private(set) var counts: [String: Int] = [:]

    struct StartKey: Hashable {
        let id: ObjectID
        let kind: ElementKind
        let text: String?
        let time: Timestamp
    }

    private struct GivenKey: Hashable {
        let machine: Int
        let id: ObjectID
        var version: UInt64 = 0
    }

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
    }

    func count(_ what: String, by number: Int = 1) { counts[what, default: 0] += number }
    func chance(_ probability: Double) -> Bool { !isFair && Double.random(in: 0..<1, using: &random) < probability }
    func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
    func newHash() -> Int { (serial += 1, serial).1 }
    func newText(_ prefix: String) -> String { "\(prefix)\(newHash())" }
    func newDevice() -> DeviceID { DeviceID(rawValue: UInt128(newHash())) }
    var present: [WorldMachine] { machines.filter { !$0.isRemoved } }

    func begin(_ kind: WorldEvent.Kind, on machine: WorldMachine) -> WorldEvent {
        let event = WorldEvent(events.count, kind, of: machine)
        events.append(event)
        count(kind.rawValue)
        return event
    }

    /// Quota or a power cut: what is refused stays unsent.
    func put(_ file: WorldFile, from machine: Int) -> Bool {
        guard !chance(0.1) else { return false }
        views[machine].put(file)
        folder.put(file)
        return true
    }

    /// Notes what only a restored or removed machine had, and nobody and no file has now. The files of a removed machine beyond its
    /// cut are not trusted: nobody merges what only they have.
    func sweep() {
        var kept = EventSet()
        for machine in present { kept.formUnion(machine.merged) }
        for name in folder.names where cuts[name.device].map({ name.sequence <= $0 }) ?? true {
            folder[name].map { kept.formUnion($0.file.events) }
        }
        lost.formUnion(risky.subtracting(kept))
    }

    /// Files arrive in any order, late, again, truncated, under a conflict's name; the folder is rolled back, loses a directory.
    func carry() {
        if chance(0.03) { past = folder }
        if chance(0.01), let past {
            folder = past
            count("rolled back")
            sweep()
        }
        if chance(0.01) {
            let device = pick(machines).device
            count("emptied")
            folder.remove { $0.device == device }
            for machine in machines where chance(0.5) { views[machine.key].remove { $0.device == device } }
            sweep()
        }
        for machine in machines { carry(to: machine.key) }
    }

    private func carry(to machine: Int) {
        let names = folder.names
        for _ in 0..<Int.random(in: 0...6, using: &random) where !names.isEmpty {
            let name = pick(names)
            guard let entry = folder[name] else { continue }
            let fate = Double.random(in: 0..<1, using: &random)
            var conflict = name
            conflict.isConflict = true
            views[machine].put(entry.file, as: fate < 0.05 ? conflict : name, isTruncated: fate > 0.86)
        }
        if chance(0.03) {
            let half = Set(views[machine].names.filter { _ in chance(0.5) })
            views[machine].remove { half.contains($0) }
        }
        if chance(0.3) {
            let old = Set(views[machine].names.filter { folder[$0] == nil && chance(0.5) })
            views[machine].remove { old.contains($0) }
        }
    }

    /// An undelete, and a restore that wins, write elements again: a copy counts as the elements that it repeats.
    func noteCopies(of event: WorldEvent) {
        guard event.kind == .undelete else { return }
        for added in event.added {
            // Of equal values only the newest is written again.
            let repeated = event.before.filter {
                $0.key.id == added.key.id && $0.value.kind == added.kind && $0.value.value.text == added.text
            }.max { $0.value < $1.value }
            copies[added.key] = repeated.map { (copies[$0.key] ?? []).union([$0.key]) } ?? []
        }
    }

    func note(_ version: UInt64, of id: ObjectID, on machine: Int, showing view: RecordView) throws(WorldFault) {
        let key = GivenKey(machine: machine, id: id)
        try require(latest[key] ?? 0 <= version, "a version went back", "\(id)")
        latest[key] = version
        let versioned = GivenKey(machine: machine, id: id, version: version)
        if let former = given[versioned] {
            try require(former.isSame(as: view), "a version was given twice", "\(id) \(version)")
        } else {
            given[versioned] = view
        }
    }

    /// A clone remembers what its original had given.
    func copyVersions(from machine: Int, to clone: Int) {
        for (key, version) in latest where key.machine == machine {
            latest[GivenKey(machine: clone, id: key.id)] = version
            let versioned = GivenKey(machine: machine, id: key.id, version: version)
            given[GivenKey(machine: clone, id: key.id, version: version)] = given[versioned]
        }
    }
}
