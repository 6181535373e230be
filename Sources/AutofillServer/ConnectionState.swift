// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop

/// The state of a connection, and the actions for each event: no I/O, no time, no memory.
///
/// Each event is a method that returns its actions, in the order of `Actions`.
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

    /// The events that the socket is watched for. A hang-up is reported in any case, in each turn: to a connection that waits for its
    /// slice, and does nothing about it until then, only once, for else the loop would never wait.
    var interest: IOEvents {
        if output == .none { return mayRead ? .readable : awaitsSlice ? .once : Self.nothing }
        return mayRead ? Self.both : .writable
    }

    private static let nothing: IOEvents = []
    private static let both: IOEvents = [.readable, .writable]

    /// Whether it continues when other programs were answered, or descriptors closed, also after a hang-up.
    private var awaitsSlice: Bool {
        !pauses.isEmpty && !pauses.contains(.engine) && output != .full && !isClosing && stage != .closed
    }

    /// Why it drains; empty unless it does.
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

    /// Its program has used its slice: what has arrived is received after other programs were answered.
    mutating func inputMustWait() -> Actions {
        guard mayRead else { return [] }
        pauses.insert(.unread)
        return .awaitSlice
    }

    /// What was sent before is still read to its end and performed, unless that has to wait for more than a slice or descriptors: no
    /// client waits for it.
    ///
    /// - Parameter isAdmitted: whether it need not wait for a slice: nothing is left to perform, or its program is answered now.
    mutating func hungUp(isAdmitted: Bool = true) -> Actions {
        if isAdmitted { pauses.remove(.unread) }
        if stage == .closed || awaitsSlice { return [] }
        guard mayRead else { return failed() }
        return isAdmitted ? .read : inputMustWait()
    }

    /// The socket failed, or its answers may not be sent.
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

    /// Descriptors come with what has arrived, and too many others wait to be closed: it is received when fewer do.
    mutating func descriptorsMustWait() -> Actions {
        guard mayRead else { return [] }
        pauses.insert(.descriptors)
        return .awaitDescriptors
    }

    /// Fewer descriptors wait to be closed, or closing them was given up.
    mutating func descriptorsMayArrive() -> Actions {
        pauses.remove(.descriptors) == nil ? [] : inputMustWait()
    }
}

// MARK: - The engine

extension ConnectionState {
    /// `hello` was answered.
    mutating func greeted() {
        if stage == .greeting { stage = .serving }
    }

    /// No complete `hello` arrived in time. Called only in that case.
    mutating func greetingTimeIsOver() -> Actions {
        switch stage {
        case .greeting, .draining: leave().union(.refuseSilence)
        case .serving, .closing, .closed: []
        }
    }

    /// Lines were answered as far as possible, or a request that waited was.
    ///
    /// - Parameters:
    ///   - hasUnread: whether something that was received is not answered.
    ///   - hasWaiting: whether requests wait.
    mutating func answered(hasUnread: Bool, hasWaiting: Bool) -> Actions {
        if hasWaiting, ends.contains(.service) { return .refuseWaiting }
        guard ends.contains(.input), !hasUnread, !hasWaiting else { return [] }
        return leave()
    }

    mutating func engineIsBusy() -> Actions {
        pauses.insert(.engine)
        return .awaitEngine
    }

    mutating func engineIsReady() -> Actions {
        guard pauses.contains(.engine) else { return [] }
        pauses.remove(.engine)
        return mayAnswer ? sliceIsOver() : []
    }
}

// MARK: - The slices

extension ConnectionState {
    mutating func sliceIsOver() -> Actions {
        guard !pauses.contains(.slice) else { return [] }
        pauses.insert(.slice)
        return .awaitSlice
    }

    mutating func sliceBegins() -> Actions {
        let isUnread = pauses.contains(.unread)
        pauses.subtract([.slice, .unread])
        guard mayAnswer else { return [] }
        return isUnread && mayRead ? .read : .answer
    }

    /// - Parameter pending: bytes that wait for space in the socket.
    mutating func outputChanged(pending: Int) -> Actions {
        guard stage != .closed else { return [] }
        let before = output
        let limit = before == .full ? Limits.unreadAnswerBytes / 2 : Limits.unreadAnswerBytes
        output = pending == 0 ? .none : pending >= limit ? .full : .some
        if stage == .closing(.output), output == .none { return failed() }
        switch (before == .full, output == .full) {
        case (false, true): return .notifyNotReading
        case (true, false): return mayAnswer ? sliceIsOver().union(.notifyReading) : .notifyReading
        default: return []
        }
    }

    /// The answers of the turn are in the socket, or in what waits for space there.
    mutating func turnHasEnded() -> Actions {
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

    /// Whether the client is silent is checked at intervals. A socket that is closed with unread bytes discards answers
    /// that are not delivered yet.
    ///
    /// - Parameter hasInput: whether something has arrived that was not received yet.
    mutating func silenceWasChecked(hasInput: Bool) -> Actions {
        guard case .draining(var ends) = stage, ends.contains(.service) else { return [] }
        if mayAnswer, !hasInput, !ends.contains(.noise) { return leave() }
        ends.remove(.noise)
        stage = .draining(ends)
        return []
    }
}
