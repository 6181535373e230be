// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CAutofillLinux
internal import EventLoop

/// Closes the descriptors that clients have passed. close() calls the file system, and one that a program of the user's
/// serves may not answer (FUSE): all but pidfds are closed on a thread. While too many of those hang no descriptor is
/// accepted.
final class PassedDescriptors {
    private let pool: WorkerPool
    private var waiting: [Int32] = []
    private var isClosing = false

    init(pool: WorkerPool) { self.pool = pool }

    /// Whether a descriptor that arrives now is accepted; else the kernel drops it, which calls no file system. Those that no thread
    /// was left for are closed where there is one again.
    func areAccepted(_ engine: isolated AutofillEngine) -> Bool {
        if !waiting.isEmpty { beginClosing(engine) }
        return waiting.count < Limits.passedDescriptors && pool.accepts(.descriptors)
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
