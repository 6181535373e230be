// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround

/// Apps in sandboxes as Flatpak makes them, which ask the real xdg-desktop-portal on a stage's bus for their master
/// secret.
struct Flatpaks {
    static let portal = "/usr/libexec/xdg-desktop-portal"
    static let isAvailable: Bool = {
        guard SecretStage.isAvailable, FileManager.default.isExecutableFile(atPath: portal),
            let bindings = try? ForeignProgram("/usr/bin/python3", ["-c", "import gi"]), bindings.status == 0,
            let box = try? ForeignProgram("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"])
        else { return false }
        return box.status == 0
    }()
    static let need = "\(SecretStage.need), xdg-desktop-portal, bubblewrap and python3-gi"

    /// What an app got: the portal's response (0: it has its secret, 1: a no, 2: it failed) and what it read, in
    /// hexadecimal digits.
    struct Answer: Hashable {
        let response: Int
        let secret: String
    }

    /// An app that has asked.
    struct Asking {
        let process: Process
        let output: FileHandle

        func answer() throws -> Answer {
            let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            guard let found = text.firstMatch(of: /RESPONSE (\d) ([0-9a-f]*)\n/), let response = Int(found.1) else {
                throw StageFailure(text: text)
            }
            return Answer(response: response, secret: String(found.2))
        }
    }

    let stage: SecretStage

    init(_ stage: SecretStage) throws {
        self.stage = stage
        try stage.directory.write("ask.py", Self.script)
    }

    private static let script = """
        import os, sys
        from gi.repository import Gio, GLib
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        reading, writing = os.pipe()
        files = Gio.UnixFDList.new()
        index = files.append(writing)
        os.close(writing)
        loop = GLib.MainLoop()
        received = []
        def respond(bus, sender, path, interface, member, arguments):
            received.append(arguments[0])
            loop.quit()
        bus.signal_subscribe(None, "org.freedesktop.portal.Request", "Response", None, None, 0, respond)
        if len(sys.argv) > 1:
            name, interface = "org.freedesktop.secrets", "org.freedesktop.impl.portal.Secret"
            handle = "/org/freedesktop/portal/desktop/request/" + bus.get_unique_name()[1:].replace(".", "_") + "/t"
            arguments = GLib.Variant("(osha{sv})", (handle, sys.argv[1], index, {}))
        else:
            name, interface = "org.freedesktop.portal.Desktop", "org.freedesktop.portal.Secret"
            arguments = GLib.Variant("(ha{sv})", (index, {}))
        try:
            bus.call_with_unix_fd_list_sync(
                name, "/org/freedesktop/portal/desktop", interface, "RetrieveSecret", arguments, None, 0, 2**31 - 1, files, None)
        except GLib.Error as error:
            sys.exit(error.message)
        if not received:
            loop.run()
        os.set_blocking(reading, False)
        try:
            secret = os.read(reading, 4096).hex()
        except BlockingIOError:
            secret = ""
        print("RESPONSE", received[0], secret, flush=True)

        """

    /// Has an app ask.
    ///
    /// - Parameter installed: whether Flatpak installed the app's files; else only the sandbox states it.
    func begin(_ app: String, installed: Bool = true) throws -> Asking {
        let deployed = "\(stage.directory.path)/flatpak/app/\(app)/x86_64/stable/abc/files"
        try FileManager.default.createDirectory(atPath: deployed, withIntermediateDirectories: true)
        let information = """
            [Application]
            name=\(app)
            runtime=runtime/org.example.Platform/x86_64/1

            [Instance]
            instance-id=123
            app-path=\(deployed)
            app-commit=abc

            """
        try stage.directory.write("\(app).info", information)
        var arguments = ["--proc", "/proc", "--dev", "/dev", "--unshare-all", "--die-with-parent"]
        for name in try FileManager.default.contentsOfDirectory(atPath: "/")
        where !["proc", "dev", "sys", "app"].contains(name) {
            arguments += ["--ro-bind", "/\(name)", "/\(name)"]
        }
        arguments += ["--ro-bind", installed ? deployed : "/usr/share", "/app"]
        arguments += ["--ro-bind", "\(stage.directory.path)/\(app).info", "/.flatpak-info"]
        return try begin(["bwrap"] + arguments + ["/usr/bin/python3", "\(stage.directory.path)/ask.py"])
    }

    private func begin(_ command: [String]) throws -> Asking {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        (process.arguments, process.environment) = stage.program(command)
        let written = Pipe()
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (written, written)
        try process.run()
        return Asking(process: process, output: written.fileHandleForReading)
    }

    func ask(_ app: String, installed: Bool = true) throws -> Answer { try begin(app, installed: installed).answer() }
}
