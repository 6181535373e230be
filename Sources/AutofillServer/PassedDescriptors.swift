// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CAutofillLinux
internal import EventLoop
internal import Glibc

/// Receives the descriptors that clients pass, and closes them. close() calls the file system, and one that a program of the user's
/// serves may not answer (FUSE); a socket may wait for its peer (SO_LINGER), and closes others that are in it, unread. So all but pidfds
/// are closed on a thread. While too many of those hang no descriptor is accepted.
final class PassedDescriptors {
    /// Those of one message, or a socket, that wait to be closed, and what is done then.
    private struct Waiting {
        let descriptors: [Int32]
        /// Whether it is a connection's own socket, with what nobody has received from it.
        var isSocket = false
        var closed: () -> Void = {}
    }

    private let pool: WorkerPool
    private let numbers = UnsafeMutablePointer<Int32>.allocate(capacity: AF_PASSED_DESCRIPTORS)
    private var waiting: [Waiting] = []
    /// How many a thread closes now. Those whose close hangs count no more.
    private var inWork = 0
    private var isClosing = false
    /// What continues when fewer wait.
    private var paused: [() -> Void] = []
    /// Goes on where no thread was left.
    private var retry: LoopTimer?

    init(pool: WorkerPool) { self.pool = pool }

    deinit { numbers.deallocate() }

    private var isFull: Bool { waiting.reduce(inWork) { $0 + $1.descriptors.count } >= Limits.passedDescriptors }

    /// Whether a descriptor that arrives now is accepted.
    var areAccepted: Bool { !isFull && pool.accepts(.descriptors) }

    /// Receives bytes of a connection, as `af_receive_from` does, and all descriptors that came with them: discarded by the kernel,
    /// they would be closed on this thread. While too many wait to be closed a client that passes more waits until fewer do, by
    /// `awaitFewer` (EBUSY); where they hang it gets EPERM.
    func receive(
        from socket: Int32, into space: UnsafeMutableRawBufferPointer, _ sender: inout Int32,
        _ engine: isolated AutofillEngine, _ take: ([Int32]) -> Void
    ) -> Int {
        // Those that no thread was left for are closed where there is one again.
        if !waiting.isEmpty { beginClosing(engine) }
        if isFull, af_passes_descriptors(socket) { return isClosing ? -Int(EBUSY) : -Int(EPERM) }
        var count: Int32 = 0
        let received = af_receive_from(socket, space.baseAddress, space.count, &sender, numbers, &count)
        if count > 0 { take((0..<Int(count)).map { numbers[$0] }) }
        return received
    }

    /// Calls `goOn`, once, when fewer wait to be closed, or closing them is given up. To be called where `receive` has returned EBUSY.
    func awaitFewer(_ goOn: @escaping () -> Void) { paused.append(goOn) }

    private func resume() {
        let resumed = paused
        paused = []
        for goOn in resumed { goOn() }
    }

    func close(_ descriptor: Int32, _ engine: isolated AutofillEngine) {
        if af_is_pidfd(descriptor) { return af_close(descriptor) }
        close([descriptor], engine)
    }

    /// Closes those of one message, at once.
    func close(_ descriptors: [Int32], _ engine: isolated AutofillEngine) {
        guard !descriptors.isEmpty else { return }
        waiting.append(Waiting(descriptors: descriptors))
        beginClosing(engine)
    }

    /// Closes a connection's socket. What its client has sent last, and nobody has received, may have descriptors.
    ///
    /// - Parameter closed: is called when it is closed, or its close hangs.
    func closeSocket(_ socket: Int32, _ engine: isolated AutofillEngine, closed: @escaping () -> Void) {
        // A program that is just starting, or a thread, may have a copy of it.
        shutdown(socket, Int32(SHUT_RDWR))
        guard af_has_input(socket) else {
            af_close(socket)
            return closed()
        }
        waiting.append(Waiting(descriptors: [socket], isSocket: true, closed: closed))
        beginClosing(engine)
    }

    private func beginClosing(_ engine: isolated AutofillEngine) {
        guard !isClosing, !waiting.isEmpty else { return }
        guard pool.accepts(.descriptors) else { return closeLater(engine) }
        isClosing = true
        Task.immediate {
            _ = engine
            await self.closeWaiting()
            self.closeLater(engine)
        }
    }

    private func closeLater(_ engine: isolated AutofillEngine) {
        guard !waiting.isEmpty else { return }
        if retry == nil { retry = LoopTimer(on: engine.loop) { [unowned self] in beginClosing(engine) } }
        guard let retry, retry.deadline == nil else { return }
        retry.schedule(after: .milliseconds(Limits.fileLookMilliseconds))
    }

    private func closeWaiting() async {
        while let next = waiting.popLast() {
            inWork = next.descriptors.count
            let isBegun = await closeOnThread(next)
            inWork = 0
            guard isBegun else {
                waiting.append(next)
                break
            }
            next.closed()
            if !isFull { resume() }
        }
        isClosing = false
        resume()
    }

    /// - Returns: false where no thread is left: they stay open for a while. One that hangs is closed when it returns.
    private func closeOnThread(_ next: Waiting) async -> Bool {
        let (descriptors, isSocket) = (next.descriptors, next.isSocket)
        do throws(WaitFailure) {
            try await pool.run(.descriptors, deadline: .milliseconds(Limits.fileLookMilliseconds)) {
                for descriptor in descriptors {
                    if isSocket { af_close_unread(descriptor) } else { af_close_passed(descriptor) }
                }
            }
            return true
        } catch {
            return error != .busy
        }
    }
}
