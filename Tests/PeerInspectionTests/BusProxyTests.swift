// SPDX-License-Identifier: Apache-2.0
import CAutofillLinux
import Foundation
import PeerIdentity
import PeerInspection
import TestGround
import Testing

private let app = "org.example.Shop"

/// A program of that name in a sandbox as Flatpak makes it around its proxy of the bus: the session's files, and the
/// app's mark.
@Suite(
    .enabled(if: Bubblewrap.works && getuid() == 0, "needs bubblewrap, and root to put a program where root alone can"))
struct BusProxyTests {
    private func inspect(_ path: (String) -> String) throws -> (PeerEvidence, files: String) {
        let sandbox = try Bubblewrap()
        let folder = "/var/lib/autofill-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let program = path(folder)
        let copied = try ChildProcess("/usr/bin/cp", ["\(sandbox.files)/bin/shop", program], environment: [:])
        try #require(copied.wait() == 0)
        let info = "\(sandbox.listener.directory)/info"
        try sandbox.info(app: app).write(toFile: info, atomically: false, encoding: .utf8)
        var arguments = ["--proc", "/proc", "--dev", "/dev", "--unshare-user", "--die-with-parent"]
        for name in try FileManager.default.contentsOfDirectory(atPath: "/")
        where !["proc", "dev", "sys"].contains(name) { arguments += ["--ro-bind", "/\(name)", "/\(name)"] }
        arguments += ["--ro-bind", info, "/.flatpak-info", program, sandbox.listener.socketPath]
        let peer = try sandbox.listener.start("/usr/bin/bwrap", arguments)
        let inspector = KernelPath.pidfd.inspector(flatpaks: "\(sandbox.listener.directory)/flatpak")
        return (try inspector.inspect(peer.connection).evidence, sandbox.files)
    }

    @Test("Flatpak's proxy of the bus is identified as the app whose mark it has")
    func proxied() throws {
        let (inspected, files) = try inspect { "\($0)/xdg-dbus-proxy" }
        var evidence = inspected
        guard case .flatpak(let instance, let deployment) = evidence.sandbox else {
            Issue.record("no Flatpak: \(evidence.sandbox)")
            return
        }
        #expect(instance.appID == app && deployment == .proxied(installation: "user", files: files))
        // It made this connection itself, which the proxy never does.
        #expect(throws: PeerRefusal.self) { try evidence.identification(claiming: app, registration: nil) }
        evidence.isHandedOver = true
        let identified = try evidence.identification(claiming: app, registration: nil)
        #expect(identified.assurance == .sandboxed && identified.subject?.line() == "flatpak:\(app)@user")
    }

    @Test("Another program with that mark is no proxy")
    func other() throws {
        let (evidence, _) = try inspect { "\($0)/proxy" }
        guard case .flatpak(_, .differs) = evidence.sandbox else {
            Issue.record("identified as a proxy: \(evidence.sandbox)")
            return
        }
    }
}

@Suite("The starter of a process") struct StarterTests {
    private let listener: TestListener
    private let inspector = KernelPath.pidfd.inspector()

    init() throws { listener = try TestListener() }

    @Test("It is the parent, with the script that it runs")
    func parent() throws {
        let peer = try listener.start(try listener.fixture())
        let started = try #require(inspector.starter(of: try inspector.inspect(peer.connection), upTo: 1 << 20))
        #expect(started.evidence.process == getpid() && started.script == nil)
        let script = "\(listener.directory)/start.sh"
        try "\(try listener.fixture(named: "other")) \(listener.socketPath)\ntrue\n"
            .write(toFile: script, atomically: false, encoding: .utf8)
        let other = try listener.start("/bin/sh", [script])
        let found = try #require(inspector.starter(of: try inspector.inspect(other.connection), upTo: 1 << 20))
        #expect(found.script?.path.hasSuffix("/start.sh") == true && found.evidence.process == other.process.identifier)
        #expect(try found.evidence.naming(running: found.script, startedBy: nil) == .script(found.script?.path ?? ""))
    }

    @Test(
        "One with users of its own runs no known script: what the kernel reports of it may be its own choice",
        .enabled(if: UserNamespaces.areAvailable, "\(UserNamespaces.need)"))
    func apart() throws {
        let script = "\(listener.directory)/start.sh"
        try "\(try listener.fixture()) \(listener.socketPath)\ntrue\n"
            .write(toFile: script, atomically: false, encoding: .utf8)
        let peer = try listener.start("/usr/bin/unshare", ["--user", "/bin/sh", script])
        let found = try #require(inspector.starter(of: try inspector.inspect(peer.connection), upTo: 1 << 20))
        #expect(found.evidence.isApart && found.evidence.mountNamespaceDiffers == false)
        #expect(found.script == nil)
        #expect(found.path?.hasSuffix(" (in namespaces of its own)") == true)
    }

    @Test("A hash of a path in a name is the beginning of its SHA-256")
    func hash() { #expect(NameHash.digits(of: "abc") == "ba7816bf8f01cfea") }
}
