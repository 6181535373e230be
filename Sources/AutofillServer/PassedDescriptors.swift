// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CAutofillLinux
internal import EventLoop

/// Closes what clients have passed. To close a file asks its file system, and one that a program of the user's serves need not
/// answer (FUSE): all but pidfds is closed on a thread. While too many of those hang no descriptor is taken.
final class PassedDescriptors {
    private let pool: WorkerPool
    private var waiting: [Int32] = []
    private var isClosing = false

    init(pool: WorkerPool) { self.pool = pool }

    /// Whether one that comes now is taken; else the kernel is to drop it, which asks nobody.
    var areTaken: Bool { waiting.count < Limits.passedDescriptors && pool.accepts(.descriptors) }

    func close(_ descriptor: Int32, _ engine: isolated AutofillEngine) {
        if af_is_pidfd(descriptor) { return af_close(descriptor) }
        waiting.append(descriptor)
        guard !isClosing else { return }
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
                // One that hangs is closed in its own time. Where no thread is left the others stay open until the next comes.
                guard case .busy = error else { continue }
                waiting.append(descriptor)
                break
            }
        }
        isClosing = false
    }
}
