// SPDX-License-Identifier: Apache-2.0
import Foundation
import PeerIdentity
import PeerInspection
import Testing

private let app = "org.example.Shop"

/// Sandboxes that bubblewrap makes for real, as Flatpak does, and as any program of the user can.
@Suite(.enabled(if: Bubblewrap.works, "needs bubblewrap, and a kernel that lets this user make namespaces"))
struct SandboxTests {
    @Test("A Flatpak that runs what its installation deployed is sandboxed", arguments: KernelPath.allCases)
    func honest(kernel: KernelPath) throws {
        let sandbox = try Bubblewrap()
        let evidence = try sandbox.evidence(kernel: kernel, info: sandbox.info(app: app))
        guard case .flatpak(let instance, let deployment) = evidence.sandbox else {
            Issue.record("no Flatpak: \(evidence.sandbox)")
            return
        }
        #expect(instance.appID == app)
        #expect(deployment == .deployed(installation: "user", files: sandbox.files))
        #expect(evidence.mountNamespaceDiffers == true)
        let identified = try evidence.identification(claiming: app, registration: nil)
        #expect(identified.assurance == .sandboxed)
        #expect(identified.subject?.line() == "flatpak:\(app)@user")
        let own = RegistrationEvidence(origin: .user, executables: [])
        #expect(try evidence.identification(claiming: app, registration: own).assurance == .attributed)
    }

    @Test("A Flatpak cannot claim to be another app", arguments: KernelPath.allCases)
    func claimsAnother(kernel: KernelPath) throws {
        let sandbox = try Bubblewrap()
        let evidence = try sandbox.evidence(kernel: kernel, info: sandbox.info(app: app))
        #expect(throws: PeerRefusal.contradiction(.sandboxedAsOther(claimed: "org.example.Bank", actual: app))) {
            try evidence.identification(claiming: "org.example.Bank", registration: nil)
        }
    }

    @Test("A forged sandbox without deployed files contradicts itself", arguments: KernelPath.allCases)
    func forgedWithoutDeployment(kernel: KernelPath) throws {
        let sandbox = try Bubblewrap()
        let evidence = try sandbox.evidence(kernel: kernel, info: "[Application]\nname=\(app)\n")
        #expect(throws: PeerRefusal.contradiction(.deploymentDiffers(appID: app, why: "it names no deployed files"))) {
            try evidence.identification(claiming: app, registration: nil)
        }
    }

    @Test("A forged sandbox that mounts files of its own at /app contradicts itself", arguments: KernelPath.allCases)
    func forgedWithOtherFiles(kernel: KernelPath) throws {
        let sandbox = try Bubblewrap()
        let evidence = try sandbox.evidence(
            kernel: kernel, info: sandbox.info(app: app), mounting: "/usr/share", running: "/forger")
        #expect(throws: PeerRefusal.contradiction(.deploymentDiffers(appID: app, why: "its /app is another directory")))
        {
            try evidence.identification(claiming: app, registration: nil)
        }
    }

    @Test("Files outside every installation are no deployment", arguments: KernelPath.allCases)
    func forgedInstallation(kernel: KernelPath) throws {
        let sandbox = try Bubblewrap()
        let info = sandbox.info(app: app).replacing("/flatpak/", with: "/elsewhere/")
        let evidence = try sandbox.evidence(kernel: kernel, info: info)
        guard case .flatpak(_, .differs(let why)) = evidence.sandbox else {
            Issue.record("identified as a deployment: \(evidence.sandbox)")
            return
        }
        #expect(why.hasSuffix("is no installation of Flatpak's"))
    }

    @Test("The system's installation must be root's alone", arguments: KernelPath.allCases)
    func forgedSystemInstallation(kernel: KernelPath) throws {
        let sandbox = try Bubblewrap()
        let evidence = try sandbox.evidence(kernel: kernel, info: sandbox.info(app: app), asSystem: true)
        guard case .flatpak(_, .differs(let why)) = evidence.sandbox else {
            Issue.record("identified as the system's: \(evidence.sandbox)")
            return
        }
        #expect(why.hasSuffix("is not root's alone"))
    }

    /// As in the threat model: a program of the same user can build the sandbox of an app that is installed, with the
    /// app's own files, and run its own code in it. This test fails on the day that it is detected.
    @Test("A careful forgery by a program of the same user passes for a sandbox, as in the threat model")
    func carefulForgery() throws {
        let sandbox = try Bubblewrap()
        let evidence = try sandbox.evidence(kernel: .pidfd, info: sandbox.info(app: app), running: "/forger")
        #expect(try evidence.identification(claiming: app, registration: nil).assurance == .sandboxed)
    }

    @Test("A sandbox of flatpak build proves nothing", arguments: KernelPath.allCases)
    func build(kernel: KernelPath) throws {
        let sandbox = try Bubblewrap()
        let evidence = try sandbox.evidence(kernel: kernel, info: sandbox.info(app: app) + "build=true\n")
        let identified = try evidence.identification(claiming: app, registration: nil)
        #expect(identified.assurance == .claimed)
        #expect(identified.subject == nil)
    }

    @Test(
        "A .flatpak-info that cannot be understood is refused",
        arguments: ["", "name=org.example.Shop\n", "[Application]\nname=../Shop\n", "[Application]\n[Application]\n"])
    func malformed(info: String) throws {
        let sandbox = try Bubblewrap()
        let evidence = try sandbox.evidence(kernel: .pidfd, info: info)
        guard case .malformed(let why) = evidence.sandbox else {
            Issue.record("understood: \(evidence.sandbox)")
            return
        }
        #expect(throws: PeerRefusal.sandboxMalformed(why)) {
            try evidence.identification(claiming: app, registration: nil)
        }
    }

    /// attacks.md, a hostile program, 7
    @Test("A sandbox without .flatpak-info is seen to be one, and is no app")
    func otherSandbox() throws {
        let sandbox = try Bubblewrap()
        let evidence = try sandbox.evidence(kernel: .pidfd, info: nil)
        #expect(evidence.sandbox == .none)
        #expect(evidence.mountNamespaceDiffers == true && evidence.isApart && !evidence.isOutsideSandbox)
        #expect(throws: PeerRefusal.self) { try evidence.identification(claiming: app, registration: nil) }
    }
}

/// An installation of Flatpak's shape in a directory of its own, and bubblewrap.
struct Bubblewrap {
    static let works: Bool = {
        guard access("/usr/bin/bwrap", X_OK) == 0,
            let probe = try? ChildProcess("/usr/bin/bwrap", ["--ro-bind", "/", "/", "/usr/bin/true"], environment: [:])
        else { return false }
        return probe.wait() == 0
    }()

    let listener: TestListener
    let files: String

    init() throws {
        listener = try TestListener()
        files = "\(listener.directory)/flatpak/app/\(app)/x86_64/stable/abc/files"
        for directory in ["flatpak", "elsewhere"] {
            try FileManager.default.createDirectory(
                atPath: "\(listener.directory)/\(directory)/app/\(app)/x86_64/stable/abc/files/bin",
                withIntermediateDirectories: true)
        }
        try #require(rename(listener.fixture(), "\(files)/bin/shop") == 0)
    }

    func info(app: String) -> String {
        "[Application]\nname=\(app)\nruntime=runtime/org.example.Platform/x86_64/1\n\n"
            + "[Instance]\ninstance-id=123\napp-path=\(files)\napp-commit=abc\n"
    }

    /// Runs the fixture in a sandbox that has `info` as its `/.flatpak-info`, and inspects it.
    /// - Parameters:
    ///   - directory: what is mounted at `/app`; the deployed files unless given.
    ///   - program: a path inside at which the forger's program is mounted; `/app/bin/shop` unless given.
    func evidence(
        kernel: KernelPath, info: String?, mounting directory: String? = nil, asSystem: Bool = false,
        running program: String? = nil
    ) throws -> PeerEvidence {
        var arguments = ["--proc", "/proc", "--dev", "/dev", "--unshare-all", "--die-with-parent"]
        for name in try FileManager.default.contentsOfDirectory(atPath: "/")
        where !["proc", "dev", "sys", "app"].contains(name) {
            arguments += ["--ro-bind", "/\(name)", "/\(name)"]
        }
        arguments += ["--ro-bind", directory ?? files, "/app"]
        if let info {
            let path = "\(listener.directory)/info"
            try info.write(toFile: path, atomically: false, encoding: .utf8)
            arguments += ["--ro-bind", path, "/.flatpak-info"]
        }
        if let program { arguments += ["--ro-bind", "\(files)/bin/shop", program] }
        let peer = try listener.start("/usr/bin/bwrap", arguments + [program ?? "/app/bin/shop", listener.socketPath])
        let flatpaks = "\(listener.directory)/flatpak"
        let inspector =
            asSystem ? kernel.inspector(systemFlatpaks: flatpaks) : kernel.inspector(flatpaks: flatpaks)
        return try inspector.inspect(peer.connection).evidence
    }
}
