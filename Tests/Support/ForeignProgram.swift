// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A program of the machine that a test runs to its end.
package struct ForeignProgram {
    package let status: Int32
    /// What it wrote, errors included.
    package let output: String

    /// Whether the PATH has a program of this name.
    package static func isInstalled(_ name: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }

    /// - Parameters:
    ///   - name: a path, or a name that is searched in the PATH.
    ///   - variables: what is added to its environment.
    ///   - input: what it reads; nothing where it is left out.
    package init(
        _ name: String, _ arguments: [String], _ variables: [String: String] = [:], input: String = "",
        in directory: String? = nil
    ) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        if let directory { process.currentDirectoryURL = URL(filePath: directory) }
        let (given, written) = (Pipe(), Pipe())
        process.standardInput = given
        process.standardOutput = written
        process.standardError = written
        try process.run()
        try given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try given.fileHandleForWriting.close()
        output = String(decoding: written.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }
}
