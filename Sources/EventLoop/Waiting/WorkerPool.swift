// SPDX-License-Identifier: Apache-2.0

/// Threads for blocking work. They start when they are needed, and end after some idle seconds.
///
/// All decisions are made on the loop; a thread only runs its work item. Work that exceeds its deadline is abandoned:
/// its requester continues with `.deadline`, its thread counts as stuck, another may replace it, and its result is
/// dropped.
package final class WorkerPool {
    private let loop: EventLoop
    private var lanes: [LaneState]
    private var idle: [WorkerThread] = []
    private var idleTimer: LoopTimer?
    private let runner: Runner?

    /// Runs work instead of a thread: for a test that determines when work is done.
    package typealias Runner = (_ lane: WorkLane, _ work: @escaping @Sendable () -> Void) -> Void

    /// How long threads are kept after work; the idle ones then end together.
    package static let idleTime = Duration.seconds(10)

    /// - Parameter runner: nil: threads.
    package init(
        on loop: EventLoop, limits: (WorkLane) -> WorkLimits = WorkLimits.standard, runner: Runner? = nil
    ) {
        self.loop = loop
        self.runner = runner
        lanes = WorkLane.allCases.map { LaneState(limits: limits($0)) }
        idleTimer = LoopTimer(on: loop, slack: .seconds(1)) { [unowned self] in idle = [] }
    }

    /// Threads that work, are stuck or are idle.
    package var threads: Int { lanes.reduce(idle.count) { $0 + $1.running + $1.stuck } }

    /// Whether work waits for a thread, or has one and is not back.
    package var isBusy: Bool { lanes.contains { $0.running + $0.stuck + $0.waiting.count > 0 } }

    /// Whether work for this lane is accepted now.
    package func accepts(_ lane: WorkLane) -> Bool { lanes[lane.rawValue].accepts }

    /// Threads whose work exceeded its deadline.
    package func stuck(_ lane: WorkLane) -> Int { lanes[lane.rawValue].stuck }

    /// Runs work on a thread of the lane; called on an actor whose executor is the loop.
    ///
    /// - Parameter subject: what the work is about, such as a registration: while some of that is stuck no other thread of the lane
    ///   is given to it. So no more are stuck for one subject than the lane has at work at a time.
    /// - Parameter deadline: for the wait for a thread and the work together.
    /// - Parameter onCancel: requests the work to stop when the task is cancelled, and its end is waited for; nil: the
    ///   task continues at once.
    /// - Throws: `.deadline`, at once where work about the subject is stuck; `.busy` at once, where the lane is full or stuck;
    ///   `.cancelled`, while work that has begun continues.
    package func run<Answer: Sendable>(
        _ lane: WorkLane, about subject: String? = nil, deadline: Duration, onCancel: (@Sendable () -> Void)? = nil,
        _ work: @Sendable @escaping () -> Answer
    ) async throws(WaitFailure) -> Answer {
        guard !lanes[lane.rawValue].isLate(subject) else { throw .deadline }
        guard lanes[lane.rawValue].accepts else { throw .busy }
        let wait = Wait<Answer>(on: loop)
        let item = WorkItem(lane, about: subject, of: self) { wait.resume(throwing: $0) }
        let (ownItem, ownWait) = (LoopBound(item, on: loop), LoopBound(wait, on: loop))
        item.body = {
            let answer = work()
            ownItem.perform { item in
                item.pool.finish(item)
                ownWait.perform { $0.resume(returning: answer) }
            }
        }
        item.timer = LoopTimer(on: loop) { [unowned self, unowned item] in expire(item) }
        item.timer?.schedule(after: deadline)
        lanes[lane.rawValue].waiting.append(item)
        startWaiting(in: lane)
        defer { withdraw(item) }
        return try await wait.value(onCancel: onCancel)
    }

    /// Assigns threads to the work that waits, as many as the lane may have.
    private func startWaiting(in lane: WorkLane) {
        while let item = lanes[lane.rawValue].next() {
            if let deadline = item.timer?.deadline, deadline <= loop.clocks.monotonic() {
                item.end(.deadline)
                continue
            }
            let thread = runner == nil ? self.thread(isBackground: lane.isBackground) : nil
            guard runner != nil || thread != nil, let body = exchange(&item.body, with: nil) else {
                item.end(.busy)
                continue
            }
            lanes[lane.rawValue].running += 1
            item.state = .running(thread)
            thread?.start(body)
            runner?(lane, body)
        }
    }

    /// The work of a thread is back.
    fileprivate func finish(_ item: WorkItem) {
        switch item.state {
        case .running(let thread):
            lanes[item.lane.rawValue].running -= 1
            keep(thread)
        case .stuck(let thread):
            lanes[item.lane.rawValue].returned(item.subject)
            keep(thread)
        case .waiting, .ended: return
        }
        item.state = .ended
        item.timer = nil
        if idleTimer?.deadline == nil { idleTimer?.schedule(after: Self.idleTime) }
        startWaiting(in: item.lane)
    }

    /// An idle thread, or a new one. One that yields to others does so for good.
    private func thread(isBackground: Bool) -> WorkerThread? {
        guard let index = idle.lastIndex(where: { $0.isBackground == isBackground }) else {
            return try? WorkerThread(isBackground: isBackground)
        }
        return idle.remove(at: index)
    }

    private func keep(_ thread: WorkerThread?) {
        if let thread { idle.append(thread) }
    }

    private func expire(_ item: WorkItem) {
        item.fail(.deadline)
        withdraw(item)
        if case .running(let thread) = item.state {
            item.state = .stuck(thread)
            lanes[item.lane.rawValue].becameStuck(item.subject)
            for refused in lanes[item.lane.rawValue].refusedForLate(item.subject) { refused.end(.deadline) }
            for refused in lanes[item.lane.rawValue].refusedForStuck() { refused.end(.busy) }
            startWaiting(in: item.lane)
        }
    }

    /// Work whose requester has ended before it began is not begun.
    private func withdraw(_ item: WorkItem) {
        guard case .waiting = item.state else { return }
        lanes[item.lane.rawValue].waiting.removeAll { $0 === item }
        item.end(.cancelled)
    }
}
