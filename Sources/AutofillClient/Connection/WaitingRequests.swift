// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// The requests that have no answer yet, by their ids, and whether the connection has ended.
struct WaitingRequests {
    /// Receives the line that answers a request, or the error that ended it.
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
    /// Why no further request can be made.
    private var end: AutofillError?

    mutating func nextID() -> Int64 {
        lastID += 1
        return lastID
    }

    /// Returns the id of a request that is about to be made.
    mutating func reserve() -> Int64 {
        let id = nextID()
        states[id] = .reserved
        return id
    }

    /// Starts to wait. Returns an error if nothing must be sent.
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

    /// Removes and returns the waiter of a request; nil if there is none.
    mutating func finish(_ id: Int64) -> Waiter? {
        guard case .sent(let waiter)? = states.removeValue(forKey: id) else { return nil }
        return waiter
    }

    /// Returns whether a request was sent and must be cancelled by a line of its own.
    mutating func cancel(_ id: Int64) -> Bool {
        switch states[id] {
        case .sent: return true
        case .reserved: states[id] = .cancelled
        case .cancelled, nil: break
        }
        return false
    }

    /// Whether no more answers will be received.
    var hasEnded: Bool { end != nil }

    /// Ends all requests. Returns their waiters, or nil if this was called before.
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
