// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround

/// A local package index that requires a password.
final class PackageIndex {
    struct Failure: Error {}

    let directory: TemporaryDirectory
    let port: Int
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// - Parameter account: `USER:PASSWORD`.
    init(account: String) throws {
        directory = try TemporaryDirectory()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", TestFiles.root + "Tests/PythonClientTests/package_index.py", directory.path,
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data((account + "\n").utf8))
        var line = ""
        while !line.hasSuffix("\n") {
            guard let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else { throw Failure() }
            line += String(decoding: byte, as: UTF8.self)
        }
        guard let number = Int(line.dropLast()) else { throw Failure() }
        port = number
    }

    deinit { process.terminate() }

    /// Ends it. Returns its requests, one a line.
    func end() throws -> [String] {
        try input.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").map(String.init)
    }
}
