// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import FoundationEssentials
import Glibc
import Systemd

/// A private message bus, which starts gnome-keyring with the files of a folder for the first call to the Secret
/// Service. A shell that leads a session of its own supervises it: when this process ends, in whatever way, the shell
/// ends the bus and gnome-keyring, and removes the folder.
final class PrivateBus {
    private static let watch = """
        trap '' INT TERM HUP
        "$1" --nofork --nopidfile --config-file="$2/bus.conf" --print-address=1 &
        read -r end
        kill -9 $!
        wait
        rm -rf -- "$2"
        """

    private let folder: String
    private let watcher: Int32
    /// The bus ends when this is closed.
    private let lifeline: Int32
    let connection: BlockingBus

    /// - Parameter folder: contains `data/keyrings`; it is removed with the bus.
    init(_ folder: String, _ environment: ProcessEnvironment) throws(CommandFailure) {
        self.folder = folder
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw CommandFailure(.system, "socketpair: \(String(cString: strerror(errno)))")
        }
        lifeline = ends[0]
        let output: OutputLines
        do {
            try Self.configuration(
                folder, keyring: try environment.tool("gnome-keyring-daemon", package: "gnome-keyring")
            )
            .write(toFile: folder + "/bus.conf", atomically: false, encoding: .utf8)
            let bus = try environment.tool("dbus-daemon", package: "dbus-daemon")
            output = try OutputLines()
            watcher = try ChildProcess.start(
                "/bin/sh", ["-c", Self.watch, "sh", bus, folder], environment: Self.variables(folder),
                files: [
                    (STDIN_FILENO, .descriptor(ends[1])), (STDOUT_FILENO, .descriptor(output.writingEnd)),
                    (STDERR_FILENO, .path("/dev/null", flags: O_WRONLY)),
                ], isSessionLeader: true)
        } catch {
            for end in ends { close(end) }
            try? FileManager.default.removeItem(atPath: folder)
            throw error as? CommandFailure ?? CommandFailure(.system, "A message bus cannot be started: \(error)")
        }
        close(ends[1])
        output.closeWritingEnd()
        // It prints its address when it listens.
        var isReady = false
        let deadline = ContinuousClock.now + .seconds(120)
        while !isReady, output.waitForMore(or: -1, until: deadline) { isReady = !output.newLines().isEmpty }
        do throws(BusError) {
            connection = try BlockingBus(at: BlockingBus.address(ofSocket: folder + "/bus"))
        } catch {
            close(lifeline)
            ChildProcess.wait(for: watcher)
            throw CommandFailure(.system, "The message bus does not answer: \(error)")
        }
    }

    deinit {
        close(lifeline)
        ChildProcess.wait(for: watcher)
    }

    /// Starts gnome-keyring.
    ///
    /// - Returns: its unique name on the bus, which no other process can acquire.
    /// - Throws: also if the name of the Secret Service is owned by a process that this bus did not start.
    func keyring() throws(CommandFailure) -> String {
        let (owner, process): (String, UInt32)
        do throws(BusError) {
            (owner, process) = try connection.startedOwner(of: SecretServiceNames.bus)
        } catch {
            throw CommandFailure(
                .system, "gnome-keyring does not answer: \(error.description.printable)",
                fix: "Check whether it starts: gnome-keyring-daemon --version")
        }
        // Only a child of a member can become a member of a session.
        guard getsid(Int32(truncatingIfNeeded: process)) == watcher else {
            throw CommandFailure(
                .refused, "Another program (process \(process)) replaced gnome-keyring, and received nothing",
                fix: "Find out what it is before you try again: ps -fp \(process)")
        }
        return owner
    }

    /// Prevents new connections.
    func closeDoor() { unlink(folder + "/bus") }

    private static func variables(_ folder: String) -> [String: String] {
        [
            "PATH": "/usr/bin:/bin", "HOME": folder, "XDG_DATA_HOME": folder + "/data", "XDG_RUNTIME_DIR": folder,
            "XDG_CONFIG_HOME": folder, "LC_ALL": "C.UTF-8",
            "DBUS_SESSION_BUS_ADDRESS": BlockingBus.address(ofSocket: folder + "/bus"),
        ]
    }

    /// Also writes the file by which the bus starts gnome-keyring.
    private static func configuration(_ folder: String, keyring: String) throws -> String {
        try FileManager.default.createDirectory(atPath: folder + "/services", withIntermediateDirectories: true)
        try """
        [D-BUS Service]
        Name=\(SecretServiceNames.bus)
        Exec=\(keyring) --foreground --components=secrets

        """.write(toFile: "\(folder)/services/\(SecretServiceNames.bus).service", atomically: false, encoding: .utf8)
        let path = folder.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
            "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>session</type><listen>\(BlockingBus.address(ofSocket: folder + "/bus"))</listen><auth>EXTERNAL</auth>
            <servicedir>\(path)/services</servicedir>
            <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>
            <deny send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Monitoring"/>
            <deny send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus" \
            send_member="UpdateActivationEnvironment"/></policy>
            <limit name="service_start_timeout">120000</limit><limit name="reply_timeout">120000</limit></busconfig>

            """
    }
}

extension ProcessEnvironment {
    /// The path of an installed program.
    fileprivate func tool(_ name: String, package: String) throws(CommandFailure) -> String {
        guard let path = program(name) else {
            throw CommandFailure(
                .unavailable, "\(name) is not installed, but is needed to open the keyrings",
                fix: "Install it: apt install \(package)")
        }
        return path
    }
}
