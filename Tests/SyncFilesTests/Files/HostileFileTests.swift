// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge
import TestGround
import Testing

@testable import SyncFiles

/// Everything in the folder is hostile. Each change is refused, for its own reason.
@Suite("Hostile files")
struct HostileFileTests {
    @Test("A file that is cut off anywhere, or longer, is refused")
    func length() throws {
        var group = try TestGroup()
        let file = try group.delta(statements: group.members.statements)
        for length in 0..<file.bytes.count {
            let cut = Array(file.bytes.prefix(length))
            #expect(failure { () throws(SyncFileError) in try group.read(cut, name: file.name) } == .hashDiffers)
            #expect(failure { () throws(SyncFileError) in try group.read(cut) } == .truncated)
        }
        #expect(failure { () throws(SyncFileError) in try group.read(file.bytes + [0]) } == .trailingBytes)
    }

    @Test("A file with any changed byte is refused")
    func changed() throws {
        var group = try TestGroup()
        let file = try group.delta(statements: group.members.statements)
        for position in file.bytes.indices {
            var bytes = file.bytes
            bytes[position] ^= 1 << UInt8(position % 8)
            #expect(failure { () throws(SyncFileError) in try group.read(bytes, name: file.name) } == .hashDiffers)
            #expect(failure { () throws(SyncFileError) in try group.content(bytes).operations } != nil)
        }
    }

    private func reason(_ change: (inout [UInt8]) -> Void) throws -> SyncFileError? {
        var group = try TestGroup()
        var bytes = try group.delta(statements: group.members.statements).bytes
        change(&bytes)
        return failure { () throws(SyncFileError) in try group.content(bytes).operations }
    }

    @Test("Each field of the header is checked, and the signature covers all of it")
    func header() throws {
        #expect(try reason { $0[0] = 0 } == .notASyncFile)
        #expect(try reason { $0[4] = 2 } == .newerFormat(2))
        let magic = Array("AFsy".utf8)
        #expect(SyncFileHeader.isNewerFormat(magic + [2]) && !SyncFileHeader.isNewerFormat(magic + [1]))
        #expect(!SyncFileHeader.isNewerFormat(magic) && !SyncFileHeader.isNewerFormat(magic.reversed() + [2]))
        #expect(SyncFileHeader.formatByteCount == 5)
        #expect(try reason { $0[4] = 0 } == .headerMalformed)
        #expect(try reason { $0[5] = 3 } == .headerMalformed)
        #expect(try reason { $0[5] = 1 } == .headerMalformed)
        #expect(try reason { $0[6] ^= 1 } == .otherGroup)
        #expect(try reason { $0[22] ^= 1 } == .otherDevice)
        #expect(try reason { $0.replaceSubrange(38..<46, with: [0, 0, 0, 0, 0, 0, 0, 4]) } == .headerMalformed)
        #expect(try reason { $0.replaceSubrange(38..<46, with: [0, 0, 0, 0, 0, 0, 0, 0]) } == .headerMalformed)
        #expect(try reason { $0.replaceSubrange(46..<54, with: repeatElement(0xFF, count: 8)) } == .headerMalformed)
        #expect(try reason { $0[45] = 2 } == .signatureInvalid)
        #expect(try reason { $0[54] ^= 1 } == .signatureInvalid)
        #expect(try reason { $0[70] = 0xFF } == .tooManyStatements)
        #expect(try reason { $0[74] = 0xFF } == .truncated)
        #expect(try reason { $0[82] = 0xFF } == .statementMalformed)
        #expect(try reason { $0[77] -= 1 } == .statementMalformed)
        #expect(try reason { $0[73] -= 1 } == .statementMalformed)
        #expect(try reason { $0.replaceSubrange(78..<82, with: [0, 0, 0, 0]) } == .headerMalformed)
        #expect(try reason { $0[78] = 0xFF } == .truncated)
        #expect(try reason { $0[$0.count - 1] ^= 1 } == .signatureInvalid)
    }

    @Test("A file in another group's or another device's directory, or under another name, is refused")
    func elsewhere() throws {
        var group = try TestGroup()
        let other = try TestGroup(seed: 2), file = try group.delta()
        #expect(failure { () throws(SyncFileError) in try other.read(file.bytes) } == .otherGroup)
        #expect(failure { () throws(SyncFileError) in try group.read(file.bytes, of: group.laptop) } == .otherDevice)
        for (sequence, isSnapshot) in [(4, false), (3, true)] as [(UInt64, Bool)] {
            let name = SyncFileName(of: file.bytes, sequence: sequence, isSnapshot: isSnapshot)
            #expect(failure { () throws(SyncFileError) in try group.read(file.bytes, name: name) } == .nameDiffers)
        }
        let name = SyncFileName(of: [], sequence: 3, isSnapshot: false)
        #expect(failure { () throws(SyncFileError) in try group.read(file.bytes, name: name) } == .hashDiffers)
    }

    @Test("A huge file is refused before anything is read")
    func huge() throws {
        let group = try TestGroup()
        let bytes = [UInt8](repeating: 0, count: SyncFileLimits.fileBytes + 1)
        #expect(failure { () throws(SyncFileError) in try group.read(bytes) } == .tooLarge)
    }

    @Test("A file that another member signed in a device's name is refused, and one of a stranger")
    func otherWriter() throws {
        var group = try TestGroup()
        var bytes = try group.delta().bytes
        let end = bytes.count - 64
        bytes.replaceSubrange(end..., with: try group.laptop.sign(bytes[..<end], as: .file))
        #expect(failure { () throws(SyncFileError) in try group.content(bytes).operations } == .signatureInvalid)
        // A signature for another purpose.
        bytes.replaceSubrange(end..., with: try group.desktop.sign(bytes[..<end], as: .statement))
        #expect(failure { () throws(SyncFileError) in try group.content(bytes).operations } == .signatureInvalid)
        let stranger = try KeyPairs.random(using: &group.entropy)
        let file = try group.writer(stranger).delta(
            1...1, [], vector: VersionVector(), statements: [], using: &group.entropy)
        #expect(
            failure { () throws(SyncFileError) in try group.content(file.bytes, of: stranger).operations }
                == .notAMember(stranger.device))
    }

    @Test("Of a removed device only the files up to its cut are read, whatever they contain")
    func removed() throws {
        var group = try TestGroup()
        let writer = group.writer(group.laptop)
        let files = try [2...2, 3...3, 2...3].map { range in
            try writer.delta(range, [], vector: VersionVector(), statements: [], using: &group.entropy)
        }
        let snapshot = try writer.snapshot(
            4, SyncState(), vector: VersionVector(), statements: [], using: &group.entropy)
        try group.remove(group.laptop, last: 2, by: .device(group.desktop), sequence: 3)
        let laptop = group.laptop
        #expect(try group.content(files[0].bytes, of: laptop).operations == [])
        for file in files[1...] + [snapshot] {
            #expect(
                failure { () throws(SyncFileError) in try group.content(file.bytes, of: laptop).operations }
                    == .removed(laptop.device))
        }
    }

    @Test("A device that only a statement beyond its signer's cut admits is no member")
    func admittedTooLate() throws {
        var group = try TestGroup()
        let late = try KeyPairs.random(using: &group.entropy)
        try group.admit(late, by: group.laptop, sequence: 5)
        let file = try group.writer(late).delta(
            1...1, [], vector: VersionVector(), statements: [], using: &group.entropy)
        #expect(try group.content(file.bytes, of: late).operations == [])
        try group.remove(group.laptop, last: 4, by: .device(group.desktop), sequence: 3)
        #expect(
            failure { () throws(SyncFileError) in try group.content(file.bytes, of: late).operations }
                == .notAMember(late.device))
    }

    @Test("A file of another epoch is not opened, and not one that is sealed with another key or for another device")
    func otherKeys() throws {
        var group = try TestGroup()
        let file = try group.delta(), former = group.epochKey
        try group.drawKey(by: group.laptop, sequence: 1)
        #expect(
            failure { () throws(SyncFileError) in try group.content(file.bytes).operations } == .otherEpoch(former.id))
        group.epochKey = former
        #expect(try group.content(file.bytes).operations.count == 3)
        // The laptop's copy of the desktop's sealed batches, which it signs itself.
        var bytes = file.bytes
        bytes.replaceSubrange(22..<38, with: group.laptop.device.rawValue.bytes)
        let end = bytes.count - 64
        bytes.replaceSubrange(end..., with: try group.laptop.sign(bytes[..<end], as: .file))
        #expect(
            failure { () throws(SyncFileError) in try group.content(bytes, of: group.laptop).operations } == .sealBroken
        )
    }

    @Test("A member's file with batches that are swapped, repeated, or with other statements does not open")
    func swappedBatches() throws {
        var group = try TestGroup()
        let state = RandomState(seed: 4, devices: [group.desktop.device]).state
        var writer = group.writer(group.desktop)
        writer.batchBytes = 10_000
        let file = try writer.snapshot(
            99, state, vector: VersionVector(), statements: [], using: &group.entropy)
        let batches = try group.read(file.bytes).batches.map { Array(file.bytes[($0.lowerBound - 4)..<$0.upperBound]) }
        let start = Array(file.bytes[..<82])
        func signed(_ bytes: [UInt8]) throws -> [UInt8] { bytes + (try group.desktop.sign(bytes, as: .file)) }
        #expect(batches.count > 2)
        #expect(try group.content(try signed(start + batches.joined())).operations == state.operations)
        for order in [[0, 2, 1], [0, 1, 1], [1, 0, 2]] {
            let bytes = try signed(start + order.flatMap { batches[$0] } + batches[3...].joined())
            #expect(failure { () throws(SyncFileError) in try group.content(bytes).operations } == .sealBroken)
        }
    }
}
