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
        #expect(try identified.file.place == .served)
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
