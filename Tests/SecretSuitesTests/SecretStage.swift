// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround

/// stage.py: a command on a private bus, where autofill-secrets and its daemon are installed as root installs them.
enum SecretStage {
    static let folder = TestFiles.root + "Tests/SecretSuitesTests/"
    static let needs = "needs root, the right to mount overlays, dbus-daemon and python3-secretstorage"
    /// Where suites are fetched to: once for all of a run, in a folder that is kept when it is named.
    static let isFull = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1"

    static let isAvailable: Bool = {
        guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon") else { return false }
        let python = try? ForeignProgram("/usr/bin/python3", ["-c", "import jeepney, secretstorage"])
        let isolated = try? ForeignProgram("env", TestFiles.isolated(etc: "/usr") + ["true"])
        return python?.status == 0 && isolated?.status == 0
    }()

    static func programs() throws -> String {
        URL(filePath: try DaemonProcess.program("autofill-secrets")).deletingLastPathComponent()
            .path(percentEncoded: false)
    }

    /// Runs a command.
    ///
    /// - Parameter consent: the user's answers, as for autofilld's option.
    static func run(
        _ command: [String], consent: [String] = ["allow"], options: [String] = [], in directory: String? = nil
    ) throws -> ForeignProgram {
        let consent = consent.flatMap { ["--consent", $0] }
        return try ForeignProgram(
            "/usr/bin/python3",
            ["-B", folder + "stage.py", "--programs", try programs()] + consent + options + command,
            ["PYTHONDONTWRITEBYTECODE": "1"], in: directory)
    }

    /// Runs a suite of others (outside.sh); nil where it could not be had.
    static func outside(_ suite: String) throws -> ForeignProgram? {
        let directory = try TemporaryDirectory()
        let kept = ProcessInfo.processInfo.environment["AUTOFILL_SUITES"]
        let run = try ForeignProgram(
            "bash", [folder + "outside.sh", suite, kept ?? directory.path], ["AUTOFILL_PROGRAMS": try programs()])
        guard let reason = run.output.firstMatch(of: #/SKIPPED: (.*)/#) else { return run }
        print("\(suite): skipped, \(reason.1)")
        return nil
    }
}
