// SPDX-License-Identifier: Apache-2.0
import Foundation
import PeerIdentity
import PeerInspection
import Testing

/// A directory of its own, a listening socket in it, and real processes that connect to it.
final class TestListener {
    let directory: String
    let descriptor: Int32
    var socketPath: String { "\(directory)/s" }

    init() throws {
        var template = Array("/tmp/autofill-peers-XXXXXX\0".utf8).map { CChar(bitPattern: $0) }
        directory = String(cString: try #require(mkdtemp(&template)))
        chmod(directory, 0o755)
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let isListening = UnixAddress(path: "\(directory)/s").withAddress { bind(descriptor, $0, $1) } == 0
        try #require(isListening && listen(descriptor, 16) == 0)
        chmod("\(directory)/s", 0o777)
    }

    deinit {
        close(descriptor)
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// A copy of the fixture under a name of its own, owned by the user who runs the tests.
    func fixture(named name: String = "shop") throws -> String {
        let path = "\(directory)/\(name)"
        // By a process of its own: a child that another test starts meanwhile would hold the copy open for writing, and
        // what is open for writing cannot be run (ETXTBSY).
        try #require(ChildProcess("/usr/bin/cp", [Self.fixturePath, path], environment: [:]).wait() == 0)
        return path
    }

    /// Starts a program that connects by itself, and accepts its connection.
    func start(
        _ program: String, _ arguments: [String]? = nil, environment: [String: String] = [:]
    ) throws -> TestPeer {
        let process = try ChildProcess(
            program, arguments ?? [socketPath], environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 })
        let peer = TestPeer(process: process)
        try #require(hasInput(descriptor), "\(program) did not connect within 20 s")
        peer.connection = accept(descriptor, nil, nil)
        try #require(peer.connection >= 0 && fcntl(peer.connection, F_SETFD, FD_CLOEXEC) == 0)
        return peer
    }

    /// The fixture as built, beside the test program.
    static var fixturePath: String {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: program).deletingLastPathComponent().appending(path: "peer-fixture").path
    }
}

/// A process under test and our end of its connection.
final class TestPeer {
    let process: ChildProcess
    var connection: Int32 = -1

    init(process: ChildProcess) { self.process = process }

    deinit { close(connection) }

    /// Has the fixture do something, and waits until it was done; its answer.
    @discardableResult
    func command(_ command: Character) throws -> Character {
        var byte = try #require(command.asciiValue)
        try #require(write(connection, &byte, 1) == 1)
        try #require(hasInput(connection), "the fixture did not answer \(command) within 20 s")
        try #require(read(connection, &byte, 1) == 1)
        return Character(Unicode.Scalar(byte))
    }
}

/// A process of our own, started with nothing but its arguments; killed and reaped when it is released. Both its
/// outputs are written to a file where one is named, else standard output is discarded.
final class ChildProcess {
    let identifier: pid_t
    private var status: Int32?

    init(_ program: String, _ arguments: [String], environment: [String: String], output: String? = nil) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output ?? "/dev/null", O_WRONLY | O_CREAT, 0o600)
        if output != nil { posix_spawn_file_actions_adddup2(&actions, 1, 2) }
        var arguments: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var identifier: pid_t = 0
        try #require(posix_spawn(&identifier, program, &actions, nil, &arguments, &environment) == 0)
        self.identifier = identifier
    }

    deinit {
        if status == nil { kill(identifier, SIGKILL) }
        wait()
    }

    /// Waits until it has ended, and reaps it.
    @discardableResult
    func wait() -> Int32 {
        if let status { return status }
        var result: Int32 = 0
        while waitpid(identifier, &result, 0) < 0, errno == EINTR {}
        status = result
        return result
    }
}

/// A `sockaddr_un`, valid during a call.
struct UnixAddress {
    let path: String

    func withAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

private func hasInput(_ descriptor: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 120_000) == 1
}

/// Both ways of the kernel: with SO_PEERPIDFD, and as before 6.5.
enum KernelPath: String, CaseIterable, CustomTestStringConvertible {
    case pidfd, withoutPidfd

    var testDescription: String { rawValue }

    func inspector(flatpaks: String? = nil, systemFlatpaks: String = "/var/lib/flatpak") -> PeerInspector {
        PeerInspector(
            owner: geteuid(), usesPidfd: self == .pidfd,
            installations: FlatpakInstallations(
                system: systemFlatpaks, user: flatpaks, configuration: "/nonexistent"))
    }
}

extension InspectedPeer {
    var file: ExecutableFile {
        get throws {
            guard case .file(let file) = evidence.executable else { throw PeerRefusal.unreadable("executable") }
            return file
        }
    }
}
