// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import PeerInspection

@Suite("The processes that hold a connection to a bus", .timeLimit(.minutes(1)))
struct BusSocketsTests {
    /// A connection of this process, with the end that the bus has.
    private final class Connection {
        let descriptor: Int32
        private let accepted: Int32

        init(to listener: TestListener, closesOnExec: Bool) throws {
            let kind = Int32(SOCK_STREAM.rawValue) | (closesOnExec ? Int32(SOCK_CLOEXEC.rawValue) : 0)
            let own = socket(AF_UNIX, kind, 0)
            let isConnected = UnixAddress(path: listener.socketPath).withAddress { connect(own, $0, $1) } == 0
            let other = accept(listener.descriptor, nil, nil)
            try #require(isConnected && other >= 0 && fcntl(other, F_SETFD, FD_CLOEXEC) == 0)
            (descriptor, accepted) = (own, other)
        }

        deinit {
            close(descriptor)
            close(accepted)
        }

        var inode: UInt32 {
            get throws {
                var status = stat()
                try #require(fstat(descriptor, &status) == 0)
                return UInt32(status.st_ino)
            }
        }
    }

    private let listener: TestListener

    init() throws { listener = try TestListener() }

    @Test("The sockets that a program has made are listed apart from those that it may have inherited")
    func own() throws {
        let first = try Connection(to: listener, closesOnExec: true)
        let second = try Connection(to: listener, closesOnExec: false)
        let another = try TestListener()
        let unrelated = try Connection(to: another, closesOnExec: true)
        let copy = dup(first.descriptor)
        defer { close(copy) }
        let holding = try #require(try sockets(of: first).holding(of: getpid()))
        #expect(try holding.own == [first.inode] && holding.others == [second.inode])
        #expect(holding.connections == 2)
        #expect(try sockets(of: unrelated).holding(of: getpid())?.own == [unrelated.inode])
    }

    @Test("Another listener at the same path is another bus")
    func samePath() throws {
        let first = try Connection(to: listener, closesOnExec: true)
        try #require(unlink(listener.socketPath) == 0)
        let other = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(other) }
        try #require(UnixAddress(path: listener.socketPath).withAddress { bind(other, $0, $1) } == 0)
        try #require(listen(other, 4) == 0)
        let connected = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(connected) }
        try #require(UnixAddress(path: listener.socketPath).withAddress { connect(connected, $0, $1) } == 0)
        let accepted = accept(other, nil, nil)
        defer { close(accepted) }
        #expect(try sockets(of: first).holding(of: getpid())?.own == [first.inode])
    }

    @Test("A connection whose client has closed its end counts until the bus has closed its own")
    func closed() throws {
        let first = try Connection(to: listener, closesOnExec: true)
        let peer = try listener.start(try listener.fixture())
        #expect(try sockets(of: first).holding(of: getpid())?.connections == 2)
        kill(peer.process.identifier, SIGKILL)
        peer.process.wait()
        #expect(try sockets(of: first).holding(of: getpid())?.connections == 2)
    }

    @Test("What a process inherits may be another program's, and what another process has is not counted")
    func inherited() throws {
        let first = try Connection(to: listener, closesOnExec: true)
        let inherited = try Connection(to: listener, closesOnExec: false)
        let child = try ChildProcess("/usr/bin/sleep", ["60"], environment: [:])
        let held = try #require(try sockets(of: first).holding(of: child.identifier))
        #expect(try held.own == [] && held.others == [inherited.inode])
        let peer = try listener.start(try listener.fixture())
        let others = try #require(try sockets(of: first).holding(of: peer.process.identifier)).others
        #expect(try others.count == 2 && others.contains(inherited.inode), "its own, and what it has inherited")
    }

    @Test("Of a process that has ended nothing is known")
    func ended() throws {
        let first = try Connection(to: listener, closesOnExec: true)
        let peer = try listener.start(try listener.fixture())
        let process = peer.process.identifier
        kill(process, SIGKILL)
        peer.process.wait()
        #expect(throws: BusSockets.Failure.noProcess) { try sockets(of: first).holding(of: process) }
    }

    @Test("Without a connection to a listener with a name nothing is listed")
    func unnamed() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        defer { ends.forEach { close($0) } }
        let pair = BusSockets(connectedBy: ends[0])
        #expect(throws: BusSockets.Failure.notListed(ENOTCONN)) { try pair.holding(of: getpid()) }
    }

    private func sockets(of connection: Connection) -> BusSockets {
        BusSockets(connectedBy: connection.descriptor)
    }
}
