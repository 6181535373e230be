// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// A lock that the waiting task with the smallest size gets next, so that no client waits for the many large files of
/// another.
final class SmallestFirst {
    private let loop: EventLoop
    private var isOccupied = false
    private var waiting: [(size: UInt64, wait: Wait<Void>)] = []

    init(on loop: EventLoop) { self.loop = loop }

    /// Acquires the lock; false where the deadline is reached first. A caller that acquired it calls `leave`
    /// afterwards.
    func enter(_ size: UInt64, until deadline: Instant) async -> Bool {
        guard isOccupied else {
            isOccupied = true
            return true
        }
        let wait = Wait<Void>(on: loop)
        waiting.append((size, wait))
        do throws(WaitFailure) {
            try await wait.value(until: deadline)
            return true
        } catch {
            waiting.removeAll { $0.wait === wait }
            return false
        }
    }

    func leave() {
        while let next = waiting.indices.min(by: { waiting[$0].size < waiting[$1].size }) {
            if waiting.remove(at: next).wait.resume() { return }
        }
        isOccupied = false
    }
}
