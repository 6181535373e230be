// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
package import EventLoop
internal import Glibc

/// Tells the service manager how the service is doing: the protocol of sd_notify(3), one datagram a message, in order.
///
/// Never waits, unlike sd_notify(3) and sd_event_set_watchdog(3), which block for as long as the manager does not read (seen with
/// libsystemd 252). What the manager has no room for is sent again from the loop.
package final class ServiceNotifier {
    private static let pause = Duration.milliseconds(100)
    /// More than these at once say nothing new; the oldest status goes first.
    private static let mostWaiting = 16

    private let loop: EventLoop
    private let address: String?
    private let socket: Int32
    private var waiting: [String] = []
    private var timer: LoopTimer?

    /// - Parameter address: the value of `NOTIFY_SOCKET`, a path or `@` and an abstract name; nothing is sent to any other.
    package init(on loop: EventLoop, address: String?) {
        self.loop = loop
        self.address = address.flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
        socket = self.address == nil ? -1 : af_datagram_socket()
        timer = LoopTimer(on: loop) { [unowned self] in sendWaiting() }
    }

    deinit { if socket >= 0 { af_close(socket) } }

    /// The service answers from now on (again).
    package func ready(status: String) { send("READY=1\nSTATUS=\(status.onOneLine)") }

    /// A line for `systemctl status`.
    package func status(_ status: String) { send("STATUS=\(status.onOneLine)") }

    /// The service reads its configuration again; `ready` ends that.
    package func reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=\(loop.clocks.monotonic().nanoseconds / 1000)")
    }

    package func stopping(status: String) { send("STOPPING=1\nSTATUS=\(status.onOneLine)") }

    /// A sign of life; one that finds no room is dropped, for the next comes soon.
    package func feedWatchdog() {
        guard waiting.isEmpty else { return }
        _ = deliver("WATCHDOG=1")
    }

    private func send(_ message: String) {
        guard address != nil, socket >= 0 else { return }
        waiting.append(message)
        sendWaiting()
    }

    private func sendWaiting() {
        while let message = waiting.first, deliver(message) { waiting.removeFirst() }
        guard !waiting.isEmpty else { return }
        if waiting.count > Self.mostWaiting {
            waiting.remove(at: waiting.firstIndex { $0.hasPrefix("STATUS=") } ?? 0)
        }
        timer?.schedule(after: Self.pause)
    }

    /// - Returns: false where the manager has no room; what fails otherwise will not succeed later either.
    private func deliver(_ message: String) -> Bool {
        guard let address, socket >= 0 else { return true }
        return af_send_datagram(socket, address, message, message.utf8.count) != -EAGAIN
    }
}
