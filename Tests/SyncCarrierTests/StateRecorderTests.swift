// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import FoundationEssentials
import TestGround
import Testing

@testable import SyncCarrier

@Suite("state.json", .blocking)
struct StateRecorderTests {
    private let ground: CarrierGround
    private let machine: Machine

    init() throws {
        ground = try CarrierGround()
        machine = try ground.machine(1)
    }

    private var state: String? {
        CarrierGround.read("\(machine.spool.received)/state.json").map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("It is written after the first round, and then only when something changed")
    func changes() throws {
        var recorder = StateRecorder(machine.spool)
        #expect(recorder.record(RoundOutcome(), at: 1) == true)
        #expect(state == "{\"format\":1,\"round\":1,\"checked\":1,\"waiting\":0}\n")
        #expect(recorder.record(RoundOutcome(), at: 2) == false)
        #expect(state?.contains("\"round\":1,") == true)
        #expect(recorder.record(RoundOutcome(hasChanged: true), at: 3) == false, "the outcome is the same")
        #expect(state == "{\"format\":1,\"round\":3,\"checked\":3,\"waiting\":0}\n")
        let problem = RoundProblem(.folderMissing, "there is no folder \"x\"")
        #expect(recorder.record(RoundOutcome(problem: problem, waiting: 2), at: 4) == true)
        let expected =
            #"{"format":1,"round":4,"checked":4,"problem":"folder-missing","detail":"there is no folder \"x\"","waiting":2}"#
        #expect(state == expected + "\n")
        #expect(recorder.record(RoundOutcome(), at: 5) == true)
        #expect(CarrierGround.names(machine.spool.received) == ["state.json"])
    }

    @Test("Where nothing changes it is written again after ten minutes, also by a clock that was ahead")
    func unchanged() throws {
        var recorder = StateRecorder(machine.spool)
        let interval = Int64(CarrierReport.intervalMilliseconds)
        _ = recorder.record(RoundOutcome(), at: 1)
        #expect(recorder.record(RoundOutcome(), at: interval) == false)
        #expect(state?.contains("\"round\":1,") == true)
        #expect(recorder.record(RoundOutcome(), at: interval + 1) == false, "the outcome is the same")
        #expect(state == "{\"format\":1,\"round\":3,\"checked\":\(interval + 1),\"waiting\":0}\n")
        _ = recorder.record(RoundOutcome(), at: 1)
        #expect(state?.contains("\"round\":4,\"checked\":1,") == true)
    }

    @Test("It is written again when the daemon has removed it")
    func removed() throws {
        var recorder = StateRecorder(machine.spool)
        _ = recorder.record(RoundOutcome(), at: 1)
        try FileManager.default.removeItem(atPath: machine.spool.received)
        #expect(recorder.record(RoundOutcome(), at: 2) == false)
        #expect(state?.contains("\"round\":2,") == true)
    }

    @Test("What could not be written is written after the next round")
    func unwritable() throws {
        var recorder = StateRecorder(machine.spool)
        try CarrierGround.write([], to: machine.spool.received)
        _ = recorder.record(RoundOutcome(), at: 1)
        try FileManager.default.removeItem(atPath: machine.spool.received)
        _ = recorder.record(RoundOutcome(), at: 2)
        #expect(state?.contains("\"round\":2,") == true)
    }

    @Test("Files that were written again are stated until others are, by later processes too; within an hour as one")
    func restored() throws {
        func line(_ files: Int, _ oldest: Int, _ time: Int) -> String {
            "\"waiting\":0,\"restored\":{\"files\":\(files),\"oldest\":\(oldest),\"time\":\(time)}}\n"
        }
        func record(_ recorder: inout StateRecorder, _ files: Int, oldest: Int, at now: Int64) {
            let restored = RestoredFiles(files: files, oldest: oldest, time: Int(now))
            _ = recorder.record(RoundOutcome(restored: restored), at: now)
        }
        var recorder = StateRecorder(machine.spool)
        _ = recorder.record(RoundOutcome(), at: 1)
        record(&recorder, 3, oldest: 500, at: 1000)
        #expect(state?.hasSuffix(line(3, 500, 1000)) == true, "\(state ?? "")")
        record(&recorder, 2, oldest: 400, at: 3_601_000)
        #expect(state?.hasSuffix(line(5, 400, 3_601_000)) == true, "\(state ?? "")")
        var later = StateRecorder(machine.spool)
        _ = later.record(RoundOutcome(), at: 3_700_000)
        #expect(state?.contains("\"checked\":3700000") == true && state?.hasSuffix(line(5, 400, 3_601_000)) == true)
        record(&later, 1, oldest: 900, at: 7_201_001)
        #expect(state?.hasSuffix(line(1, 900, 7_201_001)) == true, "\(state ?? "")")
    }

    @Test("A detail is one line of at most 200 bytes, without the user names and passwords of URLs")
    func details() {
        let long = String(repeating: "ä", count: 200)
        let text = "fatal: 'https://ann:hunter2@host/r.git'\nssh://x@y@z/\u{1B}[2J " + long
        let detail = RoundProblem(.gitFailed, text).detail
        #expect(detail.hasPrefix("fatal: 'https://host/r.git' ssh://z/ [2J ä"))
        #expect(detail.utf8.count <= 200 && detail.utf8.count > 190)
    }

    @Test("Of several problems the one that prevents most is reported")
    func severity() {
        let problems = [
            RoundProblem(.incompleteFiles, "c"), RoundProblem(.tooLarge, "b"), RoundProblem(.folderFull, "a"),
        ]
        #expect(RoundProblem.first(of: problems)?.detail == "a")
        #expect(RoundProblem.first(of: []) == nil)
    }
}
