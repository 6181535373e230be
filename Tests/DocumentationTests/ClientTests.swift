// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@Suite("The clients that protocol.md shows", .blocking, .timeLimit(.minutes(10)))
struct ClientTests {
    @Test(
        "The Python client gets a password and reads it back",
        .enabled("python3 is not installed") { isInstalled("python3") })
    func python() throws {
        let source = try #require(try ProtocolDocument.load().block("python"))
        #expect(source.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }.count <= 20)
        #expect(source.matches(of: #/import/#).count == 1 && source.hasPrefix("import json, socket\n"))
        let path = "/run/user/1000/autofilld/socket"
        try #require(source.contains("\"\(path)\""))
        let daemon = try DaemonProcess()
        let output = try Self.run("python3", ["-c", source.replacing(path, with: daemon.socket)])
        #expect(output == "True\n", "\(output)\n\(daemon.log())")
    }

    @Test(
        "The shell gets a password and reads it back through socat",
        .enabled("socat is not installed") { isInstalled("socat") })
    func socat() throws {
        let source = try #require(try ProtocolDocument.load().block("sh"))
        let daemon = try DaemonProcess()
        let lines = try Self.run("sh", ["-c", source], ["AUTOFILLD_SOCKET": daemon.socket]).split(separator: "\n")
        try #require(lines.count == 4, "\(lines)")
        let filled = try TestAnswer(String(lines[1])).text("password")
        #expect(filled?.count == 20)
        #expect(try TestAnswer(String(lines[2])).result?["changed"] as? Bool == true)
        #expect(try TestAnswer(String(lines[3])).text("password") == filled)
    }

    private static func isInstalled(_ program: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }

    private static func run(
        _ program: String, _ arguments: [String], _ variables: [String: String] = [:]
    ) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}
