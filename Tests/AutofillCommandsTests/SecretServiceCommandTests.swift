// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestGround
import Testing

@testable import AutofillCommands

/// A real dbus-daemon that starts services by the files of one home, and a program of the test's that has a name there.
private final class ServiceBus {
    static let isAvailable = access("/usr/bin/dbus-daemon", X_OK) == 0 && access("/usr/bin/busctl", X_OK) == 0

    let home: TemporaryDirectory
    private var processes: [Int32] = []
    var environment: [String: String] {
        [
            "HOME": home.path, "XDG_DATA_HOME": home.path + "/data", "XDG_CONFIG_HOME": home.path + "/config",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(home.path)/bus", "PATH": "/usr/bin:/bin",
            // A bus without owner: a program that is started here finds no service.
            "AUTOFILLD_SOCKET": home.path + "/none", "XDG_RUNTIME_DIR": home.path + "/run",
        ]
    }

    init() throws {
        home = try TemporaryDirectory()
        try home.write("data/dbus-1/services/.keep", "")
        try home.write(
            "bus.conf",
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
            "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>session</type><listen>unix:path=\(home.path)/bus</listen><auth>EXTERNAL</auth>
            <servicedir>\(home.path)/data/dbus-1/services</servicedir>
            <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>
            """)
        try start("/usr/bin/dbus-daemon", ["--nofork", "--config-file=\(home.path)/bus.conf"])
        try wait { access(home.path + "/bus", F_OK) == 0 }
    }

    deinit {
        for process in processes {
            kill(process, SIGKILL)
            ChildProcess.wait(for: process)
        }
    }

    private func start(_ program: String, _ arguments: [String]) throws {
        // All three are open: else what it opens itself would be its standard error.
        let files = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].map { number in
            (number, ChildProcess.File.path("/dev/null", flags: O_RDWR))
        }
        processes.append(try ChildProcess.start(program, arguments, environment: environment, files: files))
    }

    private func wait(_ condition: () throws -> Bool) throws {
        for _ in 0..<12_000 {
            if try condition() { return }
            usleep(10_000)
        }
        throw CommandFailure(.system, "two minutes were not enough")
    }

    /// Has another program acquire the name, as gnome-keyring does.
    func occupy() throws {
        let script = """
            import time
            from jeepney import DBusAddress, new_method_call
            from jeepney.io.blocking import open_dbus_connection
            bus = open_dbus_connection()
            address = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
            bus.send_and_get_reply(new_method_call(address, "RequestName", "su", ("org.freedesktop.secrets", 4)))
            time.sleep(600)
            """
        try home.write("gnome-keyring.py", script)
        try start("/usr/bin/python3", [home.path + "/gnome-keyring.py"])
        try wait { try SessionBus(ProcessEnvironment(environment))?.owner() != nil }
    }

    /// Has gnome-keyring acquire the name; returns its process.
    func startGnomeKeyring() throws -> Int32 {
        for folder in ["run", "data/keyrings"] {
            try FileManager.default.createDirectory(
                atPath: "\(home.path)/\(folder)", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        try start("/usr/bin/gnome-keyring-daemon", ["--foreground", "--components=secrets,pkcs11"])
        var found: SessionBus.Owner?
        try wait {
            found = try SessionBus(ProcessEnvironment(environment))?.owner()
            return found != nil
        }
        return found?.processID ?? 0
    }

    /// Runs a command of gnome-keyring, and waits until the name has no owner.
    func runGnomeKeyring(_ command: String) throws {
        let arguments = command.split(separator: " ").map(String.init)
        // In the foreground it ends with the test.
        try start("/usr/bin/\(arguments[0])", arguments.dropFirst() + ["--foreground"])
        try wait { try SessionBus(ProcessEnvironment(environment))?.owner() == nil }
    }

    func run(_ arguments: String...) async throws -> CommandRun {
        try await CommandRun.of(["secret-service"] + arguments, environment: environment)
    }

    var activation: String { home.path + "/data/dbus-1/services/org.freedesktop.secrets.service" }
}

@Suite(
    "autofillctl secret-service", .serialized, .timeLimit(.minutes(10)),
    .enabled(
        if: TestService.isThere && ServiceBus.isAvailable, "\(TestService.absence), or dbus-daemon or busctl is not"))
struct SecretServiceCommandTests {
    @Test("Enabled, the bus starts autofill-secrets for any caller; disabled, it has ended and the name has no owner")
    func lifecycle() async throws {
        let bus = try ServiceBus()
        #expect(try await bus.run("status").output.contains("problem: It is not enabled\n"))
        let enabled = try await bus.run("enable", "--yes")
        #expect(enabled.status == 0 && enabled.output.contains("written: \(bus.activation)\n"), "\(enabled)")
        #expect(try await bus.run("enable", "--json").output.contains(#""changed":false"#))
        // This call starts it. There is no daemon here: only that is reported.
        let state = try await bus.run("status")
        #expect(state.status != 0 && state.output.contains("/autofill-secrets (process "), "\(state)")
        #expect(state.output.contains("enabled: yes\nportal: served; xdg-desktop-portal does not run\n"), "\(state)")
        #expect(state.output.contains("problem: It does not answer: "), "\(state)")
        let disabled = try await bus.run("disable")
        #expect(disabled.status == 0 && disabled.output.contains("removed: \(bus.activation)\n"), "\(disabled)")
        var after = try await bus.run("status")
        for _ in 0..<1000 where !after.output.hasPrefix("org.freedesktop.secrets: no owner\n") {
            usleep(10_000)
            after = try await bus.run("status")
        }
        #expect(after.output.hasPrefix("org.freedesktop.secrets: no owner\n"), "\(after)")
        #expect(try await bus.run("disable").output == "It is not enabled.\n")
    }

    @Test("If there is no vault, status reports that, and the command that creates one")
    func withoutVault() async throws {
        let service = try await TestService()
        let bus = try ServiceBus()
        #expect(try await bus.run("enable", "--yes").status == 0)
        let state = try await bus.run("status", "--socket", service.socket)
        #expect(
            state.output.hasSuffix("problem: There is no vault yet\n  Fix: Run: autofillctl vault create\n"), "\(state)"
        )
        #expect(try await bus.run("disable").status == 0)
    }

    @Test(
        "The name of another running program is acquired only with the user's consent, which is asked for at the terminal",
        .enabled("python3-jeepney is not installed") {
            try await CommandRun.program("/usr/bin/python3", ["-c", "import jeepney"])
        })
    func consent() async throws {
        let bus = try ServiceBus()
        try bus.occupy()
        let without = try await bus.run("enable")
        #expect(without.status != 0 && access(bus.activation, F_OK) != 0, "\(without)")
        for (answer, isThere) in [("n\n", false), ("y\n", true)] {
            let asked = try await CommandRun.atTerminal(
                ["secret-service", "enable"], dialogue: [("[y/N] ", answer)], environment: bus.environment)
            #expect((access(bus.activation, F_OK) == 0) == isThere, "\(asked)")
            #expect(asked.errors.contains("serves org.freedesktop.secrets. To replace it"), "\(asked)")
            #expect(!isThere || asked.output.contains("owns the name until you log out"), "\(asked)")
            #expect(
                !isThere || !asked.output.contains("To change it now"), "no command releases this program: \(asked)")
            #expect(!isThere || asked.output.contains("To undo: autofillctl secret-service disable"), "\(asked)")
        }
        let status = try await bus.run("status", "--json")
        #expect(status.output.contains(#""enabled":true"#) && status.output.contains(#""works":false"#), "\(status)")
        #expect(status.output.contains("still owns the name"), "\(status)")
        // Not its own: it continues.
        #expect(try await bus.run("disable").status == 0)
        #expect(try await bus.run("status").output.contains("Fix: Run: autofillctl secret-service enable\n"))
    }

    @Test(
        "If gnome-keyring owns the name, the printed command makes it release the name at once",
        .enabled(if: access("/usr/bin/gnome-keyring-daemon", X_OK) == 0, "gnome-keyring is not installed"))
    func atOnce() async throws {
        let bus = try ServiceBus()
        let keyring = try bus.startGnomeKeyring()
        #expect(try await bus.run("status").output.contains("/gnome-keyring-daemon (process \(keyring))\n"))
        let enabled = try await bus.run("enable", "--yes")
        #expect(enabled.output.contains("gnome-keyring-daemon (process \(keyring)) owns the name until"), "\(enabled)")
        let named = try #require(enabled.output.firstMatch(of: /To change it now: (.*)\n/))
        let status = try await bus.run("status")
        #expect(status.output.contains("Fix: Log out and in again, or run: \(named.1)\n"), "\(status)")
        try bus.runGnomeKeyring(String(named.1))
        let after = try await bus.run("status")
        #expect(after.output.contains("/autofill-secrets (process "), "\(after)")
    }

    @Test(
        "gnome-keyring is started without its Secret Service but with its other components, and a file of the user is restored"
    )
    func others() throws {
        let home = try TemporaryDirectory()
        let root = home.path + "/root"
        try home.write("root/etc/xdg/autostart/gnome-keyring-secrets.desktop", "[Desktop Entry]\nExec=x\n")
        try home.write(
            "root/usr/lib/systemd/user/gnome-keyring-daemon.service",
            """
            [Service]
            ExecStart=/usr/bin/gnome-keyring-daemon --foreground --components="pkcs11,secrets" --control-directory=%t/keyring
            """)
        try home.write(
            "root/usr/share/dbus-1/services/org.freedesktop.secrets.service", "Exec=/usr/bin/other --start\n")
        try home.write(".local/share/dbus-1/services/org.freedesktop.secrets.service", "the user's own\n")
        let setup = try SecretServiceSetup(ProcessEnvironment(["HOME": home.path]), root: root)
        #expect(setup.otherProgram == "/usr/bin/other" && !setup.isEnabled)
        let files = setup.files(program: "/usr/bin/autofill-secrets", hasUnit: true)
        #expect(try setup.write(files) == files && files.count == 3)
        #expect(try setup.write(files) == [] && setup.isEnabled)
        #expect(files[0].text.contains("\nExec=/usr/bin/autofill-secrets\nSystemdService=autofill-secrets.service\n"))
        #expect(files[1].text.contains("\nHidden=true\n"))
        let command =
            "ExecStart=\nExecStart=/usr/bin/gnome-keyring-daemon --foreground --components=pkcs11 --control-directory=%t/keyring\n"
        #expect(files[2].text.hasSuffix(command))
        #expect(try setup.undo() == files.map(\.path) && !setup.isEnabled)
        #expect(try String(contentsOfFile: files[0].path, encoding: .utf8) == "the user's own\n")
        #expect(access(files[1].path, F_OK) != 0 && access(files[2].path, F_OK) != 0)
    }

    @Test("A file that replaced enable's file is renamed beside the user's first one; both are restored")
    func again() throws {
        let home = try TemporaryDirectory()
        let name = ".local/share/dbus-1/services/org.freedesktop.secrets.service"
        try home.write(name, "first\n")
        let setup = try SecretServiceSetup(ProcessEnvironment(["HOME": home.path]), root: home.path + "/root")
        let files = setup.files(program: "/usr/bin/autofill-secrets", hasUnit: false)
        func text(_ more: String = "") throws -> String {
            try String(contentsOfFile: "\(home.path)/\(name)\(more)", encoding: .utf8)
        }
        #expect(try setup.write(files) == files)
        try home.write(name, "second\n")
        #expect(try !setup.isEnabled && setup.undo() == [])
        #expect(try setup.write(files) == files && setup.isEnabled)
        #expect(try text(".before-autofill") == "first\n" && text(".before-autofill.2") == "second\n")
        #expect(try setup.undo() == files.map(\.path) && text() == "second\n")
        #expect(try text(".before-autofill") == "first\n")
        // Removing the second one reveals the first.
        #expect(unlink("\(home.path)/\(name)") == 0)
        #expect(try setup.write(files) == files && setup.undo() == files.map(\.path) && text() == "first\n")
    }
}

extension CommandRun {
    /// Whether a program of the machine ends well.
    fileprivate static func program(_ path: String, _ arguments: [String]) async throws -> Bool {
        let child = try ChildProcess.start(
            path, arguments, environment: [:], files: [(STDERR_FILENO, .path("/dev/null", flags: O_WRONLY))])
        return ChildProcess.wait(for: child) == 0
    }
}
