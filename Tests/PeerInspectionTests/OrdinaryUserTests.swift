// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Root may inspect every process, so what is closed to users can only be tested as one.
@Suite struct OrdinaryUserTests {
    @Test(
        "The module's tests hold for an ordinary user, too",
        .enabled(if: geteuid() == 0, "needs root, to become another user"),
        .enabled(if: Self.isReadableByOthers, "the test program lies where other users cannot read it"))
    func asNobody() throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let child = try ChildProcess(
            "/usr/bin/setpriv",
            [
                "--reuid=65534", "--regid=65534", "--clear-groups", program, "--testing-library", "swift-testing",
                "--filter", "PeerInspectorTests|SandboxTests|RegisteredExecutableTests",
            ], environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"])
        #expect(child.wait() == 0, "run it by hand under setpriv to see what failed")
    }

    static var isReadableByOthers: Bool {
        guard var path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return false
        }
        while path != "/" {
            let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            guard let mode, mode & 0o005 == 0o005 else { return false }
            path = URL(fileURLWithPath: path).deletingLastPathComponent().path
        }
        return true
    }
}
