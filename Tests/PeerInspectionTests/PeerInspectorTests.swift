// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import PeerIdentity
import PeerInspection
import TestGround
import Testing

private let app = "org.example.Shop"

@Suite struct PeerInspectorTests {
    @Test(
        "A plain process of the user is identified by pid, user, start and file, and its claim is a claim",
        arguments: KernelPath.allCases)
    func plainProcess(kernel: KernelPath) throws {
        let listener = try TestListener()
        let program = try listener.fixture()
        let peer = try listener.start(program)
        let inspected = try kernel.inspector().inspect(peer.connection)
        let evidence = inspected.evidence
        #expect(evidence.process == peer.process.identifier)
        #expect(evidence.user == geteuid())
        #expect(evidence.group == getegid())
        #expect(evidence.isPinned == (kernel == .pidfd))
        #expect(evidence.startTime == startTime(of: evidence.process))
        #expect(evidence.sandbox == .none)
        #expect(evidence.mountNamespaceDiffers == false)
        let file = try inspected.file
        #expect(file.path == program)
        #expect(file.location == .userOwned)
        #expect(file.owner == geteuid())
        #expect(file.interpreter == nil)
        try inspected.confirm()
        let identified = try evidence.identification(claiming: app, registration: nil)
        #expect(identified.assurance == .claimed)
        #expect(identified.subject == .file(program))
        let content = try Data(contentsOf: URL(fileURLWithPath: program))
        let hash = SHA256.hash(data: content).map { String(format: "%02x", $0) }.joined()
        #expect(try inspected.content(upTo: 1 << 30).hash == hash)
    }

    @Test("A program whose file has a time after 2262 is identified like another", arguments: KernelPath.allCases)
    func farTime(kernel: KernelPath) throws {
        let listener = try TestListener()
        let program = try listener.fixture()
        let times = [timespec](repeating: timespec(tv_sec: 10_413_792_000, tv_nsec: 0), count: 2)
        try #require(utimensat(AT_FDCWD, program, times, 0) == 0)
        let peer = try listener.start(program)
        let inspected = try kernel.inspector().inspect(peer.connection)
        #expect(try inspected.file.identity.modified > 0)
        try inspected.confirm()
    }

    @Test("A root-owned program that a root-owned registration names is installed", arguments: KernelPath.allCases)
    func installedProgram(kernel: KernelPath) throws {
        let listener = try TestListener()
        let tool = try #require(ConnectingTool.installed, "neither ssh-add nor dbus-send is here")
        let peer = try listener.start(
            tool.path, tool.arguments(listener.socketPath), environment: tool.environment(listener.socketPath))
        let inspector = kernel.inspector()
        let inspected = try inspector.inspect(peer.connection)
        #expect(try inspected.file.location == .rootOwned)
        let byName = inspector.registered([tool.path])
        #expect(byName.first?.isRootOwned == true)
        let administrator = RegistrationEvidence(origin: .administrator, executables: byName)
        let identified = try inspected.evidence.identification(claiming: app, registration: administrator)
        #expect(identified.assurance == .installed)
        #expect(identified.subject?.line() == "path:\(tool.path)")
        let user = RegistrationEvidence(origin: .user, executables: byName)
        #expect(try inspected.evidence.identification(claiming: app, registration: user).assurance == .claimed)
        let other = RegistrationEvidence(origin: .administrator, executables: inspector.registered(["/usr/bin/env"]))
        #expect(throws: PeerRefusal.contradiction(.executableNotRegistered(claimed: app, executable: tool.path))) {
            try inspected.evidence.identification(claiming: app, registration: other)
        }
    }

    @Test("A registered program that carries another's library passes for the app", arguments: KernelPath.allCases)
    func preloaded(kernel: KernelPath) throws {
        let listener = try TestListener()
        let tool = try #require(ConnectingTool.installed, "neither ssh-add nor dbus-send is here")
        let directories = ["x86_64", "aarch64"].map { "/lib/\($0)-linux-gnu/libutil.so.1" }
        let library = try #require(directories.first { access($0, R_OK) == 0 })
        let peer = try listener.start(
            tool.path, tool.arguments(listener.socketPath),
            environment: tool.environment(listener.socketPath).merging(["LD_PRELOAD": library]) { $1 })
        let maps = try FileHandle(
            forReadingFrom: URL(fileURLWithPath: "/proc/\(peer.process.identifier)/maps"))
        let mapped = String(decoding: try maps.readToEnd() ?? Data(), as: UTF8.self)
        try #require(mapped.contains("libutil"), "\(mapped)")
        let inspector = kernel.inspector()
        let inspected = try inspector.inspect(peer.connection)
        let administrator = RegistrationEvidence(
            origin: .administrator, executables: inspector.registered([tool.path]))
        let identified = try inspected.evidence.identification(claiming: app, registration: administrator)
        #expect(identified.assurance == .installed)
    }

    @Test(
        "A user's program is not installed by a root-owned registration that names it", arguments: KernelPath.allCases)
    func userOwnedUnderRootRegistration(kernel: KernelPath) throws {
        let listener = try TestListener()
        let program = try listener.fixture()
        let peer = try listener.start(program)
        let inspector = kernel.inspector()
        let registration = RegistrationEvidence(origin: .administrator, executables: inspector.registered([program]))
        let identified = try inspector.inspect(peer.connection).evidence.identification(
            claiming: app, registration: registration)
        #expect(identified.assurance == .claimed)
        #expect(identified.subject == .file(program))
    }

    @Test(
        "A program that was replaced or deleted while it ran keeps its connection and cannot be recognised any more",
        arguments: KernelPath.allCases)
    func replacedAndDeleted(kernel: KernelPath) throws {
        let listener = try TestListener()
        let program = try listener.fixture()
        let peer = try listener.start(program)
        let inspector = kernel.inspector()
        let before = try inspector.inspect(peer.connection)
        let other = try listener.fixture(named: "other")
        try #require(rename(other, program) == 0)
        try before.confirm()
        let replaced = try inspector.inspect(peer.connection)
        #expect(try replaced.file.location == .replaced)
        #expect(try replaced.file.path == program)
        let registration = RegistrationEvidence(origin: .administrator, executables: inspector.registered([program]))
        let identified = try replaced.evidence.identification(claiming: app, registration: registration)
        #expect(identified.assurance == .claimed)
        #expect(identified.subject == nil)
        try #require(unlink(program) == 0)
        let deleted = try inspector.inspect(peer.connection)
        #expect(try deleted.file.location == .deleted)
        #expect(try deleted.evidence.identification(claiming: app, registration: nil).subject == nil)
        #expect(try deleted.content(upTo: 1 << 30).hash == before.content(upTo: 1 << 30).hash)
    }

    @Test("A program whose file was written to since it connected is refused", arguments: KernelPath.allCases)
    func overwritten(kernel: KernelPath) throws {
        let listener = try TestListener()
        let program = try listener.fixture()
        let peer = try listener.start(program)
        let inspected = try kernel.inspector().inspect(peer.connection)
        try inspected.confirm()
        // The kernel may forbid to write to what runs (ETXTBSY); the time of change is what a write leaves behind.
        var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
        try #require(utimensat(AT_FDCWD, program, &times, 0) == 0)
        #expect(throws: PeerRefusal.executableChanged) { try inspected.confirm() }
        #expect(throws: PeerRefusal.executableChanged) { try inspected.content(upTo: 1 << 30).hash }
    }

    @Test("A process that starts another program after it connected is refused", arguments: KernelPath.allCases)
    func execAfterConnect(kernel: KernelPath) throws {
        let listener = try TestListener()
        let program = try listener.fixture()
        let other = try listener.fixture(named: "other")
        let peer = try listener.start(program, [listener.socketPath, other])
        let inspected = try kernel.inspector().inspect(peer.connection)
        try inspected.confirm()
        #expect(try peer.command("x") == "x")
        #expect(throws: PeerRefusal.executableChanged) { try inspected.confirm() }
    }

    @Test("A child that keeps the descriptor of a process that ended is refused", arguments: KernelPath.allCases)
    func childKeepsDescriptor(kernel: KernelPath) throws {
        let listener = try TestListener()
        let peer = try listener.start(try listener.fixture())
        let inspector = kernel.inspector()
        let inspected = try inspector.inspect(peer.connection)
        #expect(!inspected.hasEnded)
        #expect(try peer.command("f") == "f")
        peer.process.wait()
        #expect(inspected.hasEnded)
        #expect(throws: PeerRefusal.ended) { try inspected.confirm() }
        #expect(throws: PeerRefusal.ended) { try inspector.inspect(peer.connection) }
        #expect(try peer.command("?") == "?", "the child still answers")
    }

    @Test(
        "A process that does not permit inspection is refused",
        .enabled(if: geteuid() != 0, "root may inspect any process"), arguments: KernelPath.allCases)
    func notDumpable(kernel: KernelPath) throws {
        let listener = try TestListener()
        let peer = try listener.start(try listener.fixture())
        let inspector = kernel.inspector()
        let inspected = try inspector.inspect(peer.connection)
        try peer.command("d")
        #expect(throws: PeerRefusal.unreadable("executable")) { try inspected.confirm() }
        let evidence = try inspector.inspect(peer.connection).evidence
        #expect(evidence.executable == .unreadable(errno: EACCES))
        #expect(evidence.sandbox == .unreadable(errno: EACCES))
        #expect(throws: PeerRefusal.unreadable("root directory")) {
            try evidence.identification(claiming: app, registration: nil)
        }
    }

    @Test(
        "A process of another user is refused", .enabled(if: geteuid() == 0, "needs root, to start one"),
        arguments: KernelPath.allCases)
    func otherUser(kernel: KernelPath) throws {
        let listener = try TestListener()
        let program = try listener.fixture()
        let peer = try listener.start(
            "/usr/bin/setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", program, listener.socketPath])
        #expect(throws: PeerRefusal.otherUser(65534)) { try kernel.inspector().inspect(peer.connection) }
    }

    /// attacks.md, a hostile program, 4 and 7
    @Test(
        "A process in a mount namespace of its own contradicts itself, and is not seen to be outside any sandbox",
        .enabled(if: UserNamespaces.areAvailable, "\(UserNamespaces.need)"), arguments: KernelPath.allCases)
    func mountNamespace(kernel: KernelPath) throws {
        let listener = try TestListener()
        let peer = try listener.start(try listener.fixture())
        #expect(try kernel.inspector().inspect(peer.connection).evidence.isOutsideSandbox)
        #expect(kernel.inspector().ownNamespaces(process: peer.process.identifier) == nil)
        try #require(peer.command("m") == "m")
        let link = try FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/\(peer.process.identifier)/ns/mnt")
        let mounts = try #require(kernel.inspector().ownNamespaces(process: peer.process.identifier))
        #expect(mounts == link.replacing("[", with: "").replacing("]", with: ""))
        let evidence = try kernel.inspector().inspect(peer.connection).evidence
        #expect(evidence.mountNamespaceDiffers == true && evidence.isApart && !evidence.isOutsideSandbox)
        #expect(throws: PeerRefusal.self) { try evidence.identification(claiming: app, registration: nil) }
    }

    /// attacks.md, a hostile program, 4
    @Test(
        "A program that is run through another process's root lies nowhere for us, whatever that one calls it",
        .enabled(if: UserNamespaces.areAvailable, "\(UserNamespaces.need)"))
    func throughAnotherRoot() throws {
        let listener = try TestListener()
        let keeper = try listener.start(try listener.fixture(named: "keeper"))
        try #require(keeper.command("m") == "m")
        let tool = try #require(ConnectingTool.installed, "neither ssh-add nor dbus-send is here")
        let helper = try ChildProcess(
            "/usr/bin/nsenter",
            [
                "--mount", "--target", "\(keeper.process.identifier)",
                "/usr/bin/mount",
                "--bind", try listener.fixture(named: "evil"), tool.path,
            ], environment: [:])
        guard helper.wait() == 0 else { return }  // no right to mount there
        let peer = try listener.start("/proc/\(keeper.process.identifier)/root\(tool.path)")
        let inspector = KernelPath.pidfd.inspector()
        let inspected = try inspector.inspect(peer.connection)
        let file = try inspected.file
        #expect(file.location == .elsewhere && inspected.evidence.mountNamespaceDiffers == false)
        #expect(inspected.evidence.executable.path != tool.path)
        let registration = RegistrationEvidence(origin: .administrator, executables: inspector.registered([tool.path]))
        #expect(throws: PeerRefusal.contradiction(.executableNotRegistered(claimed: app, executable: file.path))) {
            try inspected.evidence.identification(claiming: app, registration: registration)
        }
    }

    @Test(
        "A Python script is an interpreter, with any registration",
        .enabled(if: access("/usr/bin/python3", X_OK) == 0, "needs /usr/bin/python3"), arguments: KernelPath.allCases)
    func pythonScript(kernel: KernelPath) throws {
        let listener = try TestListener()
        let script = "import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.recv(1)"
        let peer = try listener.start("/usr/bin/python3", ["-c", script, listener.socketPath])
        let inspector = kernel.inspector()
        let evidence = try inspector.inspect(peer.connection).evidence
        let registration = RegistrationEvidence(
            origin: .administrator, executables: inspector.registered(["/usr/bin/python3"]))
        let identified = try evidence.identification(claiming: app, registration: registration)
        #expect(identified.assurance == .claimed)
        #expect(identified.subject == .login(evidence.login))
        #expect(identified.grounds.contains { $0.contains("interpreter (python)") })
    }

    /// attacks.md, a hostile program, 1
    @Test(
        "A script is identified by its path and content, by its interpreter's arguments, and code on the command line is none",
        .enabled(if: access("/usr/bin/python3", X_OK) == 0, "needs /usr/bin/python3"))
    func script() throws {
        let listener = try TestListener()
        let text = "import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.recv(1)"
        let path = "\(listener.directory)/shop.py"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        let inspector = KernelPath.pidfd.inspector()
        func script(_ arguments: [String], upTo longest: UInt64 = 1000) throws -> Script? {
            let peer = try listener.start("/usr/bin/python3", arguments + [listener.socketPath])
            return try inspector.inspect(peer.connection).script(upTo: longest)
        }
        let hash = SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
        #expect(try script([path]) == Script(path: path, hash: hash))
        #expect(try script(["-I", path]) == Script(path: path, hash: hash))
        #expect(try script(["-c", text.replacing("argv[1]", with: "argv[2]"), path]) == nil)
        #expect(try script([path], upTo: 10) == nil, "it is too long")
        let link = "\(listener.directory)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(try script([link])?.path == path)
        let compiled = try listener.start(try listener.fixture())
        #expect(try inspector.inspect(compiled.connection).script(upTo: 1000) == nil)
    }

    @Test("A program beside an app for Electron is an interpreter")
    func electron() throws {
        let listener = try TestListener()
        let program = try listener.fixture()
        try FileManager.default.createDirectory(
            atPath: "\(listener.directory)/resources", withIntermediateDirectories: false)
        try Data().write(to: URL(fileURLWithPath: "\(listener.directory)/resources/app.asar"))
        let peer = try listener.start(program)
        #expect(try KernelPath.pidfd.inspector().inspect(peer.connection).file.interpreter == .electron)
    }

    @Test("What is no UNIX socket is a fault, not a peer")
    func notASocket() throws {
        let null = open("/dev/null", O_RDONLY)
        defer { close(null) }
        #expect(throws: PeerRefusal.fault(operation: "SO_PEERCRED", errno: ENOTSOCK)) {
            try KernelPath.pidfd.inspector().inspect(null)
        }
    }

    private func startTime(of process: Int32) -> UInt64? {
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return status?.split(separator: ")").last?.split(separator: " ").dropFirst(19).first.flatMap { UInt64($0) }
    }
}

/// A root-owned program of the system that connects to a socket and waits for an answer. One of one purpose: curl and
/// socat pass on what they are handed.
struct ConnectingTool {
    let path: String

    static var installed: ConnectingTool? {
        ["/usr/bin/ssh-add", "/usr/bin/dbus-send"]
            .first { FileManager.default.isExecutableFile(atPath: $0) }.map { ConnectingTool(path: $0) }
    }

    func arguments(_ socket: String) -> [String] {
        switch path {
        case "/usr/bin/dbus-send":
            ["--bus=unix:path=\(socket)", "--type=method_call", "--dest=org.example.Shop", "/", "org.example.Shop.Ask"]
        default: ["-l"]
        }
    }

    func environment(_ socket: String) -> [String: String] { ["SSH_AUTH_SOCK": socket] }
}
