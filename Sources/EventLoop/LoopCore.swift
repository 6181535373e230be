// SPDX-License-Identifier: Apache-2.0

/// The work that waits to run on the loop.
enum Work {
    case job(UnownedJob)
    case call(@Sendable () -> Void)
}

/// The state of the loop's thread.
final class LoopCore {
    let sources: SystemdSources
    let poll: PollSet
    var work = WorkQueue()
    var exitCode: Int32?
    /// More descriptors may be ready than were served.
    var hasMoreReady = false
    var turnEnd = TurnEnd()
    let turnSources = TurnSources()
    let timers: Timers

    init(bell: Int32, clocks: Clocks) throws(LoopError) {
        sources = try SystemdSources()
        poll = PollSet(sources, bell: bell)
        timers = Timers(sources, clocks: clocks)
    }

    /// Whether the next turn has work without waiting for an event.
    var isBusy: Bool {
        !work.isEmpty || hasMoreReady || turnSources.afterSockets.armed > 0 || turnSources.endOfTurn.armed > 0
    }
}

/// The handlers that run once in a turn, by stage.
struct TurnSources {
    let afterSockets = TurnSourceList()
    let endOfTurn = TurnSourceList()

    subscript(stage: TurnStage) -> TurnSourceList {
        switch stage {
        case .afterSockets: afterSockets
        case .endOfTurn: endOfTurn
        }
    }
}

/// The timers, by their clock.
struct Timers {
    private let monotonic: TimerQueue
    private let boottime: TimerQueue

    init(_ sources: SystemdSources, clocks: Clocks) {
        monotonic = TimerQueue(sources, clocks: clocks, clock: .monotonic)
        boottime = TimerQueue(sources, clocks: clocks, clock: .boottime)
    }

    subscript(clock: TimerClock) -> TimerQueue {
        switch clock {
        case .monotonic: monotonic
        case .boottime: boottime
        }
    }

    func start() throws(LoopError) {
        try monotonic.start()
        try boottime.start()
    }

    func stop() {
        monotonic.stop()
        boottime.stop()
    }

    /// Whether `fire` would fire one.
    var hasDue: Bool { monotonic.hasDue || boottime.hasDue }

    /// Fires the timers that are due.
    func fire() {
        monotonic.fire()
        boottime.fire()
    }
}

/// First in, first out.
struct WorkQueue {
    private var items: [Work] = []
    private var first = 0

    var isEmpty: Bool { first == items.count }

    mutating func append(_ work: Work) { items.append(work) }

    mutating func popFirst() -> Work? {
        guard first < items.count else { return nil }
        let work = items[first]
        first += 1
        if first == items.count {
            items.removeAll(keepingCapacity: items.capacity <= Self.kept)
            first = 0
        } else if first >= Self.kept, first * 2 >= items.count {
            items.removeFirst(first)
            first = 0
        }
        return work
    }

    private static let kept = 1024
}
