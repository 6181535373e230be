// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestGround
import Testing

@Suite(.blocking, .enabled(if: FuseFixture.isAvailable, "\(FuseFixture.need)"), .timeLimit(.minutes(10)))
struct FuseFixtureTests {
    /// A program that accesses the files instead of the test: what hangs is a process that can be waited for.
    private final class Reader {
        private let process = Process()
        private let output = Pipe()

        init(_ arguments: String...) throws {
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = arguments
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
        }

        var isRunning: Bool { process.isRunning }
        var processIdentifier: Int32 { process.processIdentifier }

        /// What it wrote, when it has ended.
        func finish() throws -> String {
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }
    }

    private static func text(_ words: String) -> [UInt8] { Array(words.utf8) }

    @Test("Each operation hangs from the request until it is released, of one file, and the others are served")
    func hangs() throws {
        let fixture = try FuseFixture(files: [
            .init("held", Self.text("held")), .init("free", Self.text("free"), mode: 0o600),
        ])
        for operation in FuseFixture.Operation.allCases {
            try fixture.hang([operation], of: "held")
            let reader =
                operation == .getattr
                ? try Reader("stat", "--format=%s", fixture.path + "/held") : try Reader("cat", fixture.path + "/held")
            #expect(try fixture.awaitHeld() == 1)
            #expect(try Reader("cat", fixture.path + "/free").finish() == "free", "\(operation)")
            #expect(reader.isRunning, "\(operation)")
            #expect(try fixture.release() == 1)
            #expect(try reader.finish() == (operation == .getattr ? "4\n" : "held"), "\(operation)")
        }
        #expect(try Reader("ls", fixture.path).finish() == "free\nheld\n")
        #expect(try Reader("stat", "--format=%a", fixture.path + "/free").finish() == "600\n")
    }

    @Test("A program runs from there, and continues while another process that opens it through /proc hangs")
    func program() throws {
        let fixture = try FuseFixture(files: [try .program("program", copying: "/bin/cat")])
        let link = URL(filePath: fixture.path + "/program")
        let program = Process()
        let (input, output) = (Pipe(), Pipe())
        program.executableURL = link
        program.standardInput = input
        program.standardOutput = output
        try program.run()
        func echo(_ line: String) throws -> String {
            try input.fileHandleForWriting.write(contentsOf: Data(line.utf8))
            return String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        }
        #expect(try echo("before\n") == "before\n")
        try fixture.hang([.open])
        let reader = try Reader("cmp", "/proc/\(program.processIdentifier)/exe", "/bin/cat")
        try fixture.awaitHeld()
        #expect(try echo("meanwhile\n") == "meanwhile\n")
        #expect(reader.isRunning)
        try fixture.release()
        #expect(try reader.finish() == "")
        try input.fileHandleForWriting.close()
        program.waitUntilExit()
        #expect(program.terminationStatus == 0)
    }

    @Test("A file with two faces shows the second one from the second reading on")
    func faces() throws {
        let fixture = try FuseFixture(files: [.init("two", faces: [Self.text("first"), Self.text("second")])])
        for expected in ["first", "second", "second"] {
            #expect(try Reader("cat", fixture.path + "/two").finish() == expected)
        }
    }

    @Test("Stopped while something hangs it lets it go, and nothing stays mounted")
    func stops() throws {
        let fixture = try FuseFixture(files: [.init("file", Self.text("text"))])
        try fixture.hang([.open])
        let reader = try Reader("cat", fixture.path + "/file")
        try fixture.awaitHeld()
        fixture.stop()
        _ = try reader.finish()
        let mounts = try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)
        #expect(!mounts.contains(fixture.path))
    }
}
