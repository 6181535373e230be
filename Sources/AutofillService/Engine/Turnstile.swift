// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Lets one task through at a time, in the order in which they came, or before those who wait.
final class Turnstile {
    private let loop: EventLoop
    private var isTaken = false
    private var waiting: [Wait<Void>] = []

    init(_ loop: EventLoop) { self.loop = loop }

    /// Waits for its turn; false where the task was cancelled before. Whoever was let in calls `leave` afterwards.
    func enter(isFirst: Bool = false) async -> Bool {
        guard isTaken else {
            isTaken = true
            return true
        }
        let wait = Wait<Void>(on: loop)
        waiting.insert(wait, at: isFirst ? 0 : waiting.count)
        do throws(WaitFailure) {
            try await wait.value()
            return true
        } catch {
            waiting.removeAll { $0 === wait }
            return false
        }
    }

    func leave() {
        while !waiting.isEmpty {
            if waiting.removeFirst().resume() { return }
        }
        isTaken = false
    }
}
