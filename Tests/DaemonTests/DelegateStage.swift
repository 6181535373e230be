// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support
import Testing

/// A daemon that has files of its own in /etc, and programs that see the same: in /etc/autofilld a delegate, its copy, and
/// the shop.
final class DelegateStage {
    static let isAvailable: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ownFiles + ["/usr", "true"]
        process.standardError = FileHandle.nullDevice
        return geteuid() == 0 && (try? process.run()).map { process.waitUntilExit() } != nil
            && process.terminationStatus == 0
    }()
    static let need = "needs root, the right to mount overlays, and SO_PEERPIDFD (Linux 6.5)"

    /// A shell with the files of a folder besides those of /etc becomes what follows the folder.
    private static let ownFiles = [
        "unshare", "--mount", "sh", "-c",
        #"d=$1; shift; mount -t overlay overlay -o "lowerdir=$d:/etc" /etc && exec "$@""#, "sh",
    ]

    let daemon: DaemonProcess
    private let folder: String
    private let listener: Int32

    init() throws {
        let folder = try TestFiles.folder()
        self.folder = folder
        chmod(folder, 0o755)
        let place = folder + "/autofilld"
        for name in ["apps", "delegates"] {
            try FileManager.default.createDirectory(
                atPath: "\(place)/\(name)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        }
        func write(_ name: String, _ content: [String: Any]) throws {
            let data = try JSONSerialization.data(withJSONObject: content, options: .withoutEscapingSlashes)
            try data.write(to: URL(filePath: "\(place)/\(name)"))
        }
        try write("delegates/autofill-test.json", ["executables": ["/etc/autofilld/front"]])
        for (name, program) in [("Front", "front"), ("Shop", "shop")] {
            let entitlements: [String: Any] = [
                "com.apple.developer.associated-domains": ["webcredentials:shop.example.com"],
                "com.apple.developer.authentication-services.autofill-credential-provider": true,
            ]
            try write(
                "apps/org.example.\(name).json",
                [
                    "bundleID": "org.example.\(name)", "name": name, "executables": ["/etc/autofilld/\(program)"],
                    "entitlements": entitlements,
                ])
        }
        for name in ["front", "copy", "shop"] {
            // By a process of its own: what another test's child holds open for writing cannot be run (ETXTBSY).
            let copy = Process()
            copy.executableURL = URL(filePath: "/usr/bin/install")
            copy.arguments = ["-m", "755", try DaemonProcess.program("peer-fixture"), "\(place)/\(name)"]
            try copy.run()
            copy.waitUntilExit()
            try #require(copy.terminationStatus == 0)
        }
        listener = try Self.listen(at: folder + "/programs")
        daemon = try DaemonProcess(
            registrations: "/etc/autofilld/apps",
            arguments: ["--consent", "allow", "--vault-key", try TestFiles.keyFile()],
            wrapper: Self.ownFiles + [folder])
    }

    deinit {
        close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func listen(at path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) } == 0
        }
        try #require(isBound && Glibc.listen(descriptor, 16) == 0)
        return descriptor
    }

    /// Starts one of the programs, which sees what the daemon sees.
    func start(_ name: String) throws -> Program {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/nsenter")
        process.arguments = [
            "--mount=/proc/\(daemon.process.processIdentifier)/ns/mnt", "/etc/autofilld/\(name)", folder + "/programs",
            daemon.socket,
        ]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        try #require(poll(&waiting, 1, 30_000) == 1, "\(name) did not connect")
        let connection = accept(listener, nil, nil)
        try #require(connection >= 0 && fcntl(connection, F_SETFD, FD_CLOEXEC) == 0)
        return try Program(process, SocketConnection(taking: connection))
    }

    /// What the daemon has open.
    var descriptors: Int {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.process.processIdentifier)/fd").count
        }
    }

    /// Tests/PeerFixture, which does as the test says.
    final class Program {
        let pidfd: Int32
        private let process: Process
        private let connection: SocketConnection

        fileprivate init(_ process: Process, _ connection: SocketConnection) throws {
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

        /// A connection to the daemon that this program has made. It sends what the test says, on the one that it made last; the
        /// test has the answers.
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
    }
}
