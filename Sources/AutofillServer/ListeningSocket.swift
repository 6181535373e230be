// SPDX-License-Identifier: Apache-2.0
internal import Dispatch

#if canImport(Glibc)
    internal import Glibc
#endif

/// A Unix socket that takes connections, on a queue of its own so that looking at peers holds up no answer.
final class ListeningSocket: Sendable {
    private let descriptor: Int32
    private let queue: DispatchQueue
    // Set in `start`, before anything else can reach it; afterwards used on `queue` only.
    private nonisolated(unsafe) var source: (any DispatchSourceRead)?

    init(descriptor: Int32) {
        self.descriptor = descriptor
        queue = DispatchQueue(label: "autofilld.accept")
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// Gives every new connection's descriptor, which is then the receiver's, to `take`.
    func start(_ take: @escaping @Sendable (Int32) -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [self] in
            while true {
                let accepted = hasRoom ? accept(descriptor, nil, nil) : -1
                if accepted >= 0 {
                    _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
                    take(accepted)
                } else if errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS {
                    // Out of descriptors: those who wait stay in the backlog; look again when some may be free.
                    self.source?.suspend()
                    queue.asyncAfter(deadline: .now() + .milliseconds(100)) { self.source?.resume() }
                    return
                } else if errno != EINTR && errno != ECONNABORTED {
                    return
                }
            }
        }
        self.source = source
        source.resume()
    }

    /// Whether so many descriptors are free as a look at a peer takes; if not, `errno` says why. One that was let in and
    /// could not be looked at would have to be sent away.
    private var hasRoom: Bool {
        var spare: [Int32] = []
        while spare.count < Self.spareDescriptors {
            let one = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard one >= 0 else { break }
            spare.append(one)
        }
        let number = errno
        for one in spare { close(one) }
        errno = number
        return spare.count == Self.spareDescriptors
    }

    /// The connection's own, its process's directory and executable, and what is open beside them for a moment.
    private static let spareDescriptors = 12

    /// Takes what has connected by now, then no more. The descriptor stays open where systemd holds the socket.
    func stop() {
        queue.sync {
            source?.cancel()
            source = nil
        }
    }
}
