// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A datagram socket in a directory of its own: what a service manager or a journal listens on.
final class DatagramListener {
    let directory: String
    let descriptor: Int32
    var path: String { "\(directory)/d" }

    init() throws {
        var template = Array("/tmp/autofill-systemd-XXXXXX\0".utf8).map { CChar(bitPattern: $0) }
        directory = String(cString: try #require(mkdtemp(&template)))
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        try #require(bindSocket(descriptor, to: "\(directory)/d"))
    }

    deinit {
        close(descriptor)
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// The next datagram that has already arrived; nil when there is none.
    func arrived() -> String? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }

    func next() throws -> String { try #require(arrived(), "nothing was sent") }
}

func bindSocket(_ descriptor: Int32, to path: String) -> Bool {
    withAddress(path) { bind(descriptor, $0, $1) } == 0
}

func connectSocket(_ descriptor: Int32, to path: String) -> Bool {
    withAddress(path) { connect(descriptor, $0, $1) } == 0
}

private func withAddress<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}

/// Runs a program with nothing but these arguments and this environment.
/// - Returns: its exit status (128 and the signal's number for a death by signal) and its standard output and error.
func run(_ arguments: [String], environment: [String: String] = [:]) throws -> (status: Int32, output: String) {
    let path = FileManager.default.temporaryDirectory.appending(path: "autofill-output-\(UUID().uuidString)").path
    defer { unlink(path) }
    let child = try start(arguments, environment: environment, output: path)
    let status = wait(for: child)
    return (status, try String(decoding: Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self))
}

func start(_ arguments: [String], environment: [String: String], output: String = "/dev/null") throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    let variables = ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"].merging(environment) { $1 }
    var argumentPointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variablePointers: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in argumentPointers + variablePointers { free(text) } }
    var child: pid_t = 0
    try #require(posix_spawnp(&child, arguments[0], &actions, nil, &argumentPointers, &variablePointers) == 0)
    return child
}

func wait(for child: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
}

/// Where this test program was built, and the other programs with it.
let testDirectory = URL(fileURLWithPath: testProgramPath).deletingLastPathComponent().path

private let testProgramPath = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""

/// This test program, to be run again in another environment.
func testProgram(filter: String) -> [String] {
    [testProgramPath, "--testing-library", "swift-testing", "--filter", filter]
}
