// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support
import Testing

/// A daemon and programs that see their own files in /etc. In /etc/autofilld are a delegate, its copy, and the shop, which is
/// of the same family as the copy.
final class DelegateStage {
    static let isAvailable: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = TestFiles.isolated(etc: "/usr") + ["true"]
        process.standardError = FileHandle.nullDevice
        return geteuid() == 0 && (try? process.run()).map { process.waitUntilExit() } != nil
            && process.terminationStatus == 0
    }()
    static let need = "needs root, the right to mount overlays, and SO_PEERPIDFD (Linux 6.5)"

    let daemon: DaemonProcess
    private let folder: String
    private let programs: StagedProgram.Listener

    init() throws {
        let folder = try TestFiles.folder()
        self.folder = folder
        chmod(folder, 0o755)
        let place = folder + "/autofilld"
        for name in ["apps", "delegates", "secret-families"] {
            try FileManager.default.createDirectory(
                atPath: "\(place)/\(name)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        }
        func write(_ name: String, _ content: [String: Any]) throws {
            let data = try JSONSerialization.data(withJSONObject: content, options: .withoutEscapingSlashes)
            try data.write(to: URL(filePath: "\(place)/\(name)"))
        }
        try write("delegates/autofill-test.json", ["executables": ["/etc/autofilld/front"]])
        try write(
            "secret-families/shop.json",
            ["schemas": ["org.example.Shop"], "executables": ["/etc/autofilld/shop", "/etc/autofilld/copy"]])
        for (name, program) in [("Front", "front"), ("Shop", "shop")] {
            let entitlements: [String: Any] = [
                "org.autofilld.secret-service": name == "Front",
                "com.apple.developer.associated-domains": ["webcredentials:shop.example.com"],
                "com.apple.developer.authentication-services.autofill-credential-provider": true,
            ]
            try write(
                "apps/org.example.\(name).json",
                [
                    "bundleID": "org.example.\(name)", "name": name, "executables": ["/etc/autofilld/\(program)"],
                    "entitlements": entitlements,
                ])
        }
        for name in ["front", "copy", "shop"] { try StagedProgram.install(at: "\(place)/\(name)") }
        programs = try StagedProgram.Listener(at: folder + "/programs")
        daemon = try DaemonProcess(
            registrations: "/etc/autofilld/apps",
            arguments: ["--consent", "allow", "--vault-key", try TestFiles.keyFile()],
            wrapper: TestFiles.isolated(etc: folder))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Starts one of the programs, which sees the daemon's files.
    func start(_ name: String) throws -> StagedProgram {
        let seen = ["/usr/bin/nsenter", "--mount=/proc/\(daemon.process.processIdentifier)/ns/mnt"]
        return try #require(
            try programs.start(seen + ["/etc/autofilld/\(name)"], daemon.socket), "\(name) did not connect")
    }

    /// The daemon's open files.
    var descriptors: Int {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.process.processIdentifier)/fd").count
        }
    }
}
