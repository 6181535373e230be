// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux

/// Tells the service manager how the service is doing: the protocol of sd_notify(3), one datagram a message.
///
/// Each method tells whether the manager got it; false also where no manager listens.
package struct ServiceNotifier: Sendable {
    private let address: String?

    /// - Parameter address: the value of `NOTIFY_SOCKET`, a path or `@` and an abstract name.
    package init(address: String?) {
        self.address = address.flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
    }

    /// The service answers from now on (again).
    @discardableResult
    package func ready(status: String) -> Bool { send("READY=1\nSTATUS=\(status.onOneLine)") }

    /// A line for `systemctl status`.
    @discardableResult
    package func status(_ status: String) -> Bool { send("STATUS=\(status.onOneLine)") }

    /// The service reads its configuration again; `ready` ends that.
    /// - Parameter time: CLOCK_MONOTONIC, in microseconds.
    @discardableResult
    package func reloading(at time: UInt64 = af_monotonic_microseconds()) -> Bool {
        send("RELOADING=1\nMONOTONIC_USEC=\(time)")
    }

    @discardableResult
    package func stopping(status: String) -> Bool { send("STOPPING=1\nSTATUS=\(status.onOneLine)") }

    /// A sign of life. To be sent from what answers clients, so that it stops when that hangs. Never waits.
    @discardableResult
    package func feedWatchdog() -> Bool { send("WATCHDOG=1", mayWait: false) }

    private func send(_ message: String, mayWait: Bool = true) -> Bool {
        guard let address else { return false }
        let socket = af_datagram_socket()
        guard socket >= 0 else { return false }
        defer { af_close(socket) }
        return af_send_datagram(socket, address, message, message.utf8.count, mayWait) == 0
    }
}
