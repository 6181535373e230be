// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncFiles

@Suite("Names of files")
struct SyncFileNameTests {
    @Test("A name is read as it was written")
    func roundTrip() {
        for sequence in [1, 42, 99_999_999] as [UInt64] {
            for isSnapshot in [true, false] {
                let name = SyncFileName(of: [1, 2, UInt8(sequence & 0xFF)], sequence: sequence, isSnapshot: isSnapshot)
                #expect(SyncFileName("\(name)") == name)
            }
        }
        // SHA-256 of nothing.
        let name = SyncFileName(of: [], sequence: 7, isSnapshot: true)
        #expect("\(name)" == "00000007-e3b0c44298fc1c14.snap")
    }

    @Test(
        "Names of other forms are no names",
        arguments: [
            "", "00000007-e3b0c44298fc1c14", "00000007-e3b0c44298fc1c14.snap ", "0000007-e3b0c44298fc1c14.snap",
            "00000000-e3b0c44298fc1c14.snap", "00000007-E3B0C44298FC1C14.snap", "00000007_e3b0c44298fc1c14.snap",
            "0000000a-e3b0c44298fc1c14.snap", "00000007-e3b0c44298fc1c1g.snap", "+0000007-e3b0c44298fc1c14.snap",
            ".syncthing.00000007-e3b0c44298fc1c14.snap.tmp", "00000007-e3b0c44298fc1c14.snap.part",
            "00000007-e3b0c44298fc1c14 (conflicted copy 2026-11-28 222841).snap",
            ".00000007-e3b0c44298fc1c14.snap.~7a866f0",
            "00000007-e3b0c44298fc1c14.SNAP", "00000007-e3b0c44298fc1c14.sync-conflict-../.snap",
            "../00000007-e3b0c44298fc1c14.snap",
        ])
    func foreign(name: String) { #expect(SyncFileName(name) == nil) }

    @Test("A copy that Syncthing made of a conflict is read by its original name")
    func conflict() {
        let name = SyncFileName("00000007-e3b0c44298fc1c14.sync-conflict-20261126-141638-ABCDEF7.delta")
        #expect(name == SyncFileName("00000007-e3b0c44298fc1c14.delta"))
        #expect(name != nil)
    }
}
