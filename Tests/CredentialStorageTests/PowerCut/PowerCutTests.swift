// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// What was answered is on the disk, whenever the power is cut: the disk of a vault is recorded, and made as a power cut may
/// leave it. Up to five cuts in each step, and one at random in each workload; with AUTOFILL_FULL=1 70 at random, which makes
/// over 1,000.
///
/// attacks.md, the vault, 4
@Suite("Power cuts", .serialized)
struct PowerCutTests {
    @Test(
        "Whenever the power is cut, what was answered is there, all else is as before or done, and nothing is corrupt")
    func cuts() throws {
        let folder = try TemporaryDirectory()
        let library = try FaultLibrary.build(in: folder.path, from: "recorder")
        let (status, output) = try runInOwnProcess(
            "PowerCutChild", "AUTOFILL_POWER_CUT_CHILD",
            environment: ["LD_PRELOAD": library, "SWIFT_BACKTRACE": "enable=no"])
        #expect(status == 0, "\(output.suffix(8000))")
    }
}

/// Runs in a process whose changes of files are recorded.
@Suite(.enabled(if: getenv("AUTOFILL_POWER_CUT_CHILD") != nil, "runs within another test"), .serialized)
struct PowerCutChild {
    private static let isFull = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1"

    @Test("Cuts in the middle of it and after it", arguments: PowerCutWorkload.allCases)
    func cuts(_ workload: PowerCutWorkload) throws {
        let recorder = try #require(DiskRecorder())
        let recorded = try workload.record(with: recorder)
        let events = try recorder.events(in: recorded.home.path)
        let seed = UInt64(PowerCutWorkload.allCases.firstIndex(of: workload) ?? 0)
        let cuts = PowerCut.moments(
            of: recorded.steps, events, random: Self.isFull ? 70 : 1, seed: seed)
        let check = PowerCutCheck(keys: recorded.keys)
        var disk = recorded.start
        var (applied, faults) = (0, 0)
        for cut in cuts {
            while applied < cut.events {
                try disk.apply(events[applied], number: applied)
                applied += 1
            }
            let home = try TemporaryDirectory()
            try disk.write(to: home.path, after: cut.loss)
            guard let fault = try check.fault(in: home, cut) else { continue }
            faults += 1
            Issue.record(
                """
                \(workload), step "\(cut.step.name)", after event \(cut.events) of \(cut.step.events) \
                (\(events[cut.events - 1].description)), lost \(cut.loss): \(fault)
                """)
        }
        print("\(workload): \(cuts.count) cuts, \(events.count) events, \(faults) faults")
    }
}
