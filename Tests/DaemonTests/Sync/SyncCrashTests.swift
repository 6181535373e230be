// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support
import TestGround
import Testing

/// 12 kills; 500 with AUTOFILL_FULL=1.
@Suite("Sync under crashes and with a folder that fails", .serialized, .blocking)
struct SyncCrashTests {
    private static let kills = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1" ? 500 : 12

    private let folder: SyncFolder
    private let machines: [SyncMachine]

    /// Two machines, of which one has let the other in.
    init() throws {
        folder = try SyncFolder()
        try folder.make()
        machines = try ["desktop", "laptop"].map { [folder] name in try SyncMachine(name, in: folder.path) }
        try machines[0].found()
        try machines[0].admit(machines[1])
    }

    private func judge(_ ledger: SyncLedger, _ machines: [SyncMachine]) throws {
        try SyncJudge(machines, over: folder).judge(ledger)
    }

    @Test(
        "Every answered save is on both machines after kill -9 of daemons and carriers, and no file was published twice"
    )
    func kills() throws {
        var ledger = SyncLedger(), generator = SeededGenerator(seed: 30)
        for number in 1...Self.kills {
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                try ledger.save(on: machines[Int.random(in: 0...1, using: &generator)], &generator)
            }
            let writer = Int.random(in: 0...1, using: &generator)
            let (machine, other) = (machines[writer], machines[1 - writer])
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: try ledger.save(on: machine, &generator) { machine.killDaemon() }
            case 1: machine.killDaemon()
            case 2: machine.killCarrier()
            case 3:
                // At the moment at which something is published.
                try awaitChange(in: machine.spool + "/out")
                if Bool.random(using: &generator) { machine.killDaemon() } else { machine.killCarrier() }
            default:
                // At the moment at which something is carried or merged.
                try awaitChange(in: folder.path)
                if Bool.random(using: &generator) { other.killDaemon() } else { other.killCarrier() }
            }
            for machine in machines { try machine.start() }
            folder.note(machines)
            if number.isMultiple(of: 50) { try judge(ledger, machines) }
        }
        try judge(ledger, machines)
        #expect(ledger.answered > Self.kills && folder.published.count > 4)
    }

    /// Waits until files are added or removed; no longer than a change takes, as there may be none.
    private func awaitChange(in directory: String) throws {
        let before = SyncFolder.files(in: directory)
        let deadline = ContinuousClock.now + .milliseconds(1500)
        while SyncFolder.files(in: directory) == before, ContinuousClock.now < deadline {}
    }

    @Test("Files that are truncated, stored as conflict copies, deleted or rolled back cost no save")
    func folderFaults() throws {
        var ledger = SyncLedger(), generator = SeededGenerator(seed: 31)
        let (desktop, laptop) = (machines[0], machines[1])
        for machine in machines { try ledger.save(on: machine, &generator) }
        try judge(ledger, machines)

        // One file is cut for a while, and the next one is there only as a conflict copy.
        for isCopy in [false, true] {
            laptop.killCarrier()
            let before = folder.files(of: try desktop.device)
            try ledger.save(on: desktop, &generator)
            try SyncFolder.eventually("the file is in the folder") {
                try folder.files(of: desktop.device).subtracting(before).contains {
                    $0.hasSuffix(".delta") || $0.hasSuffix(".snap")
                }
            }
            desktop.killCarrier()
            let file = try #require(try folder.files(of: desktop.device).subtracting(before).first)
            let content = try Data(contentsOf: URL(filePath: file))
            if isCopy {
                let url = URL(filePath: file)
                let copy =
                    "\(url.deletingPathExtension().path).sync-conflict-20261127-032211-ABCDEF2.\(url.pathExtension)"
                try FileManager.default.moveItem(atPath: file, toPath: copy)
                try laptop.start()
            } else {
                try content.prefix(content.count / 2).write(to: URL(filePath: file))
                let present = folder.files(of: try laptop.device)
                try ledger.save(on: laptop, &generator)
                try laptop.start()
                try SyncFolder.eventually("the laptop's carrier has read the folder") {
                    try folder.files(of: laptop.device) != present
                }
                #expect(try laptop.saved() != desktop.saved())
                try content.write(to: URL(filePath: file))
            }
            try SyncFolder.eventually("it is merged") { try ledger.faults(of: laptop.saved()).isEmpty }
            try desktop.start()
            try judge(ledger, machines)
        }

        // A machine's directory is emptied: what it had is put back, or written again.
        for file in folder.files(of: try desktop.device) { try FileManager.default.removeItem(atPath: file) }
        try SyncFolder.eventually("the files are there again") {
            try folder.files(of: desktop.device).contains { $0.hasSuffix(".snap") }
        }
        for machine in machines { try ledger.save(on: machine, &generator) }
        try judge(ledger, machines)

        // The whole folder is replaced by a copy of before.
        let copy = folder.path + ".before"
        try FileManager.default.copyItem(atPath: folder.path, toPath: copy)
        for _ in 0..<4 { for machine in machines { try ledger.save(on: machine, &generator) } }
        try judge(ledger, machines)
        try FileManager.default.moveItem(atPath: folder.path, toPath: folder.path + ".after")
        try FileManager.default.moveItem(atPath: copy, toPath: folder.path)
        try ledger.save(on: laptop, &generator)
        for machine in machines {
            try SyncFolder.eventually("the carrier leaves the former folder") { machine.hasCarrierEnded }
            try machine.start()
        }
        try judge(ledger, machines)
        // A newcomer has the folder alone.
        let phone = try SyncMachine("phone", in: folder.path)
        try desktop.admit(phone)
        try judge(ledger, machines + [phone])
    }
}
