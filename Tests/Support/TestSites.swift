// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Glibc
import Synchronization

/// The sites of the tests, on a port of this machine, and `autofill-associations` led there.
package final class TestSites: Sendable {
    package enum Failure: Error { case noPort, notListening }

    package static let folder = TestFiles.root + "Tests/AssociationFetchTests/"
    package static let authority = folder + "Certificates/authority.pem"
    package let port: Int
    private let input: FileHandle
    private let programs = Mutex<[pid_t]>([])

    /// Starts them; they end with this object, or with the tests' program.
    package init() throws {
        let (input, output, process) = (Pipe(), Pipe(), Process())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", Self.folder + "site.py"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte[0] != 0x0A {
            line += byte
        }
        guard let port = Int(String(decoding: line, as: UTF8.self)) else { throw Failure.noPort }
        self.port = port
        self.input = input.fileHandleForWriting
    }

    deinit {
        try? input.close()
        for program in programs.withLock({ $0 }) { kill(program, SIGKILL) }
    }

    /// Starts `autofill-associations` on a socket, as systemd would.
    ///
    /// - Parameters:
    ///   - address: of every site; nil for the machine's lookup of names.
    ///   - authority: trusted besides the system's.
    ///   - environment: what is added to the program's environment.
    ///   - wrapper: a command that becomes the program.
    /// - Returns: the process.
    @discardableResult package func serveAssociations(
        at socket: String, testAllModes: Bool = true, timeLimit: Int? = nil, address: String? = "127.0.0.1",
        authority: String? = TestSites.authority,
        environment: [String: String] = [:], wrapper: [String] = []
    ) throws -> pid_t {
        let program = Process()
        program.executableURL = URL(filePath: "/usr/bin/env")
        program.arguments =
            ["python3", Self.folder + "site.py", socket] + wrapper
            + [
                try DaemonProcess.program("autofill-associations"), "--allow-address", "127.0.0.1/32", "--port",
                "\(port)",
            ] + (authority.map { ["--certificate-authority", $0] } ?? []) + (address.map { ["--address", $0] } ?? [])
            + (testAllModes ? ["--test-all-modes"] : [])
            + (timeLimit.map { ["--test-time-limit", "\($0)"] } ?? [])
        program.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        program.standardInput = FileHandle.nullDevice
        try program.run()
        programs.withLock { $0.append(program.processIdentifier) }
        let deadline = Date(timeIntervalSinceNow: 120)
        while Date() < deadline, program.isRunning {
            if let connection = try? SocketConnection(to: socket) {
                connection.close()
                return program.processIdentifier
            }
            usleep(2000)
        }
        throw Failure.notListening
    }
}
