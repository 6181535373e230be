// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge

extension SyncWorld {
    /// A backup, a restore of either kind, a cloned disk, or the removal of another machine.
    func fault(on machine: WorldMachine) throws(WorldFault) {
        switch Double.random(in: 0..<1, using: &random) {
        case ..<0.35: machine.backup = machine.vault
        case ..<0.65:
            if let backup = machine.backup { try restore(backup, on: machine) } else { machine.backup = machine.vault }
        case ..<0.8: if machines.count < 6 { clone(machine) }
        case 0.9...: if present.count > 2 { try removeAnother(than: machine) }
        default: break
        }
    }

    private func restore(_ backup: WorldMachine.Vault, on machine: WorldMachine) throws(WorldFault) {
        let old = machine.vault
        let (wins, isOldLost) = (chance(0.5), chance(0.5))
        if chance(0.5) { machine.publish() }
        machine.vault = backup
        var floor = max(old.versions.greatest, backup.versions.greatest)
        // Who no longer has the versions that were given begins above them by the clock.
        if isOldLost { floor = max(floor, UInt64(max(0, machine.clock.milliseconds - 1_000_000_000_000))) }
        machine.vault.versions = RecordVersions(floor: floor)
        // What it no longer knows it must not remove.
        machine.publication.own = []
        machine.publication.superseded = []
        renamed.insert(machine.device)
        machine.rename()
        renamed.insert(machine.device)
        machine.compareAll()
        count(wins ? "restored, wins" : "restored, joins")
        if wins { try letWin(backup.state, over: isOldLost ? nil : old, on: machine) }
        try machine.noteVersions()
        risky.formUnion(old.merged.subtracting(machine.merged))
        sweep()
    }

    private func letWin(
        _ backup: SyncState, over old: WorldMachine.Vault?, on machine: WorldMachine
    ) throws(WorldFault) {
        if let old {
            let cuts = machine.state.cuts.merging(old.state.cuts) { min($0, $1) }
            machine.vault.state.setCuts(cuts)
            machine.vault.state.merge(old.state.operations)
            machine.compareAll()
            machine.vault.merged.formUnion(old.merged)
        }
        try machine.read()
        try machine.act(.restore, everything: true) { writer, _ in writer.restore(backup) }
        let state = machine.state
        // What a removed machine wrote beyond its cut does not count in the backup either.
        var backup = backup
        backup.setCuts(state.cuts)
        for view in backup.views where view.isAlive && view.password != nil {
            let now = state.view(of: view.id)
            guard state.group(of: view.id) == backup.group(of: view.id) else { continue }
            let isSame =
                now?.user == view.user && now?.password?.secret == view.password?.secret
                && now?.code?.uri == view.code?.uri && now?.fields == view.fields
            try require(isSame, "a backup did not win")
        }
        for id in state.ids where state.isAlive(id) { try require(backup.isAlive(id), "the backup lacks it") }
    }

    private func clone(_ machine: WorldMachine) {
        let clone = WorldMachine(cloning: machine, key: machines.count)
        machines.append(clone)
        views.append(views[machine.key])
        renamed.insert(machine.device)
        copyVersions(from: machine.key, to: clone.key)
        count("clones")
    }

    private func removeAnother(than machine: WorldMachine) throws(WorldFault) {
        let other = pick(present.filter { $0 !== machine })
        guard machines.filter({ $0.device == other.device }).count == 1 else { return }
        let last = machine.vault.files.greatest(of: other.device)
        other.isRemoved = true
        cuts[other.device] = last
        count("removed")
        try machine.act(.cut) { _, _ in }
        let all = machine.state.cuts.merging([other.device: last]) { min($0, $1) }
        machine.changed.formUnion(machine.vault.state.setCuts(all).records)
        machine.publication.isSnapshotDue = true
        risky.formUnion(other.merged)
        sweep()
        try machine.noteVersions()
    }
}
