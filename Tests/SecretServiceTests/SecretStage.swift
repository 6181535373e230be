// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround

/// A bus and a daemon of a test's own, and the bridge between them, installed as root installs it and started by the
/// bus.
final class SecretStage {
    /// A command line: a shell that sees the files of a directory in addition to those of /etc, reports that, and waits.
    private static func shell(withFilesOf directory: String) -> [String] {
        TestFiles.isolated(etc: directory) + ["sh", "-c", "echo ready && exec cat"]
    }
    static let isAvailable: Bool = {
        let run = try? ForeignProgram("env", shell(withFilesOf: "/usr"))
        return geteuid() == 0 && run?.output == "ready\n" && ForeignProgram.isInstalled("dbus-daemon")
            && ForeignProgram.isInstalled("busctl") && ForeignProgram.isInstalled("secret-tool")
    }()
    static let need = "needs root, the right to mount overlays, dbus-daemon, busctl and secret-tool"
    private static let program = "/etc/autofilld/bin/autofill-secrets"
    /// Programs of the machine that the bus starts besides.
    private static let others = [
        "org.freedesktop.portal.Desktop": Flatpaks.portal, "org.gnome.OnlineAccounts": OnlineAccounts.program,
    ]

    let daemon: DaemonProcess
    let directory: TemporaryDirectory
    private let bus = Process()
    /// Keeps the files that daemon, bridge and programs see.
    private let keeper = Process()
    private let keeping = Pipe()
    /// The bus's address.
    let address: String

    /// - Parameters:
    ///   - consent: the user's answers: `allow`, `deny`, or the lines of a script; nil: given by `PromptedUser`, and
    ///     the vault's
    ///     passphrase is theirs.
    ///   - options: of the bridge.
    ///   - hasDesktop: whether the user has a display.
    init(consent: String? = "allow", options: String = "", hasDesktop: Bool = true) throws {
        directory = try TemporaryDirectory()
        chmod(directory.path, 0o755)
        let script = """
            set -eu
            umask 022
            mkdir -p "$1/etc/autofilld/apps" "$1/etc/autofilld/delegates" "$1/etc/autofilld/bin" "$1/home" "$1/services"
            install -m 755 "$2" "$1/etc/autofilld/bin/autofill-secrets"
            install -m 755 /usr/bin/secret-tool "$1/etc/autofilld/bin/one"
            install -m 755 /usr/bin/secret-tool "$1/etc/autofilld/bin/two"
            for file in "$3"/*.json; do
                sed "s|/usr/local/bin/|/etc/autofilld/bin/|" "$file" >"$1/etc/autofilld/apps/${file##*/}"
            done
            mv "$1/etc/autofilld/apps/delegate.json" "$1/etc/autofilld/delegates/autofill-secrets.json"
            cp -r "$3/families" "$1/etc/autofilld/secret-families"
            mkdir -p "$1/etc/flatpak/installations.d"
            printf '[Installation "test"]\nPath=%s/flatpak\n' "$1" >"$1/etc/flatpak/installations.d/test.conf"
            """
        let made = try ForeignProgram(
            "sh",
            [
                "-c", script, "sh", directory.path, try DaemonProcess.program("autofill-secrets"),
                TestFiles.root + "systemd/secrets",
            ])
        guard made.status == 0 else { throw StageFailure(text: made.output) }
        if consent == nil { try PromptedUser.install(in: directory) }
        keeper.executableURL = URL(filePath: "/usr/bin/env")
        keeper.arguments = Self.shell(withFilesOf: directory.path + "/etc")
        keeper.standardInput = keeping
        try Self.begin(keeper)
        let wrapper = ["nsenter", "--mount=/proc/\(keeper.processIdentifier)/ns/mnt", "--"]
        if let consent {
            var answers = [consent]
            if consent != "allow", consent != "deny" {
                try directory.write("consent", consent)
                answers = ["script", directory.path + "/consent"]
            }
            daemon = try DaemonProcess(
                registrations: "/etc/autofilld/apps",
                arguments: ["--consent"] + answers + ["--vault-key", try TestFiles.keyFile()], wrapper: wrapper)
        } else {
            daemon = try DaemonProcess(
                isEphemeral: false, opensWithKey: false, registrations: "/etc/autofilld/apps",
                arguments: ["--system-settings", "/etc/autofilld/settings.json"],
                settings: #"{"prompter": "\#(PromptedUser.prompter)"}"#,
                environment: hasDesktop ? ["DISPLAY": ":9"] : [:],
                wrapper: wrapper)
        }
        address = "unix:path=\(directory.path)/bus"
        try startBus(options)
        if consent == nil { _ = try user().call("admin.vault.create", ["passphrase": PromptedUser.passphrase]) }
    }

    deinit {
        // A process that a test starts may have every other signal blocked.
        for process in [bus, keeper] where process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    private func startBus(_ options: String) throws {
        // What the bus starts is the bridge, which sees what the daemon sees.
        try directory.write(
            "bridge",
            """
            #!/bin/sh
            exec nsenter --mount=/proc/\(keeper.processIdentifier)/ns/mnt -- \(Self.program) \
            --socket '\(daemon.socket)' \(options) >>'\(directory.path)/log' 2>&1
            """)
        chmod(directory.path + "/bridge", 0o755)
        try directory.write(
            "services/org.freedesktop.secrets.service",
            "[D-BUS Service]\nName=org.freedesktop.secrets\nExec=\(directory.path)/bridge\n")
        for (name, program) in Self.others {
            try directory.write(
                "services/\(name).service",
                """
                [D-BUS Service]
                Name=\(name)
                Exec=/usr/bin/env XDG_DESKTOP_PORTAL_DIR=\(TestFiles.root)systemd/secrets HOME=\(directory.path)/home \
                nsenter --mount=/proc/\(keeper.processIdentifier)/ns/mnt -- \(program)

                """)
        }
        try directory.write(
            "bus.conf",
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
            "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>session</type><listen>\(address)</listen><auth>EXTERNAL</auth>
            <servicedir>\(directory.path)/services</servicedir>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow own="*"/>
            <allow receive_sender="*" eavesdrop="true"/></policy><limit name="max_connections_per_user">2000</limit>
            <limit name="max_match_rules_per_connection">50000</limit>
            <limit name="service_start_timeout">120000</limit></busconfig>
            """)
        bus.executableURL = URL(filePath: "/usr/bin/env")
        bus.arguments = [
            "dbus-daemon", "--nofork", "--config-file=\(directory.path)/bus.conf", "--print-address=1",
        ]
        bus.standardInput = FileHandle.nullDevice
        try Self.begin(bus)
    }

    /// Starts a program, and waits until it prints something.
    private static func begin(_ process: Process) throws {
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        guard !output.fileHandleForReading.availableData.isEmpty else { throw StageFailure(text: "it prints nothing") }
    }

    /// Runs a program on that bus, which sees what the daemon sees.
    func run(_ command: [String], input: String = "") throws -> ForeignProgram {
        let (arguments, environment) = program(command)
        return try ForeignProgram(arguments[0], Array(arguments.dropFirst()), environment, input: input)
    }

    /// The arguments and the variables of a program that runs there.
    func program(_ command: [String]) -> (arguments: [String], environment: [String: String]) {
        let variables = [
            "DBUS_SESSION_BUS_ADDRESS": address, "HOME": directory.path + "/home", "LC_ALL": "C",
            "PATH": "/usr/bin:/bin", "AUTOFILLD_SOCKET": daemon.socket,
        ]
        return (["nsenter", "--mount=/proc/\(keeper.processIdentifier)/ns/mnt", "--"] + command, variables)
    }

    /// Runs a shell script that is a program of its own to the daemon.
    func run(script name: String, _ text: String, input: String = "") throws -> ForeignProgram {
        try directory.write(name, "#!/bin/sh\n\(text)\n")
        return try run(["sh", "\(directory.path)/\(name)"], input: input)
    }

    /// Runs secret-tool as a program of its own to the daemon: `one` or `two`, root's.
    func run(program: String, _ arguments: [String], input: String = "") throws -> ForeignProgram {
        try run(["/etc/autofilld/bin/\(program)"] + arguments, input: input)
    }

    /// A call by busctl.
    func call(_ path: String, _ interface: String, _ member: String, _ arguments: [String] = []) throws
        -> ForeignProgram
    {
        try run(
            ["busctl", "--user", "call", "org.freedesktop.secrets", "/org/freedesktop/secrets" + path]
                + ["org.freedesktop." + interface, member] + arguments)
    }

    /// A search by busctl.
    func lookup() throws -> String {
        let run = try call("", "Secret.Service", "SearchItems", ["a{ss}", "1", "user", "ann"])
        return run.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The bridge's process; 0 where it does not run.
    func bridge() throws -> Int32 { try process(of: "org.freedesktop.secrets") }

    /// The process that owns a name on the bus; 0 if it has no owner.
    func process(of name: String) throws -> Int32 {
        let asked = try run([
            "busctl", "--user", "call", "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
            "GetConnectionUnixProcessID", "s", name,
        ])
        let fields = asked.output.split(whereSeparator: \.isWhitespace)
        return asked.status == 0 && fields.count == 2 ? Int32(fields[1]) ?? 0 : 0
    }

    /// What the bridge wrote: standard error is its journal here.
    var log: String { (try? String(contentsOfFile: directory.path + "/log", encoding: .utf8)) ?? "" }

    /// A connection of the user's own command.
    func user() throws -> SocketConnection {
        let user = try SocketConnection(to: daemon.socket, timeoutSeconds: 120)
        try user.hello("org.autofilld.autofillctl")
        return user
    }
}

/// The stage could not be set.
struct StageFailure: Error {
    let text: String
}
