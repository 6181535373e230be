// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Synchronization

/// libsystemd's event loop (sd-event) as a Swift executor: one thread on which an actor, and all that it owns, lives.
///
/// This form compiles without `@unchecked` and `nonisolated(unsafe)`, and runs everything on the loop's thread:
///
/// ```swift
/// actor Engine {
///     nonisolated let loop: EventLoop
///     nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
///     let vault: VaultKeeper  // a plain class, not Sendable
/// }
///
/// final class Connection {  // plain too; its synchronous methods take `isolated Engine` where they need it
///     private var source: IOSource?
///
///     init(_ descriptor: Int32, of engine: isolated Engine) throws(LoopError) {
///         source = try IOSource(on: engine.loop, descriptor: descriptor, events: .readable) { [unowned self] events in
///             read(engine)  // capturing the `isolated` parameter makes the closure the engine's
///         }
///     }
///
///     private func read(_ engine: isolated Engine) {
///         Task.immediate {  // runs here and now, until it first suspends
///             let answer = await engine.vault.answer()  // an async method of a plain class runs on its caller's actor
///             self.send(answer, engine)  // again synchronous: `engine` is captured, so the task is the engine's
///         }
///     }
/// }
///
/// // main, synchronous, and between the turns of a test:
/// let engine = Engine(loop: loop)
/// try engine.assumeIsolated { try $0.open(descriptor) }
/// try loop.run()
/// ```
///
/// - A closure in a method of the actor itself is the actor's when it captures `self` strongly; in a plain class it
///   takes `isolated Engine`. Capture the plain class `unowned` or `weak`, for its source is its own.
/// - An async closure in a plain class has no capture list: with one, weak or not, it is `@concurrent` and runs on the
///   global pool. `weak let own = self` beside the closure does the same. So are the closures that are given to
///   functions of modules without NonisolatedNonsendingByDefault, `withTaskCancellationHandler` among them.
/// - Waiting is `Wait`, `WaitList` and `WorkerPool.run`, nothing else: another continuation, `async let`, a task group
///   and `Task.sleep` run on the global pool's threads.
/// - `task.cancel()` on the loop only. A task that continues after a wait evaluates its conditions again.
/// - Sources are made, changed and released on the loop, or between turns; each belongs to one owner and ends with it.
package final class EventLoop: SerialExecutor, TaskExecutor {
    package let clocks: Clocks

    private let wakeUp: Int32
    /// The thread that created the loop, then the one that last began a turn.
    private let thread: Atomic<UInt>
    private let isTurning = Atomic<Bool>(false)
    /// Work from other threads, or from between turns.
    private let inbox = Mutex<[Work]>([])
    private let inboxIsFilled = Atomic<Bool>(false)

    // Invariant: used only by the thread that makes a turn (`enqueue` and the sources check the thread), and between
    // turns by the thread that sets up the loop; `isTurning` distinguishes the two.
    nonisolated(unsafe) let core: LoopCore

    /// For libsystemd's objects that attach themselves (sd_bus_attach_event), on the loop or between turns; the caller
    /// must not run or free it.
    package var event: OpaquePointer { core.sources.event }

    /// Called after an attached object of libsystemd was used, which may wait for other events now. On the loop or
    /// between turns.
    package func attachedHasChanged() { core.sources.change() }

    package init(clocks: Clocks = .system) throws(LoopError) {
        self.clocks = clocks
        wakeUp = af_event_open()
        thread = Atomic(af_thread_identity())
        core = try LoopCore(bell: wakeUp, clocks: clocks)
        try LoopError.check(wakeUp, "eventfd")
        try core.poll.start()
        try core.timers.start()
    }

    deinit {
        core.timers.stop()
        if wakeUp >= 0 { af_close(wakeUp) }
    }

    /// Whether the caller runs on the loop's thread.
    package var isCurrent: Bool { thread.load(ordering: .relaxed) == af_thread_identity() }

    /// Runs a closure on the loop in a later turn. May be called from any thread.
    package func execute(_ body: @Sendable @escaping () -> Void) { add(.call(body)) }

    package func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    private func add(_ work: Work) {
        if isTurning.load(ordering: .relaxed), isCurrent { return core.work.append(work) }
        let wasEmpty = inbox.withLock { inbox in
            inbox.append(work)
            inboxIsFilled.store(true, ordering: .releasing)
            return inbox.count == 1
        }
        if wasEmpty { af_event_signal(wakeUp) }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    package func checkIsolated() { precondition(isCurrent, "not on the event loop's thread") }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Sources are added and removed on the loop's thread, or between turns.
    func checkMayChange() {
        precondition(!isTurning.load(ordering: .relaxed) || isCurrent, "not on the event loop's thread")
    }

    // MARK: - The thread of a turn

    func beginTurn() {
        thread.store(af_thread_identity(), ordering: .relaxed)
        let wasTurning = isTurning.exchange(true, ordering: .acquiring)
        precondition(!wasTurning, "a turn within a turn")
    }

    func endTurn() { isTurning.store(false, ordering: .releasing) }

    /// Appends the work of other threads to the loop's own.
    func takeInbox() {
        guard inboxIsFilled.load(ordering: .acquiring) else { return }
        let taken = inbox.withLock { inbox in
            inboxIsFilled.store(false, ordering: .relaxed)
            return exchange(&inbox, with: [])
        }
        for work in taken { core.work.append(work) }
    }

    func perform(_ work: Work) {
        switch work {
        case .call(let body): body()
        case .job(let job):
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }
}

/// Replaces a value and hands out the one before.
func exchange<Value>(_ value: inout Value, with other: Value) -> Value {
    let before = value
    value = other
    return before
}
