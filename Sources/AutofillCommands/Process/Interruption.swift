// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Synchronization

/// SIGINT, SIGTERM and SIGHUP, caught from the return of `catch` to the end of the process: `action` ends what has to
/// be ended first. A dispatch source is not sufficient: it is installed later, and until then a signal is lost if it is
/// ignored, and ends the process if it is not.
enum Interruption {
    /// The end of a pipe that the handler writes to.
    private static let doorbell = Atomic<Int32>(-1)
    private static let mark = Atomic<Bool>(false)

    /// Whether a signal was caught: true before anything else is notified.
    static var isRequested: Bool { mark.load(ordering: .acquiring) }

    /// - Parameter action: called for each signal, on its own thread.
    static func `catch`(_ action: @escaping @Sendable () -> Void) throws(CommandFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw CommandFailure(.system, "Signals cannot be caught: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let listening = ends[0]
        mark.store(false, ordering: .releasing)
        doorbell.store(ends[1], ordering: .releasing)
        // A queue of its own, because it blocks, and the global queues have few threads.
        DispatchQueue(label: "org.autofilld.interruption").async {
            var byte: UInt8 = 0
            while true {
                let count = read(listening, &byte, 1)
                if count == 1 { action() } else if count == 0 || errno != EINTR { return }
            }
        }
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var handling = sigaction()
            handling.__sigaction_handler.sa_handler = { _ in Interruption.ring() }
            handling.sa_flags = SA_RESTART
            _ = sigaction(number, &handling, nil)
        }
    }

    /// Only what may be called in a signal handler (signal-safety(7)).
    private static func ring() {
        let former = errno
        mark.store(true, ordering: .releasing)
        var byte: UInt8 = 1
        _ = write(doorbell.load(ordering: .acquiring), &byte, 1)
        errno = former
    }
}
