// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// The requests that have no answer yet, by their ids, and whether the connection still stands.
struct WaitingRequests {
    /// Takes the line that answers a request, or what ended it.
    typealias Waiter = @Sendable (Result<JSONValue, AutofillError>) -> Void

    private enum State {
        /// Not sent yet.
        case reserved
        /// Its task was cancelled before it was sent.
        case cancelled
        case sent(Waiter)
    }

    private var states: [Int64: State] = [:]
    private var lastID: Int64 = 0
    /// Why no request can be made any more.
    private var end: AutofillError?

    mutating func nextID() -> Int64 {
        lastID += 1
        return lastID
    }

    /// The id of a request that is about to be made.
    mutating func reserve() -> Int64 {
        let id = nextID()
        states[id] = .reserved
        return id
    }

    /// Begins to wait; an error where there is nothing to wait for, and nothing is to be sent.
    mutating func begin(_ id: Int64, _ waiter: @escaping Waiter) -> AutofillError? {
        if case .cancelled? = states[id] {
            states[id] = nil
            return .cancelled
        }
        if let end {
            states[id] = nil
            return end
        }
        states[id] = .sent(waiter)
        return nil
    }

    /// The waiter of a request, which waits no more; nil where there is none.
    mutating func finish(_ id: Int64) -> Waiter? {
        guard case .sent(let waiter)? = states.removeValue(forKey: id) else { return nil }
        return waiter
    }

    /// Whether a request is on its way and must be taken back by a line of its own.
    mutating func cancel(_ id: Int64) -> Bool {
        switch states[id] {
        case .sent: return true
        case .reserved: states[id] = .cancelled
        case .cancelled, nil: break
        }
        return false
    }

    /// Whether no more answers will come.
    var hasEnded: Bool { end != nil }

    /// No more answers will come; gives all who wait, or nil where that was said before.
    mutating func finishAll(_ error: AutofillError) -> [Waiter]? {
        guard end == nil else { return nil }
        end = error
        var waiters: [Waiter] = []
        for (id, state) in states {
            guard case .sent(let waiter) = state else { continue }
            waiters.append(waiter)
            states[id] = nil
        }
        return waiters
    }
}
