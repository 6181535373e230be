// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge
import TestGround

/// A machine with a vault, and a clock that may be years off.
final class WorldMachine {
    unowned let world: SyncWorld
    let key: Int
    let skew: Int64
    var isRemoved = false
    /// What a backup holds.
    struct Vault {
        var state = SyncState()
        var versions = RecordVersions()
        var files = MergedFiles()
        /// The events merged; the same, with all that their writers knew.
        var merged = EventSet()
        var seen = EventSet()
    }
    var vault = Vault()
    var backup: Vault?
    /// What it writes under its present device id, and what it has to remove of former ones.
    struct Publication {
        let device: DeviceID
        var sequence: UInt64 = 0
        var outbox: [SyncOperation] = []
        var events = EventSet()
        var unsent: [WorldFile] = []
        var own: [WorldFile] = []
        var read: Set<Int> = []
        var stated = VersionVector()
        var isSnapshotDue = true
        var superseded: Set<WorldFile.Name> = []
    }
    var publication: Publication
    /// The records whose versions are to be compared.
    var changed: Set<ObjectID> = []

    init(_ world: SyncWorld, key: Int, skew: Int64) {
        self.world = world
        self.key = key
        self.skew = skew
        publication = Publication(device: world.newDevice())
    }

    /// A disk that was cloned: the same vault and the same device id.
    init(cloning other: WorldMachine, key: Int) {
        world = other.world
        self.key = key
        skew = other.skew
        isRemoved = other.isRemoved
        vault = other.vault
        backup = other.backup
        publication = other.publication
    }

    var state: SyncState { vault.state }
    var device: DeviceID { publication.device }
    var merged: EventSet { vault.merged }
    var seen: EventSet { vault.seen }
    var nextOrigin: FileOrigin { FileOrigin(device: device, sequence: publication.sequence + 1) }
    var clock: Timestamp { Timestamp(milliseconds: max(0, world.time + skew)) }
    var wasCut: Bool { state.cuts[device] != nil }

    /// A new device id. What it wrote under the old one is removed when a snapshot under the new one is in its position.
    func rename() {
        let old = publication
        publication = Publication(device: world.newDevice())
        publication.superseded = old.superseded.union(old.own.map(\.name))
    }

    /// After a restore everything is compared.
    func compareAll() { changed = vault.versions.ids.union(state.ids) }

    func group(of id: ObjectID) -> [ObjectID] {
        let group = state.group(of: id)
        return group.isEmpty ? [id] : group
    }

    /// One change, recorded as an event with what it found.
    @discardableResult
    func act<Result>(
        _ kind: WorldEvent.Kind, on ids: [ObjectID] = [], near: [ObjectID] = [], everything: Bool = false,
        _ body: (inout SyncWriter<SeededGenerator>, WorldEvent) -> Result
    ) throws(WorldFault) -> Result {
        let event = world.begin(kind, on: self)
        event.ids = ids
        let found = everything ? Set(state.ids) : Set((ids + near).flatMap { state.relatives(of: $0) })
        for id in found {
            for element in state.records[id]?.elements ?? [] {
                event.before[WorldEvent.Key(id: id, mark: element.mark)] = element
            }
        }
        var writer = SyncWriter(
            changing: vault.state, origin: nextOrigin, now: clock,
            entropy: SeededGenerator(seed: world.random.next()))
        let result = body(&writer, event)
        vault.state = writer.state
        publication.outbox += writer.operations
        event.note(writer.operations)
        vault.merged.insert(event.number)
        vault.seen.insert(event.number)
        publication.events.insert(event.number)
        changed.formUnion(writer.operations.compactMap(\.record))
        if kind != .purge { try requireHistory(of: event) }
        world.noteCopies(of: event)
        try noteVersions()
        return result
    }

    /// A password or a code is dropped only where it is there again, or has ten newer ones.
    private func requireHistory(of event: WorldEvent) throws(WorldFault) {
        for key in event.dropped {
            // A group may show more than ten: a restore evicts from the groups of the backup, of which two may have become one.
            guard let element = event.before[key], let text = element.value.secret?.text else { continue }
            let view = state.view(of: key.id)
            let (use, former) =
                element.kind == .password
                ? (view?.password?.secret.text, view?.history.map(\.secret.text) ?? [])
                : (view?.code?.uri.text, view?.formerCodes.map(\.uri.text) ?? [])
            try require(
                text == use || former.contains(text) || former.count >= Credential.previousLimit, "dropped too much",
                "\(event.kind), \(former.count) are left")
        }
    }

    /// A version of an id never stands for two contents on one machine, and only grows.
    func noteVersions() throws(WorldFault) {
        let former = changed
        changed = []
        for id in former.union(vault.versions.note(former, in: state)) {
            guard let version = vault.versions[id], let view = state.view(of: id) else { continue }
            try world.note(version, of: id, on: key, showing: view)
        }
    }
}
