// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support
import Testing

/// A program that a test has installed and started: Tests/PeerFixture, which executes the test's commands.
final class StagedProgram {
    let pidfd: Int32
    private let process: Process
    private let connection: SocketConnection

    private init(_ process: Process, _ connection: SocketConnection) throws {
        (self.process, self.connection) = (process, connection)
        var (pidfd, size): (Int32, socklen_t) = (-1, 4)
        // SO_PEERPIDFD.
        let result = getsockopt(connection.descriptor, SOL_SOCKET, 77, &pidfd, &size)
        self.pidfd = pidfd
        try #require(result == 0)
    }

    deinit {
        end()
        close(pidfd)
    }

    /// Installs the program at a path. By another process: a file that another test's child has open for writing cannot be
    /// executed (ETXTBSY).
    static func install(at path: String) throws {
        let copy = Process()
        copy.executableURL = URL(filePath: "/usr/bin/install")
        copy.arguments = ["-m", "755", try DaemonProcess.program("peer-fixture"), path]
        try copy.run()
        copy.waitUntilExit()
        try #require(copy.terminationStatus == 0)
    }

    /// A connection of this program to the daemon. The program sends the test's bytes on its last connection; the test
    /// receives the answers.
    func connect() throws -> SocketConnection {
        try connection.send(Array("p".utf8))
        let made = SocketConnection(taking: try connection.receiveDescriptor())
        made.sender = { [connection] bytes, descriptors in
            let length = withUnsafeBytes(of: UInt32(bytes.count)) { Array($0) }
            try connection.send(Array("s".utf8) + length)
            if descriptors.isEmpty {
                try connection.send(bytes)
            } else {
                try connection.send(bytes, with: descriptors)
            }
            var answer: UInt8 = 0
            try #require(recv(connection.descriptor, &answer, 1, 0) == 1 && answer == UInt8(ascii: "s"))
        }
        return made
    }

    func end() {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// The socket where programs report that they run.
    final class Listener {
        private let path: String
        private let descriptor: Int32

        init(at path: String) throws {
            self.path = path
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            self.descriptor = descriptor
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
            let size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let isBound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) } == 0
            }
            try #require(isBound && listen(descriptor, 16) == 0)
        }

        deinit { close(descriptor) }

        /// Starts a command, which is the program or executes it; nil where it is another program, which ends or reports nothing.
        func start(_ command: [String], _ daemon: String) throws -> StagedProgram? {
            let process = Process()
            process.executableURL = URL(filePath: command[0])
            process.arguments = command.dropFirst() + [path, daemon]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            for _ in 0..<300 where poll(&waiting, 1, 100) == 1 || !process.isRunning { break }
            guard poll(&waiting, 1, 0) == 1 else {
                process.terminate()
                return nil
            }
            let connection = accept(descriptor, nil, nil)
            try #require(connection >= 0 && fcntl(connection, F_SETFD, FD_CLOEXEC) == 0)
            return try StagedProgram(process, SocketConnection(taking: connection))
        }
    }
}
