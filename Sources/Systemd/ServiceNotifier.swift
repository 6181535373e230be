// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
package import EventLoop
internal import Glibc

/// Reports the state of the service to the service manager: the protocol of sd_notify(3), one datagram per message, in
/// order.
///
/// Never blocks, unlike sd_notify(3) and sd_event_set_watchdog(3), which block while the manager does not read
/// (observed with libsystemd 252). A message that the manager's queue cannot hold is sent again from the loop.
package final class ServiceNotifier {
    private static let pause = Duration.milliseconds(100)
    /// More than these at once are redundant; the oldest status is dropped first.
    private static let mostWaiting = 16

    private let loop: EventLoop
    private let address: String?
    private let socket: Int32
    private var waiting: [String] = []
    private var timer: LoopTimer?

    /// - Parameter address: the value of `NOTIFY_SOCKET`, a path or `@` and an abstract name; nothing is sent to any
    ///   other.
    package init(on loop: EventLoop, address: String?) {
        self.loop = loop
        self.address = address.flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
        socket = self.address == nil ? -1 : af_datagram_socket()
        timer = LoopTimer(on: loop) { [unowned self] in sendWaiting() }
    }

    deinit { if socket >= 0 { af_close(socket) } }

    /// The service accepts requests from now on (again).
    package func ready(status: String) { send("READY=1\nSTATUS=\(status.onOneLine)") }

    /// A line for `systemctl status`.
    package func status(_ status: String) { send("STATUS=\(status.onOneLine)") }

    /// The service reads its configuration again, until `ready`.
    package func reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=\(loop.clocks.monotonic().nanoseconds / 1000)")
    }

    package func stopping(status: String) { send("STOPPING=1\nSTATUS=\(status.onOneLine)") }

    /// A keep-alive; one that finds the queue full is dropped, because the next one follows soon.
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

    /// - Returns: false if the manager's queue is full. Other failures are permanent and are ignored.
    private func deliver(_ message: String) -> Bool {
        guard let address, socket >= 0 else { return true }
        return af_send_datagram(socket, address, message, message.utf8.count) != -EAGAIN
    }
}
