// SPDX-License-Identifier: Apache-2.0
import Support
import TestGround
import Testing

/// A user's machines, what was saved on them, and what must hold of all once everything is carried.
struct SyncGroup {
    private static let names = ["desktop", "laptop", "phone", "tablet"]

    var machines: [SyncMachine]
    var ledger = SyncLedger()
    var generator: SeededGenerator
    /// One that all machines have, or the copy of each; in addition it notes what was published.
    private let folders: [SyncFolder]
    /// How long carrying may take.
    private let seconds: Int

    private init(
        _ count: Int, _ folders: [SyncFolder], _ seconds: Int, _ seed: UInt64,
        _ machine: (Int, String) throws -> SyncMachine
    ) throws {
        (self.folders, self.seconds) = (folders, seconds)
        generator = SeededGenerator(seed: seed)
        machines = try Self.names.prefix(count).enumerated().map { try machine($0, $1) }
    }

    /// - Parameter folders: one for all, or one for each machine.
    init(_ count: Int, in folders: [SyncFolder], within seconds: Int = 60, seed: UInt64) throws {
        try self.init(count, folders, seconds, seed) { try SyncMachine($1, in: folders[$0 % folders.count].path) }
    }

    /// - Parameter programs: a directory whose programs precede the system's.
    init(_ count: Int, git url: String, programs: String? = nil, seed: UInt64) throws {
        try self.init(count, [SyncFolder()], 120, seed) { try SyncMachine($1, git: url, programs: programs) }
    }

    var folder: SyncFolder { folders[0] }

    // MARK: - Changes

    /// The first machine starts sync, saves, and lets the others in.
    mutating func found(saving count: Int = 0) throws {
        try machines[0].found()
        for _ in 0..<count { try save(on: machines[0]) }
        for other in machines.dropFirst() { try machines[0].admit(other, within: seconds) }
    }

    mutating func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    mutating func randomMachine() -> SyncMachine { machines[random(0...machines.count - 1)] }

    /// Saves on a machine; nil: on any.
    mutating func save(on machine: SyncMachine? = nil, beforeAnswer: () -> Void = {}) throws {
        let machine = machine ?? randomMachine()
        try ledger.save(on: machine, &generator, beforeAnswer: beforeAnswer)
    }

    /// Starts what does not run.
    func start() throws { for machine in machines { try machine.start() } }

    // MARK: - Judging

    /// Notes what is published now.
    func note() { folder.note(folders.map(\.path) + machines.map { $0.spool + "/out" }) }

    /// The names of files that cover the same sequences of one machine and have different content; how many files were published.
    var published: (twice: [Set<String>], count: Int) { folder.published }

    /// Waits until all machines have the same, and all that was answered; nothing was published under two hashes.
    func judge() throws {
        var faults: [String] = []
        do {
            try SyncFolder.eventually("all machines are equal", within: seconds, hastening: machines) {
                note()
                let saved = try machines.map { try $0.saved() }
                faults = saved.allSatisfy { $0 == saved[0] } ? ledger.faults(of: saved[0]) : ["they differ"]
                return faults.isEmpty
            }
        } catch {
            Issue.record("\(faults); \(try machines.map { try $0.status().result ?? [:] })")
            throw error
        }
        #expect(published.twice.isEmpty)
        for machine in machines { #expect(try machine.isIntact, "\(machine.name)") }
    }
}
