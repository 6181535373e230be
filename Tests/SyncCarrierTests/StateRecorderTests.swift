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
