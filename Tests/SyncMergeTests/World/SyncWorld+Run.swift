// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge

extension SyncWorld {
    /// Plays a world and judges it.
    func run(steps: Int) throws(WorldFault) {
        try start()
        for _ in 0..<steps {
            time += pick([0, 1, 50, 60_000, 86_400_000])
            let machine = pick(machines)
            if chance(0.5) { try machine.read() }
            switch Double.random(in: 0..<1, using: &random) {
            case ..<0.75: try play(on: machine)
            case ..<0.79: machine.compact()
            // In a third of the worlds only the folder fails.
            case ..<0.85: if !machine.isRemoved && seed % 3 != 0 { try fault(on: machine) }
            default: break
            }
            if chance(0.3) { try purge(on: machine) }
            if chance(0.4) { machine.publish() }
            carry()
            if chance(0.03) { for machine in machines + machines { try exchange(machine) } }
        }
        try end()
        try judge()
    }

    private func exchange(_ machine: WorldMachine) throws(WorldFault) {
        views[machine.key] = folder
        try machine.read()
        machine.publish()
    }

    /// The folder carries everything, and each machine writes its weekly snapshot: it alone restores what was lost with the files of
    /// its owner.
    private func end() throws(WorldFault) {
        isFair = true
        for _ in 0..<6 { for machine in present { try exchange(machine) } }
        for machine in present { try exchange(machine) }
        if Set(present.map { $0.state.operations.count }).count > 1 {
            try require(!cuts.isEmpty || !renamed.isEmpty, "only a snapshot repairs it")
            count("waits for a snapshot")
        }
        for _ in 0..<2 {
            for machine in present {
                machine.compact()
                machine.publish()
                machine.publish()
            }
            for machine in present {
                views[machine.key] = folder
                try machine.read()
            }
        }
    }
}
