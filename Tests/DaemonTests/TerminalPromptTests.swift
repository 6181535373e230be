// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// The real daemon and real pinentries, on a pseudo-terminal of the user's that is not the requester's.
@Suite("Prompts on a terminal", .serialized, .blocking)
struct TerminalPromptTests {
    /// A daemon with that prompter and something saved, and the connection that saved it.
    private func place(_ program: PinentryProgram) throws -> (DaemonProcess, SocketConnection) {
        let daemon = try DaemonProcess(
            isEphemeral: false, arguments: ["--data-directory", try MadeVault.copy()],
            settings: #"{"prompter": "\#(program.rawValue)"}"#)
        let user = try SocketConnection(to: daemon.socket, timeoutSeconds: 120)
        try user.hello("org.autofilld.autofillctl")
        let save: [String: Any] = [
            "service": Examples.shop, "user": "ann", "password": "s3cret", "proof": Examples.proof,
        ]
        #expect(try user.call("credential.save", save).result != nil)
        return (daemon, user)
    }

    private func app(_ daemon: DaemonProcess) throws -> SocketConnection {
        let app = try SocketConnection(to: daemon.socket, timeoutSeconds: 120)
        try app.hello()
        return app
    }

    private static let get =
        #"{"jsonrpc":"2.0","id":7,"method":"credential.get","params":{"service":{"type":"domain","value":"shop.example.com"}}}"#

    @Test(
        "A real pinentry asks in one prompt whether an app may fill, and for how long, and its answers count",
        .enabled(if: !PinentryProgram.installed.isEmpty, "needs pinentry-tty or pinentry-curses of root's"),
        arguments: PinentryProgram.installed)
    func asked(_ program: PinentryProgram) throws {
        let terminal = try PseudoTerminal()
        let (daemon, user) = try place(program)
        let attach: [String: Any] = ["terminal": terminal.name, "type": "xterm", "proof": Examples.proof]
        #expect(try user.call("admin.prompter.attach", attach).result?["changed"] as? Bool == true)
        let app = try app(daemon)
        try app.send(Self.get)
        let first = try terminal.read(until: program == .tty ? "Number:" : "Not now>")
        #expect(first.contains("Example Shop wants to fill the password saved for shop.example.com."))
        #expect(first.contains("Identity: claimed."))
        for answer in ["1  This time", "2  Until logout", "3  Always", "4  Never"] { #expect(first.contains(answer)) }
        try terminal.type("3\r")
        #expect(try app.line().contains("s3cret"))
        #expect(try self.app(daemon).call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
    }

    @Test(
        "autofillctl prompts shows them on its terminal; a no there is a no, and its end is theirs",
        .enabled(if: PinentryProgram.installed.contains(.tty), "needs pinentry-tty of root's"))
    func command() throws {
        let terminal = try PseudoTerminal()
        let (daemon, _) = try place(.tty)
        let command = Process()
        command.executableURL = URL(filePath: "/usr/bin/setsid")
        command.arguments = [
            "--ctty", "--wait", try DaemonProcess.program("autofillctl"), "prompts", "--socket", daemon.socket,
        ]
        command.environment = ["TERM": "xterm", "PATH": "/usr/bin:/bin", "HOME": daemon.folder]
        let end = try terminal.handle()
        command.standardInput = end
        command.standardOutput = end
        command.standardError = end
        try command.run()
        _ = try terminal.read(until: "Passphrase of the vault: ")
        try terminal.type(MadeVault.passphrase + "\n")
        _ = try terminal.read(until: "Prompts are shown here")
        let app = try app(daemon)
        try app.send(Self.get)
        _ = try terminal.read(until: "Number:")
        try terminal.type("\r")
        #expect(try TestAnswer(app.line()).reasons == ["consent-denied"])
        #expect(daemon.terminate() == 0)
        command.waitUntilExit()
        #expect(command.terminationStatus == 69)
    }

    @Test(
        "With a real pinentry the user selects one of several accounts by its number, also after a wrong number",
        .enabled(if: PinentryProgram.installed.contains(.tty), "needs pinentry-tty of root's"))
    func pick() throws {
        let terminal = try PseudoTerminal()
        let (daemon, user) = try place(.tty)
        let save: [String: Any] = [
            "service": Examples.shop, "user": "bob", "password": "of bob", "proof": Examples.proof,
        ]
        #expect(try user.call("credential.save", save).result != nil)
        let attach: [String: Any] = ["terminal": terminal.name, "type": "xterm", "proof": Examples.proof]
        #expect(try user.call("admin.prompter.attach", attach).result?["changed"] as? Bool == true)
        let app = try app(daemon)
        let fill: [String: Any] = ["service": Examples.shop, "form": ["fields": Examples.signIn]]
        try app.send(try ServiceConnection.line("autofill.fill", fill, id: 7))
        let list = try terminal.read(until: "Number:")
        #expect(list.contains("ann") && list.contains("bob") && list.contains("Identity: claimed."))
        try terminal.type("9\n")
        _ = try terminal.read(until: "Number:")
        let number = try #require(["1", "2"].first { list.contains("\($0)  bob") }, "\(list)")
        try terminal.type("\(number)\n")
        _ = try terminal.read(until: PinentryProgram.tty.ready("Only this once"))
        try terminal.type(PinentryProgram.tty.no("Only this once"))
        let answer = try app.line()
        #expect(answer.contains("of bob") && !answer.contains("ann"))
    }

    @Test(
        "A daemon for tests prompts on an attached terminal, even where --consent answers for the user",
        .enabled(if: !PinentryProgram.installed.isEmpty, "needs pinentry-tty or pinentry-curses of root's"),
        arguments: [[], ["--consent", "deny"]])
    func ephemeral(_ arguments: [String]) throws {
        let terminal = try PseudoTerminal()
        let daemon = try DaemonProcess(arguments: arguments)
        let user = try SocketConnection(to: daemon.socket, timeoutSeconds: 120)
        try user.hello("org.autofilld.autofillctl")
        let attach: [String: Any] = ["terminal": terminal.name, "type": "xterm", "proof": Examples.proof]
        #expect(try user.call("admin.prompter.attach", attach).result?["changed"] as? Bool == true)
        let app = try app(daemon)
        try app.send(Self.get)
        #expect(try terminal.read(until: "shop.example.com").contains("Example Shop wants to fill"))
    }

    @Test("A terminal is attached with the passphrase and not by a prompt, which its holder could answer")
    func proof() throws {
        let terminal = try PseudoTerminal()
        let daemon = try DaemonProcess()
        let hostile = try SocketConnection(to: daemon.socket)
        try hostile.hello("org.autofilld.autofillctl")
        var attach: [String: Any] = ["terminal": terminal.name, "type": "xterm"]
        #expect(try hostile.call("admin.prompter.attach", attach).reasons == ["proof-required"])
        attach["proof"] = ["type": "prompt"]
        #expect(try hostile.call("admin.prompter.attach", attach).reasons == ["proof-required"])
        for path in ["/dev/pts/", "/dev/pts/../null", "/home/user/fifo", "/dev/ptmx"] {
            let wrong: [String: Any] = ["terminal": path, "type": "xterm", "proof": Examples.proof]
            #expect(try hostile.call("admin.prompter.attach", wrong).problem == "parameter-invalid", "\(path)")
        }
    }
}
