// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncCarrier

/// The same cases as those of SyncFileName, which this module does not link.
@Suite("Names of carried files")
struct CarriedFileNameTests {
    @Test("Names of snapshots, deltas, invitations and answers are carried")
    func accepted() {
        for sequence in ["00000001", "00000042", "99999999"] {
            for kind in ["snap", "delta"] {
                let name = CarriedFileName("\(sequence)-e3b0c44298fc1c14.\(kind)")
                #expect(name?.text == "\(sequence)-e3b0c44298fc1c14.\(kind)")
                #expect(name?.hash == "e3b0c44298fc1c14" && name?.isConflictCopy == false)
                #expect(name?.isInvitation == false)
            }
        }
        let id = "0123456789abcdef0123456789abcdef"
        #expect(CarriedFileName("\(id).invitation")?.isInvitation == true)
        #expect(CarriedFileName("\(id).answer")?.isInvitation == false)
        #expect(CarriedFileName("\(id).answer")?.hash == nil)
    }

    @Test(
        "Names of other forms are not carried",
        arguments: [
            "", "00000007-e3b0c44298fc1c14", "00000007-e3b0c44298fc1c14.snap ", "0000007-e3b0c44298fc1c14.snap",
            "00000000-e3b0c44298fc1c14.snap", "00000007-E3B0C44298FC1C14.snap", "00000007_e3b0c44298fc1c14.snap",
            "0000000a-e3b0c44298fc1c14.snap", "00000007-e3b0c44298fc1c1g.snap", "+0000007-e3b0c44298fc1c14.snap",
            ".syncthing.00000007-e3b0c44298fc1c14.snap.tmp", "00000007-e3b0c44298fc1c14.snap.part",
            "00000007-e3b0c44298fc1c14 (conflicted copy 2026-11-28 222841).snap",
            ".00000007-e3b0c44298fc1c14.snap.~7a866f0",
            "00000007-e3b0c44298fc1c14.SNAP", "00000007-e3b0c44298fc1c14.sync-conflict-../.snap",
            "../00000007-e3b0c44298fc1c14.snap", ".00000007-e3b0c44298fc1c14.snap.partial",
            "00000007-e3b0c44298fc1c14.other.snap", "0123456789abcdef0123456789abcde.invitation",
            "0123456789ABCDEF0123456789abcdef.invitation", "0123456789abcdef0123456789abcdef.snap",
            "0123456789abcdef0123456789abcdef.sync-conflict-1.answer", "0123456789abcdef0123456789abcdef.",
            "00000007-e3b0c44298fc1c14.délta", "state.json",
        ])
    func foreign(name: String) { #expect(CarriedFileName(name) == nil) }

    @Test("A copy that Syncthing made of a conflict has its original's name in the spool")
    func conflict() {
        let name = CarriedFileName("00000007-e3b0c44298fc1c14.sync-conflict-20261126-141638-ABCDEF7.delta")
        #expect(name?.text == "00000007-e3b0c44298fc1c14.delta")
        #expect(name?.isConflictCopy == true)
    }

    @Test(
        "Only 32 lower-case hexadecimal digits name a group or a device",
        arguments: [
            "", "..", "0123456789abcdef", "0123456789ABCDEF0123456789abcdef", "0123456789abcdef0123456789abcdeg",
        ])
    func identifiers(name: String) {
        #expect(!CarriedFileName.isIdentifier(name))
        #expect(CarriedFileName.isIdentifier("0123456789abcdef0123456789abcdef"))
    }
}
