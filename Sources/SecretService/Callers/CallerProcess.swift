// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import EventLoop
internal import Systemd

/// The process of a connection to the bus, identified by a descriptor: its number may be reused later.
final class CallerProcess {
    let pidfd: Int32
    let process: UInt32
    /// Whether it may have inherited its connection, from a program that may use that too.
    var isShared = false

    private init(pidfd: Int32, process: UInt32) { (self.pidfd, self.process) = (pidfd, process) }

    deinit { af_close(pidfd) }

    var isAlive: Bool { af_pidfd_is_alive(pidfd) }

    /// Reads the credentials of a name from the bus. A bus without process descriptors (before dbus 1.15.8) returns
    /// only the number that the process had when it connected. The credentials are then read again after the process
    /// was opened, so that the number cannot have been reused after the caller left the bus. Neither read detects this:
    /// a process may end and leave its connection open to another one that has a copy of it, and the process that
    /// reuses its number is then mistaken for the caller.
    static func of(_ name: String, _ environment: BridgeEnvironment) async throws(BusError) -> CallerProcess {
        let first = try await credentials(of: name, environment)
        guard first.user == environment.user else {
            if first.pidfd >= 0 { af_close(first.pidfd) }
            throw .denied("The caller belongs to another user")
        }
        if first.pidfd >= 0 { return CallerProcess(pidfd: first.pidfd, process: first.process) }
        let pidfd = af_pidfd_open(Int32(bitPattern: first.process))
        guard pidfd >= 0 else { throw .denied("The caller's process has ended, or is not visible to this one") }
        let opened = CallerProcess(pidfd: pidfd, process: first.process)
        let second = try await credentials(of: name, environment)
        if second.pidfd >= 0 { af_close(second.pidfd) }
        guard second.process == first.process, second.user == first.user, af_pidfd_is_alive(pidfd) else {
            throw .denied("The caller's process is not the one that connected")
        }
        return opened
    }

    private struct Credentials {
        var process: UInt32 = 0
        var user: UInt32 = .max
        /// Owned by the receiver; -1 if there is none.
        var pidfd: Int32 = -1
    }

    private static func credentials(
        of name: String, _ environment: BridgeEnvironment
    ) async throws(BusError) -> Credentials {
        let wait = Wait<Result<Credentials, BusError>>(on: environment.loop)
        try environment.bus.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionCredentials",
            arguments: { message throws(BusError) in try message.append(name) }
        ) { answer in
            wait.resume(
                returning: answer.flatMap { message in Result { () throws(BusError) in try read(message) } })
        }
        let answer: Result<Credentials, BusError>
        do throws(WaitFailure) { answer = try await wait.value() } catch { throw .failed("The call was cancelled") }
        return try answer.get()
    }

    private static func read(_ message: BusMessage) throws(BusError) -> Credentials {
        var credentials = Credentials()
        _ = try message.read("a", of: "{sv}") { () throws(BusError) in
            while try message.read(
                "e", of: "sv",
                { () throws(BusError) in
                    switch try message.readString() {
                    case "ProcessID":
                        credentials.process =
                            try message.read("v", of: "u") { () throws(BusError) in try message.readUInt32() } ?? 0
                    case "UnixUserID":
                        credentials.user =
                            try message.read("v", of: "u") { () throws(BusError) in try message.readUInt32() } ?? .max
                    case "ProcessFD":
                        credentials.pidfd =
                            try message.read("v", of: "h") { () throws(BusError) in
                                af_duplicate(try message.readDescriptor())
                            } ?? -1
                    default: try message.skip("v")
                    }
                }) != nil
            {}
        }
        guard credentials.process > 0 else {
            if credentials.pidfd >= 0 { af_close(credentials.pidfd) }
            throw .denied("The bus does not state the caller's process")
        }
        return credentials
    }
}
