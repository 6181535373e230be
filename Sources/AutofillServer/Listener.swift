// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import EventLoop
internal import Glibc

/// Accepts the connections of one listening socket, which its owner, systemd, keeps open.
final class Listener {
    /// How many are accepted before other sources are served.
    private static let batch = 256
    /// How long clients beyond the limit wait, in the backlog, until it is checked again.
    private static let pause = Duration.milliseconds(100)

    private let descriptor: Int32
    private let admission: Admission
    private let admit: (Int32) -> Void
    private var source: IOSource?
    private var retry: LoopTimer?

    /// - Parameter admit: receives the descriptor of each new connection, and owns it. It has entered the admission.
    init(
        _ descriptor: Int32, on loop: EventLoop, _ admission: Admission, admit: @escaping (Int32) -> Void
    ) throws(LoopError) {
        self.descriptor = descriptor
        self.admission = admission
        self.admit = admit
        let result = af_set_nonblocking(descriptor)
        guard result == 0 else { throw LoopError(operation: "fcntl", errno: -result) }
        // Inherited by accepted sockets, also for data that was sent before that.
        _ = af_name_senders(descriptor)
        source = try IOSource(on: loop, descriptor: descriptor, events: .readable) { [unowned self] _ in accept() }
        retry = LoopTimer(on: loop, slack: .milliseconds(10)) { [unowned self] in source?.isEnabled = true }
    }

    private func accept() {
        for _ in 0..<Self.batch {
            guard admission.hasCapacity else { return retryLater() }
            let accepted = af_accept(descriptor)
            switch -accepted {
            case ...0:
                admission.enter()
                admit(accepted)
            case EAGAIN: return
            case EINTR, ECONNABORTED: continue
            // No descriptors or no memory are left; other errors must not make the loop spin either.
            default: return retryLater()
            }
        }
    }

    private func retryLater() {
        source?.isEnabled = false
        retry?.schedule(after: Self.pause)
    }
}
