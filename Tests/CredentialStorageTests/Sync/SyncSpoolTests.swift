// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SyncFiles
import SyncMerge
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("The spool that a vault shares with the carrier")
struct SyncSpoolTests {
    private let directory: TemporaryDirectory
    private let spool: SyncSpool
    private let group = GroupID(rawValue: 7)
    private let device = DeviceID(rawValue: 8)
    private let name = SyncFileName(of: [1, 2, 3], sequence: 5, isSnapshot: false)

    init() throws {
        directory = try TemporaryDirectory()
        spool = SyncSpool(at: directory.path + "/spool")
        try spool.make()
        try FileManager.default.createDirectory(atPath: folder(), withIntermediateDirectories: true)
    }

    /// Where the carrier puts what it brings.
    private func folder(of group: GroupID? = nil) -> String {
        "\(spool.path)/in/\((group ?? self.group).hexadecimal)/\(device.hexadecimal)"
    }

    private func bring(_ bytes: [UInt8], _ name: String, of group: GroupID? = nil) throws {
        let folder = folder(of: group)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }

    @Test("It is private to the user, and what is written is in out alone, under its final name")
    func written() throws {
        try spool.write(name, [1, 2, 3], of: device, in: group)
        for folder in ["", "/out", "/in", "/out/\(group.hexadecimal)"] {
            let mode = try FileManager.default.attributesOfItem(atPath: spool.path + folder)[.posixPermissions]
            #expect(mode as? Int == 0o700)
        }
        #expect(VaultDirectory.names(in: spool.directory(of: device, in: group)) == ["\(name)"])
        #expect(spool.names(of: device, in: group) == [name] && spool.received(of: device, in: group).isEmpty)
        #expect(spool.read(name, of: device, in: group) == [1, 2, 3])
        #expect(spool.readReceived(name, of: device, in: group) == nil)
        spool.remove(name, of: device, in: group)
        #expect(spool.names(of: device, in: group).isEmpty)
    }

    @Test("A received file is read until it is settled; what is no plain file of such a name never is")
    func received() throws {
        try bring([1, 2, 3], "\(name)")
        try bring([1], "notes.txt")
        try bring([1], ".\(name).partial")
        try bring([1], "00000009-00000000000000AB.delta")
        for (number, make) in [
            { mkfifo($0, 0o600) }, { mkdir($0, 0o700) }, { symlink("/etc/passwd", $0) },
        ].enumerated() as EnumeratedSequence<[(String) -> Int32]> {
            let other = SyncFileName(of: [UInt8(number)], sequence: 6, isSnapshot: true)
            #expect(make("\(folder())/\(other)") == 0)
            #expect(spool.readReceived(other, of: device, in: group) == nil)
        }
        #expect(spool.received(of: device, in: group) == [name] && spool.devices(in: group) == [device])
        #expect(spool.readReceived(name, of: device, in: group) == [1, 2, 3])
        #expect(spool.readReceived(name, of: device, in: group, most: 2) == [1, 2])
        #expect(spool.settle(name, of: device, in: group))
        #expect(spool.received(of: device, in: group).isEmpty)
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder())/\(name)")).isEmpty)
        #expect(!VaultDirectory.names(in: folder()).contains { $0.hasSuffix(".partial") })
    }

    @Test("A file that is settled as rejected is counted until it is removed; any other one is not")
    func rejected() throws {
        let names = (1...3).map { SyncFileName(of: [UInt8($0)], sequence: UInt64($0), isSnapshot: false) }
        for name in names { try bring([1], "\(name)") }
        #expect(spool.settle(names[0], of: device, in: group, isRejected: true))
        #expect(spool.settle(names[1], of: device, in: group))
        #expect(spool.rejected(in: group) == [device: 1])
        #expect(spool.received(of: device, in: group) == [names[2]])
        spool.bringAgain(names[0], of: device, in: group)
        #expect(spool.rejected(in: group).isEmpty)
    }

    @Test("Files are in the order of their sequences, and of one sequence the snapshot is first")
    func order() throws {
        let names = [(3, false), (1, false), (3, true), (2, false)].map {
            SyncFileName(of: [UInt8($0.0)], sequence: $0.0, isSnapshot: $0.1)
        }
        for name in names { try bring([1], "\(name)") }
        #expect(spool.received(of: device, in: group) == [names[1], names[3], names[2], names[0]])
    }

    @Test(
        "Invitations of all groups are found, and answers of one; neither where it is settled, too large, or ill-named")
    func invitations() throws {
        let id = UInt128(77).hexadecimal, other = GroupID(rawValue: 9)
        try bring([1], "\(id).invitation")
        try bring([2], "\(id).invitation", of: other)
        try bring([3], "\(id).answer")
        try bring([], "\(UInt128(78).hexadecimal).invitation")
        try bring([UInt8](repeating: 1, count: 65_537), "\(UInt128(79).hexadecimal).invitation")
        try bring([1], "4d.invitation")
        let found = spool.invitations()
        #expect(found.map(\.group) == [group, other] && found.map(\.bytes) == [[1], [2]])
        #expect(spool.answers(in: group) == [[3]] && spool.answers(in: other).isEmpty)
        try spool.putInvitation([4], id: 77, of: device, in: group)
        try spool.putAnswer([5], id: 77, of: device, in: group)
        let folder = spool.directory(of: device, in: group)
        #expect(VaultDirectory.names(in: folder).sorted() == ["\(id).answer", "\(id).invitation"])
        spool.removeInvitations(of: device, in: group, besides: 77)
        spool.removeInvitation(78, of: device, in: group)
        #expect(VaultDirectory.names(in: folder).count == 2)
        spool.removeInvitation(77, of: device, in: group)
        #expect(VaultDirectory.names(in: folder) == ["\(id).answer"])
        try spool.putInvitation([4], id: 77, of: device, in: group)
        spool.removeInvitations(of: device, in: group)
        #expect(VaultDirectory.names(in: folder) == ["\(id).answer"])
        spool.removeAnswers(of: device, in: group)
        #expect(VaultDirectory.names(in: folder).isEmpty)
    }

    @Test("What was received is removed without the carrier's state, and all of it with what was put out")
    func cleared() throws {
        try spool.write(name, [1, 2, 3], of: device, in: group)
        try bring([1, 2, 3], "\(name)")
        try Data([1]).write(to: URL(fileURLWithPath: spool.path + "/in/state.json"))
        try Data([1]).write(to: URL(fileURLWithPath: spool.path + "/carrier.json"))
        spool.clearReceived()
        #expect(VaultDirectory.names(in: spool.path + "/in") == ["state.json"])
        #expect(spool.names(of: device, in: group) == [name])
        try FileManager.default.createSymbolicLink(
            atPath: spool.path + "/in/link", withDestinationPath: directory.path)
        spool.removeAll()
        #expect(VaultDirectory.names(in: spool.path) == ["carrier.json"])
        #expect(VaultDirectory.exists(directory.path))
    }
}
