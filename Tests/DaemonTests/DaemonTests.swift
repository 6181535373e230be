// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@Suite("The daemon", .serialized, .blocking)
struct DaemonTests {
    @Test("A sign-up over the real socket survives kill -9 right after each answer")
    func killedAfterEachAnswer() throws {
        let daemon = try DaemonProcess(isEphemeral: false)
        var app = try SocketConnection(to: daemon.socket)
        try app.hello()
        try app.call("admin.vault.create", Examples.newSecret)
        let suggest: [String: Any] = [
            "service": Examples.shop, "form": ["id": "f1", "fields": Examples.signUp] as [String: Any],
        ]
        let first = try app.call("autofill.suggest", suggest)
        let offer = try #require(first.suggestion("strongPassword")?["offer"] as? String)

        func restart() throws {
            daemon.kill9()
            try daemon.start()
            app = try SocketConnection(to: daemon.socket)
            try app.hello()
        }
        try restart()
        #expect(try app.call("autofill.suggest", suggest).suggestion("strongPassword")?["offer"] as? String == offer)
        let filled = try app.call("autofill.fill", ["offer": offer])
        let password = try #require(filled.text("password"))
        try restart()
        #expect(try app.call("autofill.fill", ["offer": offer]).text("password") == password)
        let accepted = try app.call("autofill.accept", ["offer": offer, "user": "ann@example.com"])
        #expect(accepted.result?["changed"] as? Bool == true)
        try restart()
        let again = try app.call("autofill.accept", ["offer": offer, "user": "ann@example.com"])
        #expect(again.result?["changed"] as? Bool == false)
        #expect(again.text("credential") == accepted.text("credential"))
        let administered = try app.call("credential.get", ["service": Examples.shop, "proof": Examples.proof])
        #expect(administered.text("password") == password)
    }

    @Test("User name and password of a sign-up are in no file and no journal line, the domain in no file either")
    func nothingInTheClear() throws {
        let daemon = try DaemonProcess(isEphemeral: false)
        let app = try SocketConnection(to: daemon.socket)
        try app.hello()
        try app.call("admin.vault.create", Examples.newSecret)
        try app.call(
            "credential.save",
            ["service": Examples.shop, "user": "needle.user@example.net", "password": "needle-password"])
        try app.call("credential.get", ["service": Examples.shop, "user": "needle.user@example.net"])
        try app.call("credential.get", ["service": Examples.bank, "user": "needle.user@example.net"])
        #expect(daemon.terminate() == 0)
        var searched = 0
        let files = FileManager.default.enumerator(atPath: daemon.folder)
        while let name = files?.nextObject() as? String {
            let path = daemon.folder + "/" + name
            guard let data = FileManager.default.contents(atPath: path) else { continue }
            searched += 1
            for needle in ["needle.user", "needle-password", "shop.example.com", "bank.example.com"] {
                #expect(data.range(of: Data(needle.utf8)) == nil, "\(needle) in \(name)")
            }
        }
        #expect(searched >= 2)
    }

    @Test("Socket and data directory are for the user alone, whatever the umask")
    func permissions() throws {
        let daemon = try DaemonProcess(isEphemeral: false, startsWithoutMask: true)
        let app = try SocketConnection(to: daemon.socket)
        try app.hello()
        try app.call("admin.vault.create", Examples.newSecret)
        func mode(_ path: String) -> Int? {
            (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
        }
        #expect(mode(daemon.socket) == 0o600)
        #expect(mode(daemon.folder + "/data") == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: daemon.folder + "/data") {
            let mode = mode(daemon.folder + "/data/" + name)
            #expect(mode == 0o600 || mode == 0o700, "\(name)")
        }
    }

    @Test("A second daemon on the same vault refuses to start and names the process that holds it")
    func secondDaemon() throws {
        let daemon = try DaemonProcess(isEphemeral: false)
        let app = try SocketConnection(to: daemon.socket)
        try app.hello()
        try app.call("admin.vault.create", Examples.newSecret)
        let second = Process()
        second.executableURL = URL(filePath: try DaemonProcess.program("autofilld"))
        second.arguments = [
            "--socket", daemon.folder + "/s2", "--data-directory", daemon.folder + "/data", "--registrations",
            TestFiles.registrations, "--settings", daemon.folder + "/settings.json", "--system-settings",
            daemon.folder + "/system.json",
        ]
        second.environment = ["PATH": "/usr/bin:/bin", "HOME": daemon.folder]
        let errors = Pipe()
        second.standardError = errors
        try second.run()
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        second.waitUntilExit()
        #expect(second.terminationStatus == 69)
        #expect(said.contains("process \(daemon.process.processIdentifier)"), "\(said)")
    }

    @Test("SIGTERM: what was received is answered, then it ends with status 0")
    func terminated() throws {
        let daemon = try DaemonProcess()
        let app = try SocketConnection(to: daemon.socket)
        try app.hello()
        let silent = try SocketConnection(to: daemon.socket)
        try silent.hello()
        // As many answers as fit in the socket's buffer: nobody reads them before the daemon has ended.
        for index in 0..<50 {
            try app.send("{\"jsonrpc\":\"2.0\",\"id\":\(index),\"method\":\"status\"}")
        }
        #expect(daemon.terminate() == 0)
        for _ in 0..<50 { #expect(try TestAnswer(try app.line()).result != nil) }
        #expect(throws: SocketConnection.Failure.self) { try app.line() }
        #expect(throws: SocketConnection.Failure.self) { try silent.line() }
    }

    @Test("End of input is not the end: what was sent is answered, the last line without its line feed too")
    func endOfInput() throws {
        let daemon = try DaemonProcess()
        let app = try SocketConnection(to: daemon.socket)
        let hello =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\",\"params\":"
            + "{\"bundleID\":\"org.example.Shop\",\"protocol\":{\"min\":1,\"max\":1}}}"
        try app.send(Array((hello + "\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"status\"}").utf8))
        app.endInput()
        #expect(try TestAnswer(try app.line()).text("vault") == "unlocked")
        #expect(try TestAnswer(try app.line()).text("vault") == "unlocked")
        #expect(throws: SocketConnection.Failure.self) { try app.line() }
    }

    @Test("Wrong options end it at once, each with its fix")
    func options() throws {
        let directory = try TemporaryDirectory()
        let socket = directory.path + "/s"
        for (arguments, word) in [
            (["--ephemeral"], "--socket"), (["--socket", socket, "--consent", "allow"], "--ephemeral"),
            (["--ephemeral", "--socket", socket, "--data-directory", "/tmp"], "--data-directory"),
            (["--ephemeral", "--socket", socket, "--consent", "maybe"], "allow, deny"),
            (["--socket", socket, "--vault-key", socket], "--ephemeral"),
            (["--ephemeral", "--socket", socket, "--vault-key", "/dev/null"], "/dev/null"),
        ] {
            let process = Process()
            process.executableURL = URL(filePath: try DaemonProcess.program("autofilld"))
            process.arguments = arguments
            let errors = Pipe()
            process.standardError = errors
            try process.run()
            let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 64)
            #expect(said.contains(word), "\(said)")
        }
    }
}
