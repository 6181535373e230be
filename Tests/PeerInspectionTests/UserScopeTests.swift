// SPDX-License-Identifier: Apache-2.0
import Foundation
import PeerIdentity
import PeerInspection
import TestGround
import Testing

private let isInBox = ProcessInfo.processInfo.environment["AUTOFILL_USER_SCOPE_CHILD"] != nil

@Suite(.blocking) struct UserScopeTests {
    @Test(
        "A process in an app's scope of a real user manager is attributed",
        .enabled(if: geteuid() == 0, "needs root, to boot Tests/box"),
        .enabled(if: OrdinaryUserTests.isReadableByOthers, "the test program lies where other users cannot read it"))
    func inBox() throws {
        let box = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "box").path
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let directory = try TemporaryDirectory()
        let child = try ChildProcess(
            box,
            [
                "--chdir", "/", "--env", "AUTOFILL_USER_SCOPE_CHILD=1", "--", program, "--testing-library",
                "swift-testing",
                "--filter", "UserScopeChild",
            ], environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], output: directory.path + "/output")
        let status = child.wait()
        let printed = (try? String(contentsOfFile: directory.path + "/output", encoding: .utf8)) ?? ""
        #expect(status == 0, "\(printed)")
    }
}

/// What runs in the box.
@Suite(.enabled(if: isInBox, "runs within another test"))
struct UserScopeChild {
    @Test("The scope's name is the app's", arguments: KernelPath.allCases)
    func scope(kernel: KernelPath) throws {
        let listener = try TestListener()
        let unit = "app-gnome-org.example.Shop-\(kernel.rawValue).scope"
        let peer = try listener.start(
            "/usr/bin/systemd-run",
            ["--user", "--scope", "--quiet", "--unit", unit, try listener.fixture(), listener.socketPath],
            environment: ProcessInfo.processInfo.environment)
        let evidence = try kernel.inspector().inspect(peer.connection).evidence
        #expect(evidence.controlGroup?.unit == unit)
        #expect(evidence.controlGroup?.manager == geteuid())
        #expect(evidence.appUnit == AppUnit(source: .desktop(launcher: "gnome"), appID: "org.example.Shop"))
        #expect(try evidence.identification(claiming: "org.example.Shop", registration: nil).assurance == .attributed)
        #expect(try evidence.identification(claiming: "org.example.Bank", registration: nil).assurance == .claimed)
    }

    @Test("A transient service of the user's manager is one, too, and its private files make another mount namespace")
    func service() throws {
        let listener = try TestListener()
        let peer = try listener.start(
            "/usr/bin/systemd-run",
            [
                "--user", "--wait", "--quiet", "--unit", #"app-org.example.My\x2dShop@1.service"#, "-p",
                "PrivateUsers=yes", "-p", "ProtectSystem=strict", try listener.fixture(), listener.socketPath,
            ], environment: ProcessInfo.processInfo.environment)
        let evidence = try KernelPath.pidfd.inspector().inspect(peer.connection).evidence
        #expect(evidence.appUnit?.appID == "org.example.My-Shop")
        #expect(evidence.mountNamespaceDiffers == true)
        let identified = try evidence.identification(claiming: "org.example.My-Shop", registration: nil)
        #expect(identified.assurance == .attributed)
        #expect(identified.subject == nil)
    }
}
