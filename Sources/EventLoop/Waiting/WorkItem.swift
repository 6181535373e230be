// SPDX-License-Identifier: Apache-2.0

/// One piece of work of a pool, on the loop's side.
final class WorkItem {
    enum State {
        case waiting
        /// nil: by the pool's runner.
        case running(WorkerThread?)
        case stuck(WorkerThread?)
        case ended
    }

    let lane: WorkLane
    let pool: WorkerPool
    /// Resumes the requester; no effect when it has its answer.
    let fail: (WaitFailure) -> Void
    var state = State.waiting
    /// The work that the thread is to run, until it begins.
    var body: (@Sendable () -> Void)?
    var timer: LoopTimer?

    init(_ lane: WorkLane, of pool: WorkerPool, fail: @escaping (WaitFailure) -> Void) {
        self.lane = lane
        self.pool = pool
        self.fail = fail
    }

    /// Ends work that was never begun.
    func end(_ failure: WaitFailure) {
        state = .ended
        body = nil
        timer = nil
        fail(failure)
    }
}

/// The work of one lane.
struct LaneState {
    let limits: WorkLimits
    var running = 0
    var stuck = 0
    var waiting: [WorkItem] = []

    init(limits: WorkLimits) { self.limits = limits }

    var accepts: Bool {
        stuck < limits.stuck && (running < limits.running || waiting.count < limits.waiting)
    }

    /// The work to begin now.
    mutating func next() -> WorkItem? {
        running < limits.running && !waiting.isEmpty ? waiting.removeFirst() : nil
    }

    /// The work that cannot begin, because the limit of stuck threads is reached.
    mutating func refusedForStuck() -> [WorkItem] {
        stuck < limits.stuck ? [] : exchange(&waiting, with: [])
    }
}
