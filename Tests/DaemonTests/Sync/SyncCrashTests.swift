// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// 12 kills, and 4 rounds of four machines; 500 and 120 with AUTOFILL_FULL=1.
@Suite("Sync under crashes and with a folder that fails", .serialized, .blocking)
struct SyncCrashTests {
    private static let isFull = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1"
    private static let kills = isFull ? 500 : 12
    private static let rounds = isFull ? 120 : FolderFault.allCases.count

    /// Machines of which the first has let the others in.
    private func group(of count: Int, seed: UInt64) throws -> SyncGroup {
        let folder = try SyncFolder()
        try folder.make()
        var group = try SyncGroup(count, in: [folder], seed: seed)
        try group.found()
        return group
    }

    @Test(
        "Every answered save is on both machines after kill -9 of daemons and carriers, and no file was published twice"
    )
    func kills() throws {
        var group = try group(of: 2, seed: 30)
        for number in 1...Self.kills {
            for _ in 0..<group.random(1...6) { try group.save() }
            let writer = group.random(0...1)
            let (machine, other) = (group.machines[writer], group.machines[1 - writer])
            switch group.random(0...4) {
            case 0: try group.save(on: machine) { machine.killDaemon() }
            case 1: machine.killDaemon()
            case 2: machine.killCarrier()
            case 3:
                // At the moment at which something is published.
                try awaitChange(in: machine.spool + "/out")
                if Bool.random(using: &group.generator) { machine.killDaemon() } else { machine.killCarrier() }
            default:
                // At the moment at which something is carried or merged.
                try awaitChange(in: group.folder.path)
                if Bool.random(using: &group.generator) { other.killDaemon() } else { other.killCarrier() }
            }
            try group.start()
            group.note()
            if number.isMultiple(of: 50) { try group.judge() }
        }
        try group.judge()
        #expect(group.ledger.answered > Self.kills && group.published.count > 4)
    }

    /// Waits until files are added or removed; no longer than a change takes, as there may be none.
    private func awaitChange(in directory: String) throws {
        let before = SyncFolder.files(in: directory)
        let deadline = ContinuousClock.now + .milliseconds(1500)
        while SyncFolder.files(in: directory) == before, ContinuousClock.now < deadline {}
    }

    @Test("Files that are truncated, stored as conflict copies, deleted or rolled back cost no save")
    func folderFaults() throws {
        var group = try group(of: 2, seed: 31)
        let (folder, machines) = (group.folder, group.machines)
        let (desktop, laptop) = (machines[0], machines[1])
        for machine in machines { try group.save(on: machine) }
        try group.judge()

        // One file is cut for a while, and the next one is there only as a conflict copy.
        for isCopy in [false, true] {
            laptop.killCarrier()
            let before = folder.files(of: try desktop.device)
            try group.save(on: desktop)
            try SyncFolder.eventually("the file is in the folder") {
                try folder.files(of: desktop.device).subtracting(before).contains {
                    $0.hasSuffix(".delta") || $0.hasSuffix(".snap")
                }
            }
            desktop.killCarrier()
            let file = try #require(try folder.files(of: desktop.device).subtracting(before).first)
            let content = try Data(contentsOf: URL(filePath: file))
            if isCopy {
                try SyncFolder.makeConflictCopy(of: file)
                try laptop.start()
            } else {
                try content.prefix(content.count / 2).write(to: URL(filePath: file))
                let present = folder.files(of: try laptop.device)
                try group.save(on: laptop)
                try laptop.start()
                try SyncFolder.eventually("the laptop's carrier has read the folder") {
                    try folder.files(of: laptop.device) != present
                }
                #expect(try laptop.saved() != desktop.saved())
                try content.write(to: URL(filePath: file))
            }
            try SyncFolder.eventually("it is merged") { try group.ledger.faults(of: laptop.saved()).isEmpty }
            try desktop.start()
            try group.judge()
        }

        // A machine's directory is emptied: what it had is put back, or written again.
        for file in folder.files(of: try desktop.device) { try FileManager.default.removeItem(atPath: file) }
        try SyncFolder.eventually("the files are there again") {
            try folder.files(of: desktop.device).contains { $0.hasSuffix(".snap") }
        }
        for machine in machines { try group.save(on: machine) }
        try group.judge()

        // The whole folder is replaced by a copy of before.
        try folder.keepCopy()
        for _ in 0..<4 { for machine in machines { try group.save(on: machine) } }
        try group.judge()
        try folder.rollBack()
        try group.save(on: laptop)
        for machine in machines {
            try SyncFolder.eventually("the carrier leaves the former folder") { machine.hasCarrierEnded }
            try machine.start()
        }
        try group.judge()
        // A newcomer has the folder alone.
        let phone = try SyncMachine("phone", in: folder.path)
        try desktop.admit(phone)
        group.machines.append(phone)
        try group.judge()
    }

    @Test(
        "Four machines have the same after faults of the folder and kills, and what a removed one saves is nowhere else"
    )
    func fourMachines() throws {
        var group = try group(of: 4, seed: 36)
        for machine in group.machines { machine.killCarrier() }
        try group.folder.keepCopy()
        try group.start()
        for number in 1...Self.rounds {
            try failAndKill(FolderFault.allCases[number % FolderFault.allCases.count], &group)
            if number.isMultiple(of: 10) { try group.judge() }
        }
        for user in ["changed", "deleted"] { try group.ledger.save(user, on: group.machines[0]) }
        try group.judge()
        try contradict(&group)
        try removeLast(of: &group)
    }

    /// All machines save and one deletes, while daemons and carriers are killed; meanwhile the folder fails.
    private func failAndKill(_ fault: FolderFault, _ group: inout SyncGroup) throws {
        let (owner, deleting) = (group.randomMachine(), group.randomMachine())
        let device = try owner.device
        try group.ledger.delete(on: deleting, &group.generator)
        for machine in group.machines {
            if group.random(0...2) == 0 { machine.killCarrier() }
            for _ in 0..<group.random(1...2) { try group.save(on: machine) }
            if group.random(0...3) == 0 { try group.save(on: machine) { machine.killDaemon() } }
        }
        if group.random(0...1) == 0 { try awaitChange(in: group.folder.path) }
        for machine in group.machines
        where machine === owner || fault == .rolledBack || group.random(0...2) == 0 {
            machine.killCarrier()
        }
        try fault.happen(in: group.folder, to: device, &group.generator)
        if group.random(0...1) == 0 { group.randomMachine().killDaemon() }
        try group.start()
        group.note()
    }

    /// One machine deletes what two others change, none of which knows of the others; and what nobody changes.
    private func contradict(_ group: inout SyncGroup) throws {
        let machines = group.machines
        for machine in machines { machine.killCarrier() }
        try group.ledger.save("changed", on: machines[2])
        try group.ledger.delete("changed", on: machines[1])
        try group.ledger.delete("deleted", on: machines[1])
        try group.ledger.save("changed", on: machines[3])
        try group.start()
        try group.judge()
        let saved = try machines[0].saved()
        #expect(saved["changed"] != nil && saved["deleted"] == nil)
    }

    /// The last machine is removed, and publishes before it knows that.
    private func removeLast(of group: inout SyncGroup) throws {
        let (folder, removed) = (group.folder, group.machines.removeLast())
        let device = try removed.device
        removed.killCarrier()
        try group.machines[0].call("admin.sync.remove", ["device": device, "proof": Examples.proof])
        for machine in group.machines { try group.save(on: machine) }
        for user in ["changed", "of the removed machine"] {
            let before = SyncFolder.files(in: removed.spool + "/out")
            #expect(try removed.save(user, "too late"))
            try SyncFolder.eventually("it publishes that") { SyncFolder.files(in: removed.spool + "/out") != before }
        }
        // Its daemon learns of nothing until the folder has what it published.
        removed.killDaemon()
        try removed.startCarrier()
        let published = SyncFolder.files(in: removed.spool + "/out")
        try SyncFolder.eventually("the folder has that") {
            SyncFolder.files(in: folder.path).isSuperset(of: published)
        }
        try removed.start()
        for machine in group.machines + [removed] {
            try SyncFolder.eventually("\(machine.name) knows of the removal") { try machine.isRemoved(device) }
        }
        #expect(try removed.save("of the removed machine", "later still"))
        for machine in group.machines {
            machine.killCarrier()
            try machine.start()
            try group.save(on: machine)
        }
        try group.judge()
        let late: Set = ["too late", "later still"]
        for machine in group.machines {
            #expect(try machine.saved().values.allSatisfy { late.isDisjoint(with: $0.all) }, "\(machine.name)")
        }
    }
}
