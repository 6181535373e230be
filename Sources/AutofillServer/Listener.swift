// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import EventLoop
internal import Glibc

/// Takes the connections of one listening socket, which stays its owner's: systemd goes on holding it.
final class Listener {
    /// So many are taken before anything else has its turn.
    private static let batch = 256
    /// How long those who find no room wait, in the backlog, until it is looked again.
    private static let pause = Duration.milliseconds(100)

    private let descriptor: Int32
    private let admission: Admission
    private let take: (Int32) -> Void
    private var source: IOSource?
    private var retry: LoopTimer?

    /// - Parameter take: gets each new connection's descriptor, which is then its own. It has entered the admission.
    init(
        _ descriptor: Int32, on loop: EventLoop, _ admission: Admission, take: @escaping (Int32) -> Void
    ) throws(LoopError) {
        self.descriptor = descriptor
        self.admission = admission
        self.take = take
        let result = af_set_nonblocking(descriptor)
        guard result == 0 else { throw LoopError(operation: "fcntl", errno: -result) }
        // Those that it accepts are told too, of what was sent before that.
        _ = af_name_senders(descriptor)
        source = try IOSource(on: loop, descriptor: descriptor, events: .readable) { [unowned self] _ in accept() }
        retry = LoopTimer(on: loop, slack: .milliseconds(10)) { [unowned self] in source?.isEnabled = true }
    }

    private func accept() {
        for _ in 0..<Self.batch {
            guard admission.hasRoom else { return lookAgainLater() }
            let accepted = af_accept(descriptor)
            switch -accepted {
            case ...0:
                admission.enter()
                take(accepted)
            case EAGAIN: return
            case EINTR, ECONNABORTED: continue
            // No descriptors or no memory is left; and nothing else may make the loop spin.
            default: return lookAgainLater()
            }
        }
    }

    private func lookAgainLater() {
        source?.isEnabled = false
        retry?.schedule(after: Self.pause)
    }
}
