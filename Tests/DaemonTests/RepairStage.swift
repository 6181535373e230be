// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround

#if canImport(Glibc)
    import Glibc
#endif

/// A new user's machine: the real daemon and autofillctl in a home of their own, the folder of an app's developer, and a user
/// at a terminal who knows the vault's passphrase. The key file `vault.key` of that folder opens the vault without delay.
final class RepairStage {
    static let app = "org.example.Shop"
    /// Where a program of root's is installed, for a machine with an administrator.
    static let frontEnd = "/etc/autofilld/front"

    let home: String
    /// Where the developer has the app's registration; commands run here.
    let work: String
    /// Where the daemon has its vault.
    let data: String
    let daemon: DaemonProcess
    private let terminal: PseudoTerminal
    private let shell = Process()
    /// The app's request, as it is corrected step by step.
    var method: String
    var parameters: [String: Any]
    private let programs: StagedProgram.Listener
    /// The app's own program, once it is started; before that the tests send the requests.
    private var program: StagedProgram?

    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    init(_ wrong: WrongSetUp) throws {
        terminal = try PseudoTerminal()
        home = try TestFiles.folder()
        work = home + "/work"
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
        data = wrong.hasVault ? try MadeVault.copy() : home + "/data"
        let own = home + "/share/autofilld/apps"
        var wrapper: [String] = []
        if wrong.hasAdministrator {
            try FileManager.default.createDirectory(
                atPath: home + "/etc/autofilld/apps", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o755])
            wrapper = TestFiles.isolated(etc: home + "/etc")
        }
        daemon = try DaemonProcess(
            isEphemeral: false, opensWithKey: wrong.hasVault && !wrong.isLocked, siteAssociation: wrong.siteAssociation,
            registrations: wrong.hasAdministrator ? "/etc/autofilld/apps" : own,
            arguments: ["--associations", home + "/nobody", "--data-directory", data]
                + (wrong.hasAdministrator ? ["--registrations", own] : []),
            wrapper: wrapper)
        programs = try StagedProgram.Listener(at: home + "/programs")
        try StagedProgram.install(at: work + "/shop")
        method = wrong.call.method
        parameters = try Self.object(wrong.call.parameters)
        guard
            FileManager.default.createFile(
                atPath: work + "/vault.key", contents: TestFiles.key, attributes: [.posixPermissions: 0o600])
        else { throw POSIXError(.EIO) }
        if let registration = wrong.registration {
            try write(registration.replacing("WORK", with: work), to: work + "/\(Self.app).json")
            try run("autofillctl app register \(Self.app).json")
        }
        if let installed = wrong.installed { try write(installed, to: home + "/share/autofilld/apps/\(Self.app).json") }
        if method == "hello" { try startFrontEnd() }
        if wrong.isSaved {
            let user = try SocketConnection(to: daemon.socket)
            try user.hello("org.autofilld.autofillctl")
            let saved = try user.call(
                "credential.save",
                [
                    "service": Examples.shop, "user": "ann", "password": "s3cret",
                    "proof": Examples.proof,
                ])
            if saved.result == nil { throw Failed(description: "\(saved)") }
        }
        for command in wrong.commands { try run(command) }
    }

    deinit {
        // The shell ends with its terminal.
        if shell.isRunning { kill(shell.processIdentifier, SIGTERM) }
        try? FileManager.default.removeItem(atPath: home)
    }

    /// Sends the request as the app, on a new connection: by then the daemon has read what was changed.
    func ask(_ method: String? = nil, _ parameters: [String: Any]? = nil) throws -> TestAnswer {
        let earlier = try connect()
        try earlier.hello(Self.app)
        try earlier.call("diagnose")
        let app = try connect()
        if let program, self.method == "hello" {
            // A delegate that passes its own pidfd.
            try app.send(
                Array((try ServiceConnection.line("hello", self.parameters) + "\n").utf8), with: [program.pidfd])
            return try TestAnswer(try app.line())
        }
        try app.hello(Self.app)
        let answer = try app.call(method ?? self.method, parameters ?? self.parameters)
        guard let submission = answer.text("submission") else { return answer }
        return try app.call("autofill.confirm", ["submission": submission])
    }

    private func connect() throws -> SocketConnection {
        try program?.connect() ?? SocketConnection(to: daemon.socket)
    }

    /// Starts a program, which sends the app's requests from now on.
    func start(_ path: String) throws { program = try programs.start([path], daemon.socket) ?? program }

    /// Starts the app's program where root alone can change it.
    private func startFrontEnd() throws {
        try StagedProgram.install(at: home + Self.frontEnd)
        let seen = "--mount=/proc/\(daemon.process.processIdentifier)/ns/mnt"
        program = try programs.start(["/usr/bin/nsenter", seen, Self.frontEnd], daemon.socket)
        if program == nil { throw Failed(description: "\(Self.frontEnd) does not start") }
    }

    /// Writes a file in a folder of /etc, as an administrator does.
    func administer(_ path: String, _ text: String) throws {
        guard path.hasPrefix("/etc/autofilld/") else { throw Failed(description: "where is \(path)?") }
        let file = home + path
        try FileManager.default.createDirectory(
            atPath: String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)]), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        try write(text, to: file)
    }

    /// Installs a file in a folder of /etc, as an administrator does.
    func install(_ file: String, in folder: String) throws {
        guard folder.hasPrefix("/etc/autofilld/") else { throw Failed(description: "where is \(folder)?") }
        try write(
            try String(contentsOfFile: work + "/" + file, encoding: .utf8), to: home + folder + "/" + file)
    }

    // MARK: - Files

    static func object(_ text: String) throws -> [String: Any] {
        guard let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
            throw Failed(description: "no object: \(text)")
        }
        return object
    }

    func write(_ text: String, to path: String) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Edits a JSON file as a user does, and keeps the rest of it.
    func edit(_ path: String, _ change: (inout [String: Any]) throws -> Void) throws {
        var object = try Self.object(try String(contentsOfFile: path, encoding: .utf8))
        try change(&object)
        let text = try JSONSerialization.data(
            withJSONObject: object, options: [.prettyPrinted, .withoutEscapingSlashes])
        try write(String(decoding: text, as: UTF8.self), to: path)
    }

    // MARK: - The user at a terminal

    /// Starts a shell in the developer's folder, to which the user types.
    private func openShell() throws {
        let programs = URL(filePath: try DaemonProcess.program("autofillctl")).deletingLastPathComponent()
        shell.executableURL = URL(filePath: "/usr/bin/setsid")
        shell.arguments = ["--ctty", "--wait", "/bin/sh", "-s"]
        shell.currentDirectoryURL = URL(filePath: work)
        shell.environment = [
            "HOME": home, "XDG_DATA_HOME": home + "/share", "XDG_CONFIG_HOME": home + "/config",
            "XDG_RUNTIME_DIR": home, "AUTOFILLD_SOCKET": daemon.socket, "TERM": "dumb",
            "PATH": programs.path(percentEncoded: false) + ":/usr/bin:/bin",
        ]
        let end = try terminal.handle()
        (shell.standardInput, shell.standardOutput, shell.standardError) = (end, end, end)
        try shell.run()
    }

    /// Types a command, and the passphrase where it is asked for.
    ///
    /// - Throws: where it fails and was not expected to.
    /// - Returns: what was shown.
    @discardableResult func run(_ command: String, mayFail: Bool = false) throws -> String {
        if !shell.isRunning { try openShell() }
        let typed = command + "; echo \"status=$?.\""
        try terminal.type(typed + "\n")
        var (shown, asked) = ("", "")
        while shown.firstMatch(of: /status=\d+\./) == nil {
            var waiting = pollfd(fd: terminal.screen, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 60_000) == 1 else {
                throw Failed(description: "\(command) waits for something: \(shown)")
            }
            let new = String(decoding: terminal.take(), as: UTF8.self)
            (shown, asked) = (shown + new, asked + new)
            if asked.hasSuffix("assphrase of the vault: ") || asked.hasSuffix("): ") || asked.hasSuffix("Again: ") {
                try terminal.type(MadeVault.passphrase + "\n")
                asked = ""
            } else if asked.hasSuffix("[y/N] ") {
                try terminal.type("y\n")
                asked = ""
            }
        }
        // The terminal also shows what was typed.
        shown = shown.replacing(typed, with: "")
        guard mayFail || shown.contains("status=0.") else { throw Failed(description: "\(command): \(shown)") }
        return shown
    }
}
