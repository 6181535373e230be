// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround

/// A server of Tests/HelperProgramTests on this machine, which prints its port and then a line for each request.
final class LocalServer {
    struct Failure: Error {}

    private(set) var port = 0
    private let process = Process()
    /// Its output goes to a file: the end of a pipe may be inherited by a process that another test starts meanwhile.
    private let output: TemporaryDirectory

    init(_ script: String, _ arguments: [String]) throws {
        output = try TemporaryDirectory()
        try output.write("requests", "")
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", TestFiles.root + "Tests/HelperProgramTests/" + script] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output.path + "/requests"))
        try process.run()
        let deadline = Date(timeIntervalSinceNow: 120)
        while port == 0 {
            guard process.isRunning, Date() < deadline else { throw Failure() }
            port = try lines().first.flatMap { Int($0) } ?? 0
            if port == 0 { usleep(5000) }
        }
    }

    private func lines() throws -> [String] {
        let text = try String(contentsOfFile: output.path + "/requests", encoding: .utf8)
        // The last one may not be whole yet.
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    deinit { stop() }

    /// It may have been started with other signals blocked.
    private func stop() {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// Ends it; what it was asked, a line a request.
    func end() throws -> [String] {
        stop()
        return try Array(lines().dropFirst())
    }
}
