// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@Suite("The clients that protocol.md shows", .blocking, .timeLimit(.minutes(10)))
struct ClientTests {
    @Test(
        "The start of protocol.md starts, and its three flows run, word for word",
        .enabled("python3 is not installed") { ForeignProgram.isInstalled("python3") })
    func start() throws {
        let document = try ProtocolDocument.load(ProtocolDocument.path)
        let client = try #require(document.block("python"))
        #expect(client.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }.count <= 20)
        #expect(client.matches(of: #/import/#).count == 1 && client.hasPrefix("import json, os, socket\n"))
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var script = "cd '\(folder)'\n" + (try #require(document.block("shell"))) + "trap 'kill $!' EXIT\n"
        for flow in ["sign-up", "sign-in", "change"] {
            let source = client + (try #require(document.block("python \(flow)"), "\(flow)"))
            try source.write(toFile: "\(folder)/\(flow).py", atomically: true, encoding: .utf8)
            script += "python3 ../\(flow).py\n"
        }
        let programs = URL(filePath: try DaemonProcess.program("autofilld")).deletingLastPathComponent()
            .path(percentEncoded: false)
        let output = try ForeignProgram("bash", ["-ec", script], ["PATH": "\(programs):/usr/bin:/bin"]).output
        let expected = [
            "signed up with 20 characters", "signed in as ann@example.com with 20 characters",
            "changed for ann@example.com True",
        ]
        // The daemon writes its journal there too.
        let flows = output.split(separator: "\n").map(String.init).filter {
            $0.hasPrefix("signed") || $0.hasPrefix("changed")
        }
        #expect(flows == expected, "\(output)")
    }

    @Test(
        "The shell gets a password and reads it back through socat",
        .enabled("socat is not installed") { ForeignProgram.isInstalled("socat") })
    func socat() throws {
        let source = try #require(try ProtocolDocument.load().block("bash"))
        let daemon = try DaemonProcess(arguments: ["--consent", "allow"])
        let lines = try ForeignProgram("bash", ["-c", source], ["AUTOFILLD_SOCKET": daemon.socket]).output
            .split(separator: "\n")
        try #require(lines.count == 4, "\(lines)")
        let filled = try TestAnswer(String(lines[1])).text("password")
        #expect(filled?.count == 20)
        #expect(try TestAnswer(String(lines[2])).result?["changed"] as? Bool == true)
        #expect(try TestAnswer(String(lines[3])).text("password") == filled)
    }
}
