// SPDX-License-Identifier: Apache-2.0
import SyncMerge

extension WorldMachine {
    private func write(_ summary: FileSummary, _ operations: [SyncOperation], _ events: EventSet) {
        let file = WorldFile(
            hash: world.newHash(), summary: summary, operations: operations, cuts: state.cuts, events: events,
            seen: vault.seen)
        publication.stated = summary.vector
        publication.read.insert(file.name.hash)
        publication.unsent.append(file)
        publication.own.append(file)
    }

    private func nextVector() -> VersionVector {
        publication.sequence += 1
        return vault.files.vector(of: device, at: publication.sequence)
    }

    /// Closes a delta. A machine that only reads states once in a while what it has read: else no purge would ever be allowed.
    private func seal() {
        let present = vault.files.vector(of: device, at: publication.sequence)
        var stated = publication.stated
        stated[device] = publication.sequence
        guard !publication.outbox.isEmpty || world.chance(0.1) && present != stated else { return }
        let (operations, events, vector) = (publication.outbox, publication.events, nextVector())
        write(
            FileSummary(delta: publication.sequence...publication.sequence, of: device, vector: vector), operations,
            events)
        publication.outbox = []
        publication.events = EventSet()
    }

    /// Writes a snapshot, which supersedes all of its older files.
    func compact() {
        seal()
        publication.superseded.formUnion(publication.own.map(\.name))
        publication.own = []
        publication.unsent = []
        let vector = nextVector()
        write(
            FileSummary(snapshot: publication.sequence, of: device, vector: vector), state.operations, vault.merged)
        publication.isSnapshotDue = false
    }

    func publish() {
        if publication.isSnapshotDue { compact() }
        seal()
        let unsent = Set(publication.unsent.map(\.name))
        // What the folder lost of its own files is put back.
        publication.unsent += publication.own.filter { !unsent.contains($0.name) && world.views[key][$0.name] == nil }
        publication.unsent.removeAll { world.put($0, from: key) }
        // Only when all that replaces them is in its position.
        if publication.unsent.isEmpty, !publication.superseded.isEmpty {
            let superseded = publication.superseded
            world.views[key].remove { superseded.contains($0) }
            world.folder.remove { superseded.contains($0) }
            publication.superseded = []
        }
    }

    /// Whole files under the own device id that this vault did not write: it has a twin.
    var hasTwin: Bool {
        let view = world.views[key]
        return view.names.contains {
            $0.device == device && !publication.read.contains($0.hash) && view[$0]?.isTruncated == false
        }
    }

    func read() throws(WorldFault) {
        if !isRemoved, hasTwin {
            world.renamed.insert(device)
            rename()
            world.count("twins found")
        }
        let view = world.views[key]
        for name in view.names where !publication.read.contains(name.hash) {
            guard let entry = view[name] else { continue }
            if entry.isTruncated {
                world.count("truncated files")
                continue
            }
            publication.read.insert(name.hash)
            merge(entry.file)
        }
        try noteVersions()
    }

    private func merge(_ file: WorldFile) {
        guard state.counts(FileOrigin(device: file.summary.device, sequence: file.summary.range.upperBound)) else {
            world.count("files beyond a cut")
            return
        }
        let cuts = state.cuts.merging(file.cuts) { min($0, $1) }
        // A cut starts an epoch.
        if cuts != state.cuts { publication.isSnapshotDue = true }
        changed.formUnion(vault.state.setCuts(cuts).records)
        changed.formUnion(vault.state.merge(file.operations).records)
        vault.merged.formUnion(file.events)
        vault.seen.formUnion(file.seen)
        vault.files.note(file.summary)
    }
}
