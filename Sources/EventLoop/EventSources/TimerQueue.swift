// SPDX-License-Identifier: Apache-2.0
internal import CSystemd
internal import Glibc

/// The timers of one clock in a heap, on one time source of sd-event; on none where the clock is moved by hand.
final class TimerQueue {
    private struct Entry {
        /// When it must fire at the latest.
        let latest: Instant
        /// In the order in which they were scheduled.
        let sequence: UInt64
        /// Not retained: a timer that is released removes itself.
        let timer: Unmanaged<LoopTimer>

        static func < (left: Entry, right: Entry) -> Bool {
            (left.latest.nanoseconds, left.sequence) < (right.latest.nanoseconds, right.sequence)
        }
    }

    private let sources: SystemdSources
    private let clocks: Clocks
    private let clock: TimerClock
    private var heap: [Entry] = []
    private var sequence: UInt64 = 0
    private var source: OpaquePointer?
    /// The events of the source.
    private var armed: Instant?

    init(_ sources: SystemdSources, clocks: Clocks, clock: TimerClock) {
        self.sources = sources
        self.clocks = clocks
        self.clock = clock
    }

    func start() throws(LoopError) {
        guard !clocks.isManual else { return }
        let id = clock == .monotonic ? CLOCK_MONOTONIC : CLOCK_BOOTTIME
        let own = Unmanaged.passUnretained(self).toOpaque()
        // An accuracy of 0 would mean 250 ms.
        try LoopError.check(
            sd_event_add_time(sources.event, &source, id, .max, 1, Self.isDue, own), "sd_event_add_time")
        sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF))
    }

    func stop() { source = sd_event_source_disable_unref(source) }

    private static let isDue: sd_event_time_handler_t = { _, _, context in
        guard let context else { return 0 }
        let queue = Unmanaged<TimerQueue>.fromOpaque(context).takeUnretainedValue()
        queue.armed = nil
        queue.fire()
        return 0
    }

    /// Whether `fire` would fire one.
    var hasDue: Bool {
        guard let due = heap.first?.timer.takeUnretainedValue().due else { return false }
        return due <= clocks.now(clock)
    }

    /// Fires the timers that are due. Timers that their handlers schedule wait for the next call.
    func fire() {
        let now = clocks.now(clock)
        let last = sequence
        while let first = heap.first, first.sequence <= last {
            let timer = first.timer.takeUnretainedValue()
            guard let due = timer.due, due <= now else { break }
            remove(timer)
            timer.handler()
        }
        arm()
    }

    func schedule(_ timer: LoopTimer, at due: Instant) {
        remove(timer)
        sequence += 1
        timer.due = due
        timer.index = heap.count
        heap.append(Entry(latest: due + timer.slack, sequence: sequence, timer: Unmanaged.passUnretained(timer)))
        moveUp(heap.count - 1)
        arm()
    }

    /// No effect on a timer that is not scheduled. The source may then fire once without a timer.
    func remove(_ timer: LoopTimer) {
        let index = timer.index
        guard index >= 0 else { return }
        timer.index = -1
        timer.due = nil
        let last = heap.removeLast()
        guard index < heap.count else { return }
        store(last, at: index)
        moveUp(index)
        moveDown(index)
    }

    private func arm() {
        guard let source, let first = heap.first, armed.map({ first.latest < $0 }) ?? true else { return }
        armed = first.latest
        sd_event_source_set_time(source, UInt64(max(0, first.latest.nanoseconds / 1000 + 1)))
        sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT))
        sources.change()
    }

    private func store(_ entry: Entry, at index: Int) {
        heap[index] = entry
        entry.timer.takeUnretainedValue().index = index
    }

    private func moveUp(_ start: Int) {
        var index = start
        let entry = heap[index]
        while index > 0, entry < heap[(index - 1) / 2] {
            store(heap[(index - 1) / 2], at: index)
            index = (index - 1) / 2
        }
        store(entry, at: index)
    }

    private func moveDown(_ start: Int) {
        var index = start
        let entry = heap[index]
        while true {
            var child = 2 * index + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
            guard heap[child] < entry else { break }
            store(heap[child], at: index)
            index = child
        }
        store(entry, at: index)
    }
}
