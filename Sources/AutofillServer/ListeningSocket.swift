// SPDX-License-Identifier: Apache-2.0
internal import Dispatch

#if canImport(Glibc)
    internal import Glibc
#endif

/// A Unix socket that takes connections, on a queue of its own so that looking at peers holds up no answer.
final class ListeningSocket: Sendable {
    /// So many are taken before anything else on the queue has its turn: who connects without end must not hold up the end.
    private static let atOnce = 256
    private let descriptor: Int32
    private let admission: Admission
    private let queue: DispatchQueue
    // Set in `start`, before anything else can reach it; afterwards used on `queue` only.
    private nonisolated(unsafe) var source: (any DispatchSourceRead)?
    // Used on `queue` only.
    private nonisolated(unsafe) var isPaused = false

    init(descriptor: Int32, admission: Admission) {
        self.descriptor = descriptor
        self.admission = admission
        queue = DispatchQueue(label: "autofilld.accept")
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// Gives every new connection's descriptor, which is then the receiver's, to `take`. It has entered the admission.
    func start(_ take: @escaping @Sendable (Int32) -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [self] in
            for _ in 0..<Self.atOnce {
                guard admission.hasRoom else { return lookAgainLater() }
                let accepted = accept(descriptor, nil, nil)
                if accepted >= 0 {
                    _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
                    admission.enter()
                    take(accepted)
                } else if errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS {
                    return lookAgainLater()
                } else if errno != EINTR && errno != ECONNABORTED {
                    return
                }
            }
        }
        self.source = source
        source.resume()
    }

    /// Those who wait stay in the backlog until there may be room.
    private func lookAgainLater() {
        source?.suspend()
        isPaused = true
        queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [self] in goOn() }
    }

    private func goOn() {
        if isPaused { source?.resume() }
        isPaused = false
    }

    /// Takes what has connected by now, then no more. The descriptor stays open where systemd holds the socket.
    func stop() {
        queue.sync {
            source?.cancel()
            // A source must not go while it is suspended.
            goOn()
            source = nil
        }
    }
}
