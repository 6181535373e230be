// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Testing

@testable import AutofillCommands

@Suite("autofillctl sync status, as text")
struct SyncStatusTextTests {
    private func line(_ name: String, of status: SyncStatus.Answer) -> String? {
        status.lines.first { $0.0 == name }?.1
    }

    @Test("What the location had lost is a sentence with the number of files, and files that are ignored are named")
    func files() {
        let restored = SyncRestored(
            files: 14, oldest: "2026-11-03T12:00:00.000Z", time: "2026-11-27T10:00:00.000Z")
        let status = SyncStatus.Answer(state: .active, location: .folder("/f"), restored: restored, ignored: 3)
        #expect(
            line("restored", of: status)
                == "2026-11-27 10:00Z: the files there had gone back to before 2026-11-03 12:00Z, or were lost; "
                + "14 files of this machine were written again, and nothing is lost")
        #expect(line("ignored", of: status) == "3 files, changed or malformed: check who can write there")
        let quiet = SyncStatus.Answer(state: .active, location: .folder("/f"))
        #expect(line("restored", of: quiet) == nil && line("ignored", of: quiet) == nil)
    }

    @Test("What is stated while sync is active is a note, and no problem")
    func note() {
        let note = "A copy is in use."
        let active = SyncStatus.Answer(state: .active, location: .folder("/f"), problem: note)
        #expect(line("note", of: active) == note && line("problem", of: active) == nil)
        let paused = SyncStatus.Answer(state: .paused, location: .folder("/f"), problem: note)
        #expect(line("problem", of: paused) == note && line("note", of: paused) == nil)
    }

    @Test("A former id of this machine is listed as one, and of two machines with one name the ids are asked for")
    func devices() {
        let id = String(repeating: "1", count: 32), former = String(repeating: "2", count: 32)
        let devices = [
            SyncDevice(device: id, name: "desktop", isThis: true, isMember: true, merged: nil, missing: 0),
            SyncDevice(
                device: former, name: "desktop", isThis: false, isMember: true, isFormer: true, merged: nil, missing: 0),
        ]
        let lines = Table(devices).lines(width: nil)
        #expect(lines.contains { $0.contains(id) && $0.contains("this machine") })
        #expect(lines.contains { $0.contains(former) && $0.contains("former id of this machine") })
        #expect(throws: CommandFailure.self) { try devices.named("desktop") }
        #expect(throws: Never.self) { try devices.named(former) }
    }
}
