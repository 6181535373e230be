// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Glibc
import PathInspection
import Testing

@testable import ConfigurationFiles

/// The same rules as `RootOwnedTests`, on made-up facts: these run without root too.
@Suite("Which users could have written a file")
struct FileTrustTests {
    private static let user: UInt32 = 1000
    private let trust = FileTrust(userID: user)

    private func point(_ path: String, _ userID: UInt32, _ groupID: UInt32, _ mode: UInt32) -> PathWalk.Point {
        var facts = FileFacts()
        (facts.userID, facts.groupID, facts.mode) = (userID, groupID, mode)
        return PathWalk.Point(path: path, facts: facts)
    }

    private func directory(
        _ path: String, _ userID: UInt32 = 0, group: UInt32 = 0, _ mode: UInt32 = 0o755
    ) -> PathWalk.Point {
        point(path, userID, group, S_IFDIR | mode)
    }

    private func file(_ userID: UInt32 = 0, group: UInt32 = 0, _ mode: UInt32 = 0o644) -> PathWalk.Point {
        point("/d/f", userID, group, S_IFREG | mode)
    }

    @Test("Root's file on root's path is root's; one directory of the user's makes it the user's")
    func owners() throws {
        #expect(try trust.owner(of: [directory("/"), directory("/d"), file()]) == .root)
        #expect(try trust.owner(of: [directory("/"), directory("/d", Self.user), file()]) == .user)
        #expect(try trust.owner(of: [directory("/"), directory("/d"), file(Self.user)]) == .user)
        let link = point("/l", Self.user, Self.user, S_IFLNK | 0o777)
        #expect(try trust.owner(of: [directory("/"), link, directory("/d"), file()]) == .user)
        let rootsLink = point("/l", 0, 0, S_IFLNK | 0o777)
        #expect(try trust.owner(of: [directory("/"), rootsLink, directory("/d"), file()]) == .root)
    }

    @Test("A sticky directory keeps a file from being root's, not from being the user's")
    func sticky() throws {
        let way = [directory("/"), directory("/tmp", 0, 0o1777)]
        #expect(try trust.owner(of: way + [file()]) == .user)
        #expect(try trust.owner(of: way + [file(Self.user)]) == .user)
        #expect(throws: FileTrustError.foreign(path: "/d/f", owner: 1001)) { try trust.owner(of: way + [file(1001)]) }
        #expect(throws: FileTrustError.writable(path: "/tmp")) { try trust.check([directory("/tmp", 0, 0o777)]) }
    }

    @Test("Writing for the group is for strangers, unless the group is the user's own")
    func groups() throws {
        #expect(throws: FileTrustError.writable(path: "/d/f")) {
            try trust.owner(of: [file(Self.user, group: 100, 0o664)])
        }
        #expect(try trust.owner(of: [file(Self.user, group: Self.user, 0o664)]) == .user)
        #expect(throws: FileTrustError.writable(path: "/d/f")) {
            try trust.owner(of: [file(Self.user, group: Self.user, 0o666)])
        }
        #expect(throws: FileTrustError.writable(path: "/d/f")) { try FileTrust(userID: 0).owner(of: [file(0, 0o664)]) }
    }

    @Test("What a program of the user's serves is never root's, whatever owner it reports")
    func served() throws {
        let root = file().facts
        let served = PathWalk.Point(path: "/d/f", facts: root, isServed: true)
        #expect(try trust.owner(of: [directory("/"), directory("/d"), served]) == .user)
    }

    @Test("A sticky bit on a file protects nothing")
    func stickyFile() {
        #expect(throws: FileTrustError.writable(path: "/d/f")) { try trust.check([file(Self.user, 0o1666)]) }
    }
}
