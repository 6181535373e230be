// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation

/// A piece of the service's work that runs when the test releases it.
package struct HeldWork: Hashable {
    let number: Int
}

/// The service's worker pool, in one thread: work runs in the order in which it came, between the loop's turns.
final class ManualWorkPool {
    private var waiting: [(number: Int, isHeld: Bool, body: @Sendable () -> Void)] = []
    /// How much work came so far.
    private(set) var count = 0
    /// What kind of work came, in this order.
    private(set) var lanes: [WorkLane] = []
    /// Whether work that comes now waits for the test; inspections of files wait only with `holdsInspections`.
    var holdsNew = false
    var holdsInspections = false

    func take(_ lane: WorkLane, _ body: @escaping @Sendable () -> Void) {
        count += 1
        lanes.append(lane)
        waiting.append((count, lane == .files ? holdsInspections : holdsNew && lane != .registrations, body))
    }

    /// Runs what is not held and came first.
    func runNext() -> Bool {
        guard let index = waiting.firstIndex(where: { !$0.isHeld }) else { return false }
        waiting.remove(at: index).body()
        return true
    }

    /// The first that is held and came after so many.
    func held(after count: Int) -> HeldWork? {
        waiting.first { $0.isHeld && $0.number > count }.map { HeldWork(number: $0.number) }
    }

    func release(_ work: HeldWork) {
        guard let index = waiting.firstIndex(where: { $0.number == work.number }) else { return }
        waiting[index].isHeld = false
    }

    func releaseAll() {
        for index in waiting.indices { waiting[index].isHeld = false }
    }

    /// Runs held work on another thread to its end. The loop is notified in its next turn.
    func runAside(_ work: HeldWork) {
        guard let index = waiting.firstIndex(where: { $0.number == work.number }) else { return }
        let body = waiting.remove(at: index).body
        let thread = DispatchQueue(label: "work")
        let isDone = DispatchSemaphore(value: 0)
        thread.async {
            body()
            isDone.signal()
        }
        isDone.wait()
    }
}
