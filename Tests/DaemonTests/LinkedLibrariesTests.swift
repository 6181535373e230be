// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// The programs that were built with the tests; `Tests/run --release` checks the installed programs and their sizes.
@Suite("Linked libraries", .blocking)
struct LinkedLibrariesTests {
    @Test(
        "The daemon needs libsystemd, libsqlite3, the C libraries and what these bring, without Foundation; libcurl is the fetcher's"
    )
    func libraries() throws {
        let programs = URL(filePath: try DaemonProcess.program("autofilld")).deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(filePath: TestFiles.root + "Tests/linked")
        process.arguments = [programs.path(percentEncoded: false)]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(said)")
    }
}
