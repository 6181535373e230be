// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import FoundationEssentials
import SyncCarrier
import TestGround
import Testing

/// The times of files are the system's: rounds are called with times before and after them.
@Suite("Files that the folder has lost", .blocking)
struct RestoredFilesTests {
    private let ground: CarrierGround
    private let machine: Machine
    private let (before, after): (Int64, Int64)

    init() throws {
        ground = try CarrierGround()
        machine = try ground.machine(1)
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        (before, after) = (now - 100_000, now + 100_000)
    }

    /// The folder has no file of the group any more.
    private func empty() throws {
        let group = "\(ground.folder)/\(CarrierGround.group)"
        try FileManager.default.removeItem(atPath: group)
        try FileManager.default.createDirectory(atPath: group, withIntermediateDirectories: false)
    }

    @Test("Their number and the time of the oldest are reported once, and a new file is none of them")
    func lost() throws {
        try machine.put("one", 1)
        try machine.put("two", 2)
        var carrier = ground.carrier(machine)
        #expect(carrier.round(at: before).restored == nil)
        try empty()
        try machine.put("three", 3)
        let restored = try #require(carrier.round(at: after).restored)
        #expect(restored.files == 2 && restored.time == Int(after))
        #expect((Int(before)..<Int(after)).contains(restored.oldest))
        #expect(ground.names(of: machine).count == 3)
        #expect(carrier.round(at: after).restored == nil)
    }

    @Test("What was lost while no carrier ran is reported by the next one, up to the last round that was complete")
    func meanwhile() throws {
        var recorder = StateRecorder(machine.spool)
        var carrier = ground.carrier(machine)
        _ = recorder.record(carrier.round(at: before), at: before)
        try machine.put("one", 1)
        #expect(carrier.round(at: after).restored == nil)
        try empty()
        var restarted = ground.carrier(machine)
        #expect(restarted.round(at: after).restored?.files == 1)
        try machine.put("two", 2)
        #expect(restarted.round(at: after).restored == nil)
    }

    @Test("A file of after the last complete round is new to the next carrier, as any is after an incomplete one")
    func unknown() throws {
        try machine.put("one", 1)
        var recorder = StateRecorder(machine.spool)
        _ = recorder.record(RoundOutcome(), at: before)
        var carrier = ground.carrier(machine)
        #expect(carrier.round(at: before).restored == nil)
        for outcome in [RoundOutcome(waiting: 1), RoundOutcome(problem: problem)] {
            _ = recorder.record(outcome, at: after)
            try empty()
            carrier = ground.carrier(machine)
            #expect(carrier.round(at: before).restored == nil)
        }
    }

    /// That of a folder that is missing.
    private var problem: RoundProblem? {
        var carrier = FolderCarrier(folder: ground.folder + "/missing", own: machine.own, spool: machine.spool)
        return carrier.round(at: before).problem
    }
}
