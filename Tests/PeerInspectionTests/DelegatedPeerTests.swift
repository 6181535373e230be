// SPDX-License-Identifier: Apache-2.0
import CAutofillLinux
import Foundation
import PeerIdentity
import PeerInspection
import Testing

private let app = "org.example.Shop"

/// Kernels before 6.5 have no descriptor of a socket's other end.
private let hasPidfds: Bool = {
    var sockets: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0 else { return false }
    let pidfd = af_peer_pidfd(sockets[0])
    for descriptor in sockets + [pidfd] { af_close(descriptor) }
    return pidfd >= 0
}()

@Suite(.enabled(if: hasPidfds, "needs SO_PEERPIDFD, Linux 6.5")) struct DelegatedPeerTests {
    private let listener: TestListener
    private let inspector = KernelPath.pidfd.inspector()

    init() throws { listener = try TestListener() }

    @Test("A process whose descriptor was handed over is identified as if it had connected itself")
    func handedOver() throws {
        let peer = try listener.start(try listener.fixture())
        let pidfd = try Pidfd(of: peer)
        let handedOver = try inspector.inspect(pidfd: pidfd.number)
        var evidence = handedOver.evidence
        #expect(evidence.isHandedOver && evidence.isPinned)
        evidence.isHandedOver = false
        #expect(try evidence == inspector.inspect(peer.connection).evidence)
        try handedOver.confirm()
        let identified = try handedOver.evidence.identification(claiming: app, registration: nil)
        #expect(
            identified.grounds.first?.contains("was handed over, identified by the kernel's descriptor of it") == true)
    }

    @Test("What is no descriptor of a process is none, whatever it is")
    func notAProcess() throws {
        let peer = try listener.start(try listener.fixture())
        let directory = open("/proc/\(peer.process.identifier)", O_RDONLY)
        let file = open("\(listener.directory)/anon_inode:[pidfd]", O_RDWR | O_CREAT, 0o600)
        defer { for descriptor in [directory, file] { close(descriptor) } }
        for descriptor in [directory, file, peer.connection, -1, 999_999] {
            #expect(throws: PeerRefusal.notAProcess) { try inspector.inspect(pidfd: descriptor) }
        }
    }

    @Test("A process that has ended is refused, also before its parent has reaped it")
    func ended() throws {
        let peer = try listener.start(try listener.fixture())
        let pidfd = try Pidfd(of: peer)
        let inspected = try inspector.inspect(pidfd: pidfd.number)
        kill(peer.process.identifier, SIGKILL)
        var waiting = pollfd(fd: pidfd.number, events: Int16(POLLIN), revents: 0)
        try #require(poll(&waiting, 1, 120_000) == 1)
        #expect(throws: PeerRefusal.ended) { try inspector.inspect(pidfd: pidfd.number) }
        #expect(throws: PeerRefusal.ended) { try inspected.confirm() }
        peer.process.wait()
        #expect(throws: PeerRefusal.ended) { try inspector.inspect(pidfd: pidfd.number) }
    }

    @Test("A process of another user is refused", .enabled(if: geteuid() == 0, "needs root, to start one"))
    func otherUser() throws {
        let peer = try listener.start(
            "/usr/bin/setpriv",
            ["--reuid=65534", "--regid=65534", "--clear-groups", try listener.fixture(), listener.socketPath])
        let pidfd = try Pidfd(of: peer)
        #expect(throws: PeerRefusal.otherUser(65534)) { try inspector.inspect(pidfd: pidfd.number) }
    }

    @Test("The descriptor stays the caller's")
    func descriptorStaysTheCallers() throws {
        let peer = try listener.start(try listener.fixture())
        let pidfd = try Pidfd(of: peer)
        for _ in 0..<3 { _ = try inspector.inspect(pidfd: pidfd.number) }
        #expect(fcntl(pidfd.number, F_GETFD) >= 0)
    }

    @Test("Bytes arrive with all descriptors that were sent with them")
    func receiving() throws {
        var sockets: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &sockets) == 0)
        defer { close(sockets[1]) }
        try #require(af_name_senders(sockets[1]) == 0)
        var none = Received(from: sockets[1])
        #expect(none.bytes == -Int(EAGAIN))
        let before = try openDescriptors()
        try send("line\n", with: [0, sockets[0], 0], to: sockets[0])
        var received = Received(from: sockets[1])
        #expect(received.bytes == 5 && received.text == "line\n" && received.descriptors.count == 3)
        #expect(received.sender == getpid())
        #expect(received.descriptors.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 })
        received.close()
        #expect(try openDescriptors() == before)
        let most = AF_PASSED_DESCRIPTORS
        try send("x", with: Array(repeating: 0, count: most), to: sockets[0])
        var many = Received(from: sockets[1])
        #expect(many.bytes == 1 && many.descriptors.count == most)
        many.close()
        #expect(try openDescriptors() == before)
        try send("plain", with: [], to: sockets[0])
        none = Received(from: sockets[1])
        #expect(none.bytes == 5 && none.descriptors.isEmpty)
        close(sockets[0])
        // A process that another test starts meanwhile has the other end until it has become its program.
        var waiting = pollfd(fd: sockets[1], events: Int16(POLLIN), revents: 0)
        try #require(poll(&waiting, 1, 120_000) == 1)
        #expect(Received(from: sockets[1]).bytes == 0)
    }

    private func send(_ text: String, with descriptors: [Int32], to socket: Int32) throws {
        var control = [UInt8](repeating: 0, count: 16 + (descriptors.count * 4 + 7) / 8 * 8)
        control.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: 16 + descriptors.count * 4, as: Int.self)
            bytes.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
            bytes.storeBytes(of: 1, toByteOffset: 12, as: Int32.self)  // SCM_RIGHTS
            for (index, descriptor) in descriptors.enumerated() {
                bytes.storeBytes(of: descriptor, toByteOffset: 16 + index * 4, as: Int32.self)
            }
        }
        var text = Array(text.utf8)
        let sent = text.withUnsafeMutableBytes { bytes in
            var buffer = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
            return control.withUnsafeMutableBytes { control in
                withUnsafeMutablePointer(to: &buffer) { buffer in
                    var message = msghdr()
                    message.msg_iov = buffer
                    message.msg_iovlen = 1
                    if !descriptors.isEmpty {
                        message.msg_control = control.baseAddress
                        message.msg_controllen = control.count
                    }
                    return sendmsg(socket, &message, 0)
                }
            }
        }
        try #require(sent == text.count)
    }

    /// Those that lead to what the test sends: other tests open and close others meanwhile.
    private func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"))
                == (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/0"))
        }
    }
}

private struct Received {
    var bytes = 0
    var text = ""
    var descriptors: [Int32] = []
    var sender: Int32 = -1

    init(from socket: Int32) {
        var buffer = [UInt8](repeating: 0, count: 64)
        var numbers = [Int32](repeating: -1, count: AF_PASSED_DESCRIPTORS)
        var count: Int32 = 0
        bytes = af_receive_from(socket, &buffer, buffer.count, &sender, &numbers, &count)
        text = String(decoding: buffer.prefix(max(0, bytes)), as: UTF8.self)
        descriptors = Array(numbers[..<Int(count)])
    }

    mutating func close() {
        for descriptor in descriptors { Glibc.close(descriptor) }
        descriptors = []
    }
}

private struct Pidfd: ~Copyable {
    let number: Int32

    init(of peer: TestPeer) throws {
        number = af_peer_pidfd(peer.connection)
        let isThere = number >= 0
        try #require(isThere)
    }

    deinit { close(number) }
}
