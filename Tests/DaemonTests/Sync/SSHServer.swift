// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support
import Testing

/// The system's sshd on loopback, with keys of its own, and a bare repository that is reached through it.
final class SSHServer {
    private static let needed = ["/usr/sbin/sshd", "/usr/bin/ssh", "/usr/bin/ssh-keygen", BareRepository.program]
    static var isInstalled: Bool { needed.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) } }

    /// A directory with an ssh(1) that has the key: it reads no file of the user's.
    let programs: String
    let url: String
    private let repository: BareRepository
    private let directory: String
    private let port: UInt16
    private var process: SpawnedProgram?

    init() throws {
        repository = try BareRepository()
        directory = try TestFiles.folder()
        port = try LoopbackPort.unused()
        programs = directory + "/bin"
        url = "ssh://127.0.0.1:\(port)\(repository.path)"
        for name in ["host", "user"] {
            let made = try ForeignProgram(
                Self.needed[2], ["-q", "-t", "ed25519", "-N", "", "-f", "\(directory)/\(name)"])
            try #require(made.status == 0, "\(made.output)")
        }
        let host = try String(contentsOfFile: directory + "/host.pub", encoding: .utf8)
        try write("known", "[127.0.0.1]:\(port) \(host)")
        try write(
            "ssh_config",
            """
            IdentityFile \(directory)/user
            IdentitiesOnly yes
            UserKnownHostsFile \(directory)/known
            GlobalKnownHostsFile /dev/null

            """)
        try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: false)
        // Of several files the last one counts: it gets this one in place of autofill-sync's.
        try write(
            "bin/ssh", "#!/bin/sh\n[ \"$1\" = -F ] && shift 2\nexec /usr/bin/ssh -F \(directory)/ssh_config \"$@\"\n")
        chmod(programs + "/ssh", 0o700)
        try write(
            "sshd_config",
            """
            Port \(port)
            ListenAddress 127.0.0.1
            HostKey \(directory)/host
            AuthorizedKeysFile \(directory)/user.pub
            PidFile none
            StrictModes no
            UsePAM no
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            PermitRootLogin prohibit-password

            """)
        // Where sshd, as root, has its empty directory; its service makes it elsewhere.
        if getuid() == 0 { mkdir("/run/sshd", 0o755) }
        try start()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    private func write(_ name: String, _ text: String) throws {
        try text.write(toFile: "\(directory)/\(name)", atomically: false, encoding: .utf8)
    }

    /// Starts it, and waits until it accepts connections.
    func start() throws {
        try? FileManager.default.removeItem(atPath: directory + "/log")
        process = try SpawnedProgram(
            Self.needed[0], ["-D", "-f", directory + "/sshd_config", "-E", directory + "/log"])
        try SyncFolder.eventually("sshd listens") {
            (try? String(contentsOfFile: directory + "/log", encoding: .utf8))?.contains("Server listening") == true
        }
    }

    func stop() {
        process?.kill9()
        process = nil
    }
}
