// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux

/// How a process ended.
package enum ProcessEnd: Hashable, Sendable {
    /// The exit status, 0 to 255.
    case exited(Int32)
    /// The number of the signal that killed it.
    case signalled(Int32)
    /// Another waiter has reaped it.
    case unknown
}

/// Reports once how a child process ended, and reaps it. Needs no SIGCHLD. A child whose source is released before
/// continues to run, and is not reaped when it ends.
package final class ChildSource {
    private let pidfd: Int32
    private var source: IOSource?
    private let handler: (ProcessEnd) -> Void

    /// - Parameter process: a child of this process that no other waiter reaps.
    package init(on loop: EventLoop, process: Int32, handler: @escaping (ProcessEnd) -> Void) throws(LoopError) {
        self.handler = handler
        pidfd = try LoopError.check(af_pidfd_open(process), "pidfd_open")
        source = try IOSource(on: loop, descriptor: pidfd, events: .readable) { [unowned self] _ in take() }
    }

    deinit {
        source = nil
        if pidfd >= 0 { af_close(pidfd) }
    }

    private func take() {
        var end = af_exit()
        let result = af_pidfd_reap(pidfd, &end)
        guard result != 0 else { return }
        source = nil
        guard result > 0 else { return handler(.unknown) }
        handler(end.was_signalled ? .signalled(end.status) : .exited(end.status))
    }
}
