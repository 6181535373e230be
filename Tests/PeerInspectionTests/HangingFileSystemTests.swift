// SPDX-License-Identifier: Apache-2.0
import Foundation
import PeerIdentity
import PeerInspection
import TestGround
import Testing

private let app = "org.example.Shop"
/// What hangs does so for longer; what waits for none of it needs milliseconds, on any machine less than this.
private let longest = Duration.seconds(30)

/// Peers whose executable lies on a file system that their own program serves, and that hangs.
@Suite(.blocking, .enabled(if: FuseFixture.isAvailable, "\(FuseFixture.need)"))
struct HangingFileSystemTests {
    private let listener: TestListener
    private let served: FuseFixture
    private let everything = Set(FuseFixture.Operation.allCases)

    init() throws {
        listener = try TestListener()
        served = try FuseFixture(files: [try .program("shop", copying: TestListener.fixturePath)])
    }

    private var program: String { served.path + "/shop" }

    @Test(
        "A peer whose executable hangs is inspected and confirmed at once",
        arguments: KernelPath.allCases)
    func hanging(kernel: KernelPath) throws {
        let peer = try listener.start(program, [listener.socketPath])
        let inspector = kernel.inspector()
        try served.hang(everything)
        var inspected: InspectedPeer?
        let inspection = try ContinuousClock().measure { inspected = try inspector.inspect(peer.connection) }
        let identified = try #require(inspected)
        let confirmation = try ContinuousClock().measure {
            for _ in 0..<10 { try identified.confirm() }
        }
        #expect(inspection < longest && confirmation < longest)
        #expect(!identified.hasEnded)
        #expect(try identified.file.path == program)
        #expect(try identified.file.location == .served)
        #expect(try identified.file.owner == 0, "its server reports so, and that is not trusted")
        #expect(throws: PeerRefusal.fault(operation: "reading the peer's executable", errno: EREMOTE)) {
            try identified.content(upTo: 1 << 30)
        }
        #expect(try served.release() == 0, "nothing was asked")
    }

    @Test("It has only its claim, cannot be recognised again, and its registration does not contradict it")
    func assurance() throws {
        let peer = try listener.start(program, [listener.socketPath])
        let inspector = KernelPath.pidfd.inspector()
        let evidence = try inspector.inspect(peer.connection).evidence
        try served.hang(everything)
        let registered = inspector.registered([program, "/usr/bin/env"])
        #expect(registered[0].isServed && registered[0].identity == nil && registered[0].version == nil)
        #expect(!registered[1].isServed && registered[1].identity != nil)
        #expect(inspector.content(ofFileAt: program, upTo: 1 << 30) == nil)
        #expect(PeerInspector.rootOwnedFile(at: program) == nil)
        for origin in [RegistrationEvidence.Origin.administrator, .user] {
            let identified = try evidence.identification(
                claiming: app, registration: RegistrationEvidence(origin: origin, executables: registered))
            #expect(identified.assurance == .claimed && identified.subject == nil)
        }
        #expect(throws: PeerRefusal.contradiction(.executableNotRegistered(claimed: app, executable: program))) {
            try evidence.identification(
                claiming: app,
                registration: RegistrationEvidence(origin: .administrator, executables: [registered[1]]))
        }
        #expect(try served.release() == 0, "nothing was asked")
    }

    @Test("A peer that starts a program there after it connected is refused, though that program hangs")
    func execLater() throws {
        let peer = try listener.start(try listener.fixture(), [listener.socketPath, program])
        let inspected = try KernelPath.pidfd.inspector().inspect(peer.connection)
        try inspected.confirm()
        #expect(try peer.command("x") == "x")
        try served.hang(everything)
        let confirmation = ContinuousClock().measure {
            #expect(throws: PeerRefusal.executableChanged) { try inspected.confirm() }
        }
        #expect(confirmation < longest)
        #expect(try served.release() == 0, "nothing was asked")
    }

    @Test("A peer that hangs in the middle of starting such a program is still inspected at once")
    func hangingExec() throws {
        let peer = try listener.start(try listener.fixture(), [listener.socketPath, program])
        let inspector = KernelPath.pidfd.inspector()
        let inspected = try inspector.inspect(peer.connection)
        try served.hang([.open])
        var command = try #require(Character("x").asciiValue)
        try #require(write(peer.connection, &command, 1) == 1)
        try served.awaitHeld()
        let inspections = try ContinuousClock().measure {
            try inspected.confirm()
            _ = try inspector.inspect(peer.connection)
        }
        #expect(inspections < longest)
        try served.release()
    }

    @Test("A link into what hangs, and an app for Electron there, are not waited for")
    func linksIntoIt() throws {
        let own = try listener.fixture()
        try #require(symlink(served.path, "\(listener.directory)/resources") == 0)
        try #require(symlink(program, "\(listener.directory)/link") == 0)
        let peer = try listener.start(own)
        let inspector = KernelPath.pidfd.inspector()
        try served.hang(everything)
        var interpreter: Interpreter?
        let inspections = try ContinuousClock().measure {
            interpreter = try inspector.inspect(peer.connection).file.interpreter
            #expect(inspector.registered(["\(listener.directory)/link"]).first?.isServed == true)
        }
        #expect(interpreter == .electron, "it may be one")
        #expect(inspections < longest)
        #expect(try served.release() == 0, "nothing was asked")
    }

    @Test("A peer whose root directory hangs is inspected at once, and has no identity")
    func root() throws {
        let peer = try listener.start(try listener.fixture(), [listener.socketPath, served.path])
        try #require(peer.command("r") == "r")
        try served.hang(everything)
        var evidence: PeerEvidence?
        let inspection = try ContinuousClock().measure {
            evidence = try KernelPath.pidfd.inspector().inspect(peer.connection).evidence
        }
        #expect(inspection < longest)
        #expect(evidence?.sandbox == .unreadable(errno: EREMOTE))
        #expect(throws: PeerRefusal.unreadable("root directory")) {
            try evidence?.identification(claiming: app, registration: nil)
        }
        #expect(try served.release() == 0, "nothing was asked")
    }

    @Test(
        "Roots that are overlays over it hold three threads at most; a peer with our root is inspected meanwhile",
        .enabled(if: OverlayRoot.isAvailable, "needs an overlay file system"))
    func overlayRoots() throws {
        let inspector = KernelPath.pidfd.inspector()
        let program = try listener.fixture()
        let roots = try (0..<4).map { _ in try OverlayRoot() }
        let peers = try roots.map { try listener.start(program, [listener.socketPath, $0.path]) }
        for peer in peers { try #require(peer.command("r") == "r") }
        for root in roots.prefix(3) { try root.served.hang([.lookup]) }
        let threads = peers.prefix(3).map { peer in
            let connection = peer.connection
            let thread = Thread { _ = try? inspector.inspect(connection) }
            thread.start()
            return thread
        }
        for root in roots.prefix(3) { try root.served.awaitHeld() }
        #expect(throws: PeerRefusal.late) { try inspector.inspect(peers[3].connection) }
        let plain = try listener.start(program)
        #expect(try inspector.inspect(plain.connection).evidence.sandbox == .none)
        for root in roots.prefix(3) { try root.served.release() }
        while !threads.allSatisfy(\.isFinished) { sched_yield() }
        #expect(try inspector.inspect(peers[3].connection).evidence.sandbox != .none)
    }

    @Test("A peer whose arguments lie there is not waited for: the kernel reads none from a file")
    func arguments() throws {
        let arguments = [listener.socketPath, program, String(repeating: "a", count: 3 * 4096)]
        let peer = try listener.start(try listener.fixture(named: "python3"), arguments)
        try #require(peer.command("a") == "a")
        let inspected = try KernelPath.pidfd.inspector().inspect(peer.connection)
        try #require(inspected.mayRunScript)
        try served.hang(everything)
        let reading = ContinuousClock().measure { #expect(inspected.script(upTo: 1 << 20) == nil) }
        #expect(reading < longest)
        #expect(try served.release() == 0, "nothing was asked")
    }

    @Test("A deployed Flatpak there has only its claim, and is not waited for")
    func flatpak() throws {
        var evidence = PeerEvidence(
            process: 1, user: 1000, group: 1000, isPinned: true, startTime: 1,
            executable: .unreadable(errno: EACCES), controlGroup: nil, sandbox: .none, mountNamespaceDiffers: true,
            login: "boot/1")
        evidence.sandbox = .flatpak(FlatpakInstance(appID: app), .served(files: program))
        let identified = try evidence.identification(claiming: app, registration: nil)
        #expect(identified.assurance == .claimed && identified.subject == nil)
    }
}

/// The root of an overlay file system over one that hangs on request, with a `/.flatpak-info` there.
private final class OverlayRoot {
    /// Whether this machine can have one.
    static let isAvailable: Bool = (try? OverlayRoot()) != nil

    let served: FuseFixture
    private let folder: TemporaryDirectory
    var path: String { folder.path + "/root" }

    init() throws {
        served = try FuseFixture(files: [.init(".flatpak-info", Array("[Application]\nname=\(app)\n".utf8))])
        folder = try TemporaryDirectory()
        try folder.write("lower/file", "x")
        try folder.write("root/file", "x")
        let options = ["-t", "overlay", "-o", "lowerdir=\(served.path):\(folder.path)/lower", "overlay", path]
        let isMounted = try ChildProcess("/usr/bin/mount", options, environment: [:]).wait() == 0
        guard isMounted else { throw SystemFailure(number: ENODEV) }
    }

    deinit { _ = try? ChildProcess("/usr/bin/umount", ["-l", path], environment: [:]).wait() }
}
