// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import SyncCarrier
import Testing

/// autofill-sync, which was built beside the tests; each line that it prints can be waited for.
final class CarrierProgram {
    let process = Process()
    private let errors = Pipe()

    private static var path: String {
        let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        let folders = [tests, tests.deletingLastPathComponent(), URL(filePath: ".build/debug")]
        let paths = folders.map { $0.appending(path: "autofill-sync").path(percentEncoded: false) }
        return paths.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "autofill-sync"
    }

    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        process.executableURL = URL(filePath: Self.path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardError = errors
        process.standardOutput = errors
        try process.run()
    }

    deinit { if process.isRunning { process.terminate() } }

    /// Nil at the end.
    func nextLine() throws -> String? {
        var line = Data()
        while let byte = try errors.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
            if byte == Data("\n".utf8) { return String(decoding: line, as: UTF8.self) }
            line += byte
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// The exit status, and what is printed until then.
    func end() throws -> (status: Int32, output: String) {
        let output = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}

extension Machine {
    /// Writes carrier.json as the daemon does.
    func configure(location: String) throws {
        let text = #"{"format":1,"location":\#(location),"group":"\#(own.group)","device":"\#(own.device)"}"#
        try CarrierGround.write((text + "\n").bytes, to: spool.configuration + ".new")
        try #require(rename(spool.configuration + ".new", spool.configuration) == 0)
    }
}
