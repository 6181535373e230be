// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// The disk of a vault with sync and of its spool, as a power cut may leave it: up to five cuts in each step; with AUTOFILL_FULL=1
/// 500 more, at random. Any file that stood in the outbox before may be in the folder.
@Suite("Power cuts with sync", .serialized)
struct SyncPowerCutTests {
    @Test(
        "Whenever the power is cut, what was answered reaches every machine, and nothing is published under two hashes")
    func cuts() throws {
        let folder = try TemporaryDirectory()
        let library = try FaultLibrary.build(in: folder.path, from: "recorder")
        let (status, output) = try runInOwnProcess(
            "SyncPowerCutChild", "AUTOFILL_SYNC_POWER_CUT_CHILD",
            environment: ["LD_PRELOAD": library, "SWIFT_BACKTRACE": "enable=no"])
        #expect(status == 0, "\(output.suffix(8000))")
    }
}

/// Runs in a process whose changes of files are recorded.
@Suite(.enabled(if: getenv("AUTOFILL_SYNC_POWER_CUT_CHILD") != nil, "runs within another test"), .serialized)
struct SyncPowerCutChild {
    private static let isFull = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1"

    @Test("Cuts in the middle of it and after it")
    func cuts() throws {
        let recorder = try #require(DiskRecorder())
        let recorded = try RecordedSync(recorder)
        try recorded.record()
        let events = try recorder.events(in: recorded.home.path)
        let steps = recorded.steps.filter { Self.isFull || !$0.isRepeated }.map(\.step)
        let cuts = PowerCut.moments(of: steps, events, random: Self.isFull ? 500 : 0, seed: 30)
        let check = SyncPowerCutCheck(recorded)
        var disk = recorded.start
        var (applied, faults) = (0, 0)
        for cut in cuts {
            while applied < cut.events {
                try disk.apply(events[applied], number: applied)
                applied += 1
            }
            let home = try TemporaryDirectory()
            try disk.write(to: home.path, after: cut.loss)
            let fault: String?
            do { fault = try check.fault(in: home, after: cut.events, of: events) } catch { fault = "\(error)" }
            guard let fault else { continue }
            faults += 1
            Issue.record(
                """
                step "\(cut.step.name)", after event \(cut.events) of \(cut.step.events) \
                (\(events[cut.events - 1].description)), lost \(cut.loss): \(fault)
                """)
        }
        print("sync: \(cuts.count) cuts, \(events.count) events, \(faults) faults")
        #expect(cuts.count > 40 && recorded.files.count > 16)
    }
}
