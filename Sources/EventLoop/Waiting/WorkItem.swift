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
    /// What it is about; nil where that does not matter.
    let subject: String?
    let pool: WorkerPool
    /// Resumes the requester; no effect when it has its answer.
    let fail: (WaitFailure) -> Void
    var state = State.waiting
    /// The work that the thread is to run, until it begins.
    var body: (@Sendable () -> Void)?
    var timer: LoopTimer?

    init(
        _ lane: WorkLane, about subject: String?, of pool: WorkerPool, fail: @escaping (WaitFailure) -> Void
    ) {
        self.lane = lane
        self.subject = subject
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
    private(set) var stuck = 0
    /// The stuck threads of each subject.
    private var late: [String: Int] = [:]
    var waiting: [WorkItem] = []

    init(limits: WorkLimits) { self.limits = limits }

    var accepts: Bool {
        stuck < limits.stuck && (running < limits.running || waiting.count < limits.waiting)
    }

    /// Whether work about the subject is stuck.
    func isLate(_ subject: String?) -> Bool { subject.map { late[$0] != nil } ?? false }

    mutating func becameStuck(_ subject: String?) {
        running -= 1
        stuck += 1
        if let subject { late[subject, default: 0] += 1 }
    }

    /// A stuck thread has returned.
    mutating func returned(_ subject: String?) {
        stuck -= 1
        guard let subject, let count = late[subject] else { return }
        late[subject] = count > 1 ? count - 1 : nil
    }

    /// The work to begin now.
    mutating func next() -> WorkItem? {
        running < limits.running && !waiting.isEmpty ? waiting.removeFirst() : nil
    }

    /// The work that does not begin, because other work about the same subject is stuck.
    mutating func refusedForLate(_ subject: String?) -> [WorkItem] {
        guard let subject, isLate(subject) else { return [] }
        defer { waiting.removeAll { $0.subject == subject } }
        return waiting.filter { $0.subject == subject }
    }

    /// The work that cannot begin, because the limit of stuck threads is reached.
    mutating func refusedForStuck() -> [WorkItem] {
        stuck < limits.stuck ? [] : exchange(&waiting, with: [])
    }
}
