// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop

/// Where a connection is in its life, and what is to be done when something happens: no I/O, no time, no memory.
///
/// Each event is a method that returns what is to be done for it, in the order of `Actions`.
struct ConnectionState: Hashable {
    private(set) var stage = Stage.greeting
    private(set) var pauses: Pauses = []
    private(set) var output = Output.none

    /// Whether lines that were received may be answered.
    var mayAnswer: Bool {
        guard pauses.isEmpty, output != .full else { return false }
        switch stage {
        case .greeting, .serving, .draining: return true
        case .closing, .closed: return false
        }
    }

    /// Whether more may be received.
    var mayRead: Bool { mayAnswer && !inputHasEnded }

    var inputHasEnded: Bool { ends.contains(.input) }

    /// What the socket is watched for; that it was hung up on is told in any case.
    var interest: IOEvents {
        if output == .none { return mayRead ? .readable : Self.nothing }
        return mayRead ? Self.both : .writable
    }

    private static let nothing: IOEvents = []
    private static let both: IOEvents = [.readable, .writable]

    /// Why it drains; nothing unless it does.
    var ends: Ends {
        if case .draining(let ends) = stage { ends } else { [] }
    }

    private mutating func drain(for end: Ends) {
        switch stage {
        case .greeting, .serving: stage = .draining(end)
        case .draining(let ends): stage = .draining(ends.union(end))
        case .closing, .closed: break
        }
    }

    private mutating func leave() -> Actions {
        stage = .closing(.turn)
        return .awaitTurnEnd
    }
}

// MARK: - The input

extension ConnectionState {
    func inputIsReady() -> Actions { mayRead ? .read : [] }

    /// Its program has had its turn: what has arrived is received when others had theirs.
    mutating func inputMustWait() -> Actions {
        guard mayRead else { return [] }
        pauses.insert(.unread)
        return .awaitTurn
    }

    /// What was sent before is still read to its end and done, as long as nothing else has to be waited for: nobody is
    /// there to wait for it.
    mutating func hungUp() -> Actions {
        // Nothing of it is at hand: it need not wait for its turn to be told that it is over.
        pauses.remove(.unread)
        if stage == .closed || (pauses == .turn && output != .full && !isClosing) { return [] }
        return mayRead ? .read : failed()
    }

    /// The socket failed, or what it was to be sent may not leave.
    mutating func failed() -> Actions {
        guard stage != .closed else { return [] }
        stage = .closed
        return .close
    }

    mutating func bytesArrived() -> Actions {
        if ends.contains(.service) { drain(for: .noise) }
        return mayAnswer ? .answer : []
    }

    mutating func inputEnded() -> Actions {
        drain(for: .input)
        return mayAnswer ? .answer : []
    }

    private var isClosing: Bool {
        if case .closing = stage { true } else { false }
    }
}

// MARK: - The engine

extension ConnectionState {
    /// `hello` was answered.
    mutating func greeted() {
        if stage == .greeting { stage = .serving }
    }

    /// There was no finished `hello` in time. To be called only where there was none.
    mutating func greetingTimeIsOver() -> Actions {
        switch stage {
        case .greeting, .draining: leave().union(.refuseSilence)
        case .serving, .closing, .closed: []
        }
    }

    /// Lines were answered as far as may be, or a request that waited was.
    ///
    /// - Parameters:
    ///   - hasUnread: whether something that was received is not answered.
    ///   - hasWaiting: whether requests wait.
    mutating func answered(hasUnread: Bool, hasWaiting: Bool) -> Actions {
        if hasWaiting, ends.contains(.service) { return .refuseWaiting }
        guard ends.contains(.input), !hasUnread, !hasWaiting else { return [] }
        return leave()
    }

    mutating func engineTakesNothing() -> Actions {
        pauses.insert(.engine)
        return .awaitEngine
    }

    mutating func engineTakes() -> Actions {
        guard pauses.contains(.engine) else { return [] }
        pauses.remove(.engine)
        return mayAnswer ? turnIsOver() : []
    }
}

// MARK: - The turns

extension ConnectionState {
    mutating func turnIsOver() -> Actions {
        guard !pauses.contains(.turn) else { return [] }
        pauses.insert(.turn)
        return .awaitTurn
    }

    mutating func turnCame() -> Actions {
        let isUnread = pauses.contains(.unread)
        pauses.subtract([.turn, .unread])
        guard mayAnswer else { return [] }
        return isUnread && mayRead ? .read : .answer
    }

    /// - Parameter pending: bytes that wait for room in the socket.
    mutating func outputChanged(pending: Int) -> Actions {
        guard stage != .closed else { return [] }
        let before = output
        let limit = before == .full ? Limits.unreadAnswerBytes / 2 : Limits.unreadAnswerBytes
        output = pending == 0 ? .none : pending >= limit ? .full : .some
        if stage == .closing(.output), output == .none { return failed() }
        switch (before == .full, output == .full) {
        case (false, true): return .tellNotTaking
        case (true, false): return mayAnswer ? [.tellTaking, .answer] : .tellTaking
        default: return []
        }
    }

    /// The answers of the turn are with the socket, or in what waits for room there.
    mutating func turnLeft() -> Actions {
        guard stage == .closing(.turn) else { return [] }
        stage = .closing(.output)
        return output == .none ? failed() : []
    }
}

// MARK: - The end of the service

extension ConnectionState {
    mutating func serviceStops() -> Actions {
        drain(for: .service)
        guard ends.contains(.service) else { return [] }
        return mayAnswer ? [.refuseWaiting, .answer] : .refuseWaiting
    }

    /// It is looked from time to time whether the client is silent. Closed with bytes unread, a socket would take back
    /// answers that are on their way.
    ///
    /// - Parameter hasInput: whether something has arrived that was not received yet.
    mutating func lookedForSilence(hasInput: Bool) -> Actions {
        guard case .draining(var ends) = stage, ends.contains(.service) else { return [] }
        if mayAnswer, !hasInput, !ends.contains(.noise) { return leave() }
        ends.remove(.noise)
        stage = .draining(ends)
        return []
    }
}
