// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import EventLoop
import Foundation
import Support
import TestGround
import Testing

@Suite("Sync: what its status states of files and machines")
struct SyncStatusTests {
    private let desktop: SyncedService
    private let laptop: SyncedService

    init() throws {
        desktop = try SyncedService()
        laptop = try SyncedService()
    }

    @Test("A machine's new name is shown by itself and by the others, and to change it takes proof")
    func renamed() throws {
        #expect(try desktop.user.reasons(for: SyncRename(name: "office", proof: .test)) == ["sync-off"])
        var carrier = try TestCarrier()
        _ = try carrier.letIn(laptop, by: desktop)
        #expect(try desktop.user.reasons(for: SyncRename(name: "office", proof: nil)) == ["proof-required"])
        #expect(try desktop.user.answer(to: SyncRename(name: "office", proof: .test)).changed)
        #expect(try !desktop.user.answer(to: SyncRename(name: "office", proof: .test)).changed)
        for _ in 0..<2 { try carrier.carry(desktop, laptop) }
        for machine in [desktop, laptop] { #expect(try machine.status.devices.map(\.name) == ["office", "laptop"]) }
    }

    @Test("Where autofill-sync has reported nothing for 45 minutes that the machine was awake, it is stated not to run")
    func silent() throws {
        var carrier = try TestCarrier()
        _ = try carrier.letIn(laptop, by: desktop)
        let valid = Duration.milliseconds(CarrierReport.validMilliseconds)
        desktop.daemon.clock.sleep(for: valid)
        desktop.daemon.clock.advance(by: valid - .milliseconds(1))
        try desktop.user.answer(to: VaultUnlock(proof: .test))
        #expect(try desktop.status.state == .active)
        desktop.daemon.clock.advance(by: .milliseconds(1))
        let silent = try desktop.status
        #expect(silent.state == .paused && silent.problem?.hasPrefix("autofill-sync does not run") == true)
        #expect(silent.problem?.contains("journalctl --user -u autofill-sync") == true)
        try carrier.report(to: desktop)
        #expect(try desktop.status.state == .active)
    }

    @Test("Files of others that are malformed are counted while they are there, by a later daemon too")
    func ignored() throws {
        var carrier = try TestCarrier()
        _ = try carrier.letIn(laptop, by: desktop)
        #expect(try laptop.status.ignored == nil)
        let device = try #require(try laptop.status.devices.first { !$0.isThis }?.device)
        let received = laptop.spool + "/in"
        let group = try #require(
            try FileManager.default.contentsOfDirectory(atPath: received).first { $0.utf8.count == 32 })
        // The name has the hash of the content.
        let path = "\(received)/\(group)/\(device)/00000009-4bd677944d3887ef.delta"
        try Data("no file of sync".utf8).write(to: URL(fileURLWithPath: path))
        try desktop.save("new")
        try desktop.publish()
        for _ in 0..<2 { try carrier.carry(desktop, laptop) }
        #expect(try laptop.status.ignored == 1 && laptop.status.state == .active)
        #expect(try laptop.password() == "new")
        #expect(try desktop.status.ignored == nil)
        let later = try laptop.restarted()
        #expect(try later.answer(to: SyncStatus(proof: .test)).ignored == 1)
        try FileManager.default.removeItem(atPath: path)
        try later.answer(to: VaultLock())
        try later.answer(to: VaultUnlock(proof: .test))
        #expect(try later.answer(to: SyncStatus(proof: .test)).ignored == nil)
    }

    @Test("What the location had lost is stated for thirty days")
    func restored() throws {
        var carrier = try TestCarrier()
        _ = try carrier.letIn(laptop, by: desktop)
        #expect(try desktop.status.restored == nil)
        carrier.restored = RestoredFiles(files: 14, oldest: 1_795_000_000_000, time: 1_795_253_400_000)
        try carrier.carry(desktop, laptop)
        let restored = try #require(try desktop.status.restored)
        #expect(restored.files == 14 && restored.oldest.hasPrefix("2026-11-18T"))
        #expect(restored.time == "2026-11-21T09:30:00.000Z")
        desktop.daemon.clock.advance(by: .seconds(31 * 86_400))
        try desktop.user.answer(to: VaultUnlock(proof: .test))
        #expect(try desktop.status.restored == nil)
    }
}
