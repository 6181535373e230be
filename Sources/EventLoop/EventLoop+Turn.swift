// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
    /// The limit of jobs that are run before sockets are checked again.
    private static var jobsPerTurn: Int { 256 }

    /// Runs until `stop(exitCode:)`.
    /// - Returns: the exit code.
    package func run() throws(LoopError) -> Int32 {
        while true {
            try turn()
            if let code = core.exitCode {
                core.exitCode = nil
                return code
            }
        }
    }

    /// Makes `run` return when this turn is over. On the loop only.
    package func stop(exitCode: Int32 = 0) {
        checkMayChange()
        core.exitCode = exitCode
    }

    /// Ends this turn soon, so that answers are sent, whatever else is ready. On the loop only.
    package func endTurnSoon() { core.turnEnd.comeSoon() }

    /// One source of sd-event and up to 64 descriptors, then jobs, then the turn sources.
    ///
    /// - Parameter timeout: how long it waits for a source at most; nil: until there is one. Real time, whatever the
    ///   clocks.
    /// - Returns: whether there was anything to do.
    @discardableResult
    package func turn(timeout: Duration? = nil) throws(LoopError) -> Bool {
        beginTurn()
        defer { endTurn() }
        let core = core
        takeInbox()
        let wasBusy = core.isBusy || hasDueTimers
        let milliseconds = wasBusy ? 0 : timeout.map { Int32(clamping: ($0.nanoseconds + 999_999) / 1_000_000) } ?? -1
        let (served, hasMore) = try core.poll.serve(milliseconds)
        core.hasMoreReady = hasMore
        core.turnEnd.noteDispatch()
        if clocks.isManual { core.timers.fire() }
        takeInbox()
        runJobs()
        core.turnSources.afterSockets.run()
        if (core.work.isEmpty && !core.hasMoreReady) || core.turnEnd.isDue(at: clocks.monotonic()) {
            core.turnEnd = TurnEnd()
            core.turnSources.endOfTurn.run()
        }
        return wasBusy || served
    }

    /// Makes turns until there is nothing to do without waiting: called by tests after each step. Work of a
    /// `WorkerPool` is not waited for.
    package func runUntilIdle() throws(LoopError) {
        while try turn(timeout: .zero) {}
    }

    /// Makes turns until a condition holds: called by tests where another thread or process participates.
    /// - Parameter patience: in real time.
    /// - Returns: whether the condition holds.
    package func run(until condition: () -> Bool, patience: Duration = .seconds(20)) throws(LoopError) -> Bool {
        let end = Clocks.system.monotonic() + patience
        while !condition() {
            let left = end - Clocks.system.monotonic()
            guard left > .zero else { return false }
            try turn(timeout: left)
        }
        return true
    }

    private var hasDueTimers: Bool { clocks.isManual && core.timers.hasDue }

    private func runJobs() {
        let core = core
        var left = Self.jobsPerTurn
        while left > 0, let work = core.work.popFirst() {
            perform(work)
            left -= 1
        }
    }
}
