// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc
internal import Synchronization

/// A thread that is handed one piece of work after another, and ends when it is released.
final class WorkerThread: Sendable {
    private final class Mailbox: Sendable {
        private enum Letter {
            case work(@Sendable () -> Void)
            case end
        }

        private let letter = Mutex<Letter?>(nil)
        private let bell: Bell

        init() { bell = Bell() }

        func put(_ work: (@Sendable () -> Void)?) {
            letter.withLock { $0 = work.map { .work($0) } ?? .end }
            bell.ring()
        }

        /// Waits for the next; nil at the end.
        func take() -> (@Sendable () -> Void)? {
            bell.await()
            guard case .work(let work) = letter.withLock({ exchange(&$0, with: nil) }) else { return nil }
            return work
        }
    }

    private let mailbox = Mailbox()
    /// Whether it yields to all other threads.
    let isBackground: Bool

    init(isBackground: Bool) throws(LoopError) {
        self.isBackground = isBackground
        let context = Unmanaged.passRetained(mailbox)
        let result = af_thread_start(
            { context in
                guard let context else { return }
                let mailbox = Unmanaged<Mailbox>.fromOpaque(context).takeRetainedValue()
                while let work = mailbox.take() { work() }
            }, context.toOpaque(), isBackground)
        guard result < 0 else { return }
        context.release()
        throw LoopError(operation: "pthread_create", errno: -result)
    }

    deinit { mailbox.put(nil) }

    /// To be called again only when the work before has ended.
    func start(_ work: @Sendable @escaping () -> Void) { mailbox.put(work) }
}

/// A semaphore of one process.
private final class Bell: @unchecked Sendable {
    // Invariant for `@unchecked`: the pointer never changes, and sem_post(3) and sem_wait(3) are thread-safe.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func ring() { sem_post(semaphore) }

    func await() {
        while sem_wait(semaphore) != 0 {}
    }
}
