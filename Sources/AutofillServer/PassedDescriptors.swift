// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CAutofillLinux
internal import EventLoop
internal import Glibc

/// Receives the descriptors that clients pass, and closes them. close() calls the file system, and one that a program of the user's
/// serves may not answer (FUSE); that of a socket may close others that wait in it. So all but pidfds are closed on a thread. While
/// too many of those hang no descriptor is accepted.
final class PassedDescriptors {
    private let pool: WorkerPool
    private let numbers = UnsafeMutablePointer<Int32>.allocate(capacity: AF_PASSED_DESCRIPTORS)
    private var waiting: [Int32] = []
    private var isClosing = false

    init(pool: WorkerPool) { self.pool = pool }

    deinit { numbers.deallocate() }

    /// Receives bytes of a connection, as `af_receive_from` does, and all descriptors that came with them: discarded by the kernel,
    /// they would be closed on this thread.
    func receive(
        from socket: Int32, into space: UnsafeMutableRawBufferPointer, _ sender: inout Int32, _ take: (Int32) -> Void
    ) -> Int {
        var count: Int32 = 0
        let received = af_receive_from(socket, space.baseAddress, space.count, &sender, numbers, &count)
        for index in 0..<Int(count) { take(numbers[index]) }
        return received
    }

    /// Closes a connection's socket. What its client has sent last, and nobody has received, may have descriptors.
    func closeSocket(_ socket: Int32, _ engine: isolated AutofillEngine) {
        // A program that is just starting, or a thread, may have a copy of it.
        shutdown(socket, Int32(SHUT_RDWR))
        if af_has_input(socket) { close(socket, engine) } else { af_close(socket) }
    }

    /// Whether so many wait to be closed that a client which passes more is not served.
    var isFull: Bool { waiting.count >= Limits.passedDescriptors }

    /// Whether a descriptor that arrives now is accepted. Those that no thread was left for are closed where there is one again.
    func areAccepted(_ engine: isolated AutofillEngine) -> Bool {
        if !waiting.isEmpty { beginClosing(engine) }
        return !isFull && pool.accepts(.descriptors)
    }

    func close(_ descriptor: Int32, _ engine: isolated AutofillEngine) {
        if af_is_pidfd(descriptor) { return af_close(descriptor) }
        waiting.append(descriptor)
        beginClosing(engine)
    }

    private func beginClosing(_ engine: isolated AutofillEngine) {
        guard !isClosing, pool.accepts(.descriptors) else { return }
        isClosing = true
        Task.immediate {
            _ = engine
            await self.closeWaiting()
        }
    }

    private func closeWaiting() async {
        while let descriptor = waiting.popLast() {
            do throws(WaitFailure) {
                try await pool.run(.descriptors, deadline: .milliseconds(Limits.fileLookMilliseconds)) {
                    af_close(descriptor)
                }
            } catch {
                // One that hangs is closed when it returns. Where no thread is left the others stay open until a client
                // comes.
                guard case .busy = error else { continue }
                waiting.append(descriptor)
                break
            }
        }
        isClosing = false
    }
}
