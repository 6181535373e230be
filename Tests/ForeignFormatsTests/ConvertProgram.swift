// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestGround

/// A run of a program, with its output.
struct ProgramRun {
    let status: Int32
    let output: [UInt8]
    let errors: String

    var text: String { String(decoding: output, as: UTF8.self) }

    /// Runs a program with files as its standard input and its descriptors from 3 on.
    init(
        _ program: String, _ arguments: [String], input: [UInt8] = [], descriptors: [[UInt8]] = [],
        in directory: TemporaryDirectory
    ) throws {
        func path(_ name: String) -> String { directory.path + "/" + name }
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        // The shell opens the descriptors that Foundation does not pass on.
        let further = descriptors.indices.map { " \($0 + 3)<\(path("fd\($0 + 3)"))" }.joined()
        let script = "exec \"$0\" \"$@\" <\(path("input"))\(further) >\(path("output")) 2>\(path("errors"))"
        process.arguments = ["-c", script, program] + arguments
        try Data(input).write(to: URL(filePath: path("input")))
        for (index, content) in descriptors.enumerated() {
            try Data(content).write(to: URL(filePath: path("fd\(index + 3)")))
        }
        try process.run()
        process.waitUntilExit()
        status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        output = Array(try Data(contentsOf: URL(filePath: path("output"))))
        errors = String(decoding: try Data(contentsOf: URL(filePath: path("errors"))), as: UTF8.self)
    }

    /// `autofill-convert`, beside the tests.
    static func convert(
        _ arguments: [String], input: [UInt8] = [], descriptors: [[UInt8]] = [], in directory: TemporaryDirectory
    ) throws -> ProgramRun {
        try ProgramRun(converter, arguments, input: input, descriptors: descriptors, in: directory)
    }

    static var converter: String {
        if let folder = ProcessInfo.processInfo.environment["AUTOFILL_PROGRAMS"] { return folder + "/autofill-convert" }
        let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        let folders = [tests, tests.deletingLastPathComponent(), URL(filePath: ".build/debug")]
        let paths = folders.map { $0.appending(path: "autofill-convert").path(percentEncoded: false) }
        return paths.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "autofill-convert"
    }

    /// Whether a shell command succeeds: to see what is installed.
    static func succeeds(_ command: String) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command + " >/dev/null 2>&1"]
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
