// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

/// What must hold of all machines once everything is carried.
final class SyncJudge {
    private let machines: [SyncMachine]
    private let folder: SyncFolder
    private let copies: [SyncFolder]
    private let seconds: Int
    private let hasten: ((SyncMachine) throws -> Void)?
    private var hastened = ContinuousClock.now

    /// - Parameters:
    ///   - copies: of the folder, which other machines have.
    ///   - seconds: how long carrying may take.
    ///   - hasten: has a machine's carrier compare what there is at once; called every 15 s.
    init(
        _ machines: [SyncMachine], over folder: SyncFolder, copies: [SyncFolder] = [], seconds: Int = 60,
        hasten: ((SyncMachine) throws -> Void)? = nil
    ) {
        (self.machines, self.folder, self.copies) = (machines, folder, copies)
        (self.seconds, self.hasten) = (seconds, hasten)
    }

    /// How many files were published.
    var count: Int { folder.published.count }

    /// Notes what is published now.
    func note() { folder.note(machines, copies: copies) }

    /// Waits until all machines have the same, and all that was answered; nothing was published under two hashes.
    func judge(_ ledger: SyncLedger) throws {
        var faults: [String] = []
        do {
            try SyncFolder.eventually("all machines are equal", within: seconds) {
                note()
                let saved = try machines.map { try $0.saved() }
                faults = saved.allSatisfy { $0 == saved[0] } ? ledger.faults(of: saved[0]) : ["they differ"]
                if !faults.isEmpty { try hastenIfDue() }
                return faults.isEmpty
            }
        } catch {
            Issue.record("\(faults); \(try machines.map { try $0.status().result ?? [:] })")
            throw error
        }
        #expect(folder.published.twice.isEmpty)
        for machine in machines { #expect(try machine.isIntact, "\(machine.name)") }
    }

    private func hastenIfDue() throws {
        guard let hasten, ContinuousClock.now - hastened > .seconds(15) else { return }
        hastened = .now
        for machine in machines { try hasten(machine) }
    }
}
