// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Lets one task through at a time: of those that wait the one with the least to do, so that nobody waits behind the many
/// large ones of another.
final class SmallestFirst {
    private let loop: EventLoop
    private var isTaken = false
    private var waiting: [(size: UInt64, wait: Wait<Void>)] = []

    init(on loop: EventLoop) { self.loop = loop }

    /// Waits for its turn; false where that does not come in time. Whoever was let in calls `leave` afterwards.
    func enter(_ size: UInt64, until deadline: Instant) async -> Bool {
        guard isTaken else {
            isTaken = true
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
        isTaken = false
    }
}
