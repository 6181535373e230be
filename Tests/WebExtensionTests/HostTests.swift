// SPDX-License-Identifier: Apache-2.0
import BrowserMessages
import Foundation
import Glibc
import Support
import TestGround
import Testing

/// autofill-browser, started as by a browser.
@Suite("The native messaging host", .blocking, .timeLimit(.minutes(10)))
struct HostTests {
    /// A host, its pipes, and its answers.
    private final class Host {
        let process = Process()
        private let input = Pipe()
        private let output = Pipe()

        init(_ arguments: [String], socket: String) throws {
            process.executableURL = URL(filePath: try DaemonProcess.program("autofill-browser"))
            process.arguments = arguments
            process.environment = ["AUTOFILLD_SOCKET": socket, "PATH": "/usr/bin:/bin"]
            process.standardInput = input
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
        }

        func send(_ bytes: [UInt8]) throws { try input.fileHandleForWriting.write(contentsOf: Data(bytes)) }

        func send(_ text: String) throws { try send(NativeFraming.header(of: text.utf8.count) + text.utf8) }

        /// Waits as long as a slow machine may need; a longer wait is a hang.
        func receive() throws -> [String: Any] {
            let descriptor = output.fileHandleForReading.fileDescriptor
            func read(_ count: Int) throws -> Data {
                var data = Data()
                while data.count < count {
                    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    guard poll(&waiting, 1, 120_000) == 1 else { throw POSIXError(.ETIMEDOUT) }
                    var more = [UInt8](repeating: 0, count: count - data.count)
                    let got = Glibc.read(descriptor, &more, more.count)
                    guard got > 0 else { throw POSIXError(.EPIPE) }
                    data += more.prefix(got)
                }
                return data
            }
            let length = try read(4).withUnsafeBytes { Int($0.loadUnaligned(as: UInt32.self)) }
            return try #require(JSONSerialization.jsonObject(with: read(length)) as? [String: Any])
        }

        func close() throws { try input.fileHandleForWriting.close() }
    }

    private static let ours = ["chrome-extension://\(HostManifest.chromiumID)/"]

    private func reasons(_ answer: [String: Any]) -> [String] {
        let error = answer["error"] as? [String: Any]
        return (error?["reasons"] as? [[String: Any]] ?? []).compactMap { $0["reason"] as? String }
    }

    @Test("Without a daemon each message gets one answer with the reason, and the host exits at the end of its input")
    func noDaemon() throws {
        let directory = try TemporaryDirectory()
        let host = try Host(Self.ours, socket: directory.path + "/none")
        for id in 1...3 {
            try host.send(#"{"id":\#(id),"document":"D","method":"status"}"#)
            let answer = try host.receive()
            #expect(answer["id"] as? Int == id && answer["document"] as? String == "D")
            #expect(reasons(answer) == ["notInstalled"])
        }
        try host.close()
        host.process.waitUntilExit()
        #expect(host.process.terminationStatus == 0 && host.process.terminationReason == .exit)
    }

    @Test("A crash of the host leaves no core with passwords")
    func noCore() throws {
        let directory = try TemporaryDirectory()
        let host = try Host(Self.ours, socket: directory.path + "/none")
        try host.send(#"{"id":1,"method":"status"}"#)
        _ = try host.receive()
        let limits = try String(contentsOfFile: "/proc/\(host.process.processIdentifier)/limits", encoding: .utf8)
        let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        let bytes = core.split(separator: " ").dropFirst(4).prefix(2)
        var own = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &own)
        // 0 only where it may not be raised.
        let expected = own.rlim_max == 0 ? "0" : "1"
        #expect(bytes == [expected[...], expected[...]])
        try host.close()
        host.process.waitUntilExit()
    }

    @Test("Malformed messages are refused, and affect no other message")
    func malformed() throws {
        let daemon = try DaemonProcess(arguments: ["--consent", "allow"])
        let host = try Host(["/any/manifest.json", HostManifest.firefoxID], socket: daemon.socket)
        for text in ["", "[]", "{", #"{"id":"x"}"#, "\u{FEFF}{}", #"{"id":1,"id":2,"method":"status"}"#] {
            try host.send(text)
            let answer = try host.receive()
            #expect(answer["id"] is NSNull && reasons(answer) == ["message-not-taken"], "\(text)")
        }
        try host.send(NativeFraming.header(of: NativeFraming.maximumLength + 1))
        let long = try host.receive()
        #expect(reasons(long) == ["message-too-long"])
        try host.send([UInt8](repeating: 0x7B, count: NativeFraming.maximumLength + 1))
        try host.send(#"{"id":7,"method":"admin.vault.lock"}"#)
        let unknown = try host.receive()
        #expect(reasons(unknown) == ["message-not-taken"])
        try host.send(#"{"id":8,"method":"status"}"#)
        let greeting = try host.receive()
        #expect(greeting["connected"] != nil)
        let answer = try host.receive()
        #expect(answer["id"] as? Int == 8 && (answer["result"] as? [String: Any])?["vault"] as? String == "unlocked")
        // The daemon's refusal of a line that is too long has no id.
        let label = String(repeating: "x", count: 100_000)
        try host.send(
            #"{"id":9,"method":"diagnose","origin":"https://a.example","params":{"form":{"fields":[{"id":"\#(label)"}]}}}"#
        )
        let refused = try host.receive()
        #expect(refused["id"] as? Int == 9 && reasons(refused) == ["message-too-long"])
    }

    @Test("After a restart of the daemon waiting requests are repeated, on a new connection")
    func restart() throws {
        let daemon = try DaemonProcess(arguments: ["--consent", "allow"])
        let host = try Host(Self.ours, socket: daemon.socket)
        try host.send(#"{"id":1,"method":"status"}"#)
        let greeting = try host.receive()
        let first = try host.receive()
        #expect(greeting["connected"] != nil && first["id"] as? Int == 1)
        daemon.kill9()
        try daemon.start()
        try host.send(#"{"id":2,"method":"status"}"#)
        let again = try host.receive()
        let second = try host.receive()
        #expect(again["connected"] != nil && second["id"] as? Int == 2)
    }

    @Test("A daemon that ends right after its greeting is tried again, and every message gets its answer")
    func greetedInVain() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/socket"
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { Glibc.close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) == 0 }
        }
        try #require(isBound && listen(listener, 8) == 0)
        // Before the host waits for it.
        var answer = try greeting()
        let host = try Host(Self.ours, socket: path)
        try host.send(#"{"id":1,"method":"status"}"#)
        let client = accept(listener, nil, nil)
        var line = [UInt8](repeating: 0, count: 4096)
        try #require(recv(client, &line, line.count, 0) > 0)
        let hello = try #require(JSONSerialization.jsonObject(with: Data(line.prefix { $0 != 10 })) as? [String: Any])
        answer["id"] = hello["id"]
        let greeting = try JSONSerialization.data(withJSONObject: answer) + Data("\n".utf8)
        _ = greeting.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        Glibc.close(client)
        // The host tries again, and then the socket has no listener.
        let second = accept(listener, nil, nil)
        try FileManager.default.removeItem(atPath: path)
        Glibc.close(second)
        while true {
            let answer = try host.receive()
            guard answer["id"] != nil else { continue }
            #expect(answer["id"] as? Int == 1 && !reasons(answer).isEmpty)
            break
        }
    }

    /// A real daemon's answer to hello.
    private func greeting() throws -> [String: Any] {
        let daemon = try DaemonProcess()
        let client = try SocketConnection(to: daemon.socket)
        let line = try client.exchange(
            #"{"jsonrpc":"2.0","id":1,"method":"hello","params":{"bundleID":"org.example.Shop","protocol":{"min":1,"max":1}}}"#
        )
        return try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test(
        "It starts for the extension only",
        arguments: [[], ["chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/"], ["/m.json", "other@example.org"]])
    func others(_ arguments: [String]) throws {
        let host = try Host(arguments, socket: "/nowhere")
        host.process.waitUntilExit()
        #expect(host.process.terminationStatus == 64)
    }

    @Test("The packaged manifests are those that autofillctl writes, and name the key of the extension")
    func manifests() throws {
        for family in [SupportedBrowser.Family.chromium, .firefox] {
            let file = TestFiles.root + "systemd/browser/host-\(family.rawValue).json"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text == HostManifest.text(for: family, program: "/usr/local/bin/autofill-browser"))
        }
        let manifest = try Data(contentsOf: URL(filePath: WebBrowser.extensionFolder + "/manifest.json"))
        let members = try #require(JSONSerialization.jsonObject(with: manifest) as? [String: Any])
        let gecko = (members["browser_specific_settings"] as? [String: [String: Any]])?["gecko"]
        #expect(gecko?["id"] as? String == HostManifest.firefoxID)
        let connectable = try #require(members["externally_connectable"] as? [String: [String]])
        #expect(connectable.values.joined().isEmpty)
        for browser in SupportedBrowser.all {
            let registration = try String(
                contentsOfFile: TestFiles.root + "systemd/browser/\(browser.bundleID).json", encoding: .utf8)
            for path in browser.executables { #expect(registration.contains("\"\(path)\"")) }
        }
    }
}
