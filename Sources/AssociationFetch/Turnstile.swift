// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Lets a number of tasks through at a time, and the others in the order in which they came.
final class Turnstile: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(places: Int) { state = Mutex(State(free: places)) }

    /// Runs the body when there is a place.
    func pass<Result>(_ body: () async -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let mayPass = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if mayPass { continuation.resume() }
        }
        defer { leave() }
        return await body()
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
