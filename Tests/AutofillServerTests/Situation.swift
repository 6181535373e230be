// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

@testable import AutofillServer

/// A connection in each state, brought there by events.
enum Situation: CaseIterable {
    case greeting, greetingHeld, serving, full, held, turnOver, drained, drainedTurn, drainedFull, stopping,
        stoppingHeld
    case closingTurn, closingOutput, closed

    var state: ConnectionState {
        var state = ConnectionState()
        if ![.greeting, .greetingHeld].contains(self) { state.greeted() }
        switch self {
        case .greeting, .serving: break
        case .greetingHeld, .held: _ = state.engineTakesNothing()
        case .full: _ = state.outputChanged(pending: Limits.unreadAnswerBytes)
        case .turnOver: _ = state.turnIsOver()
        case .drained: _ = state.inputEnded()
        case .drainedTurn:
            _ = state.inputEnded()
            _ = state.turnIsOver()
        case .drainedFull:
            _ = state.inputEnded()
            _ = state.outputChanged(pending: Limits.unreadAnswerBytes)
        case .stopping: _ = state.serviceStops()
        case .stoppingHeld:
            _ = state.serviceStops()
            _ = state.engineTakesNothing()
        case .closingTurn, .closingOutput:
            _ = state.inputEnded()
            _ = state.outputChanged(pending: 10)
            _ = state.answered(hasUnread: false, hasWaiting: false)
            if self == .closingOutput { _ = state.turnLeft() }
        case .closed: _ = state.failed()
        }
        return state
    }

    static let open = allCases.filter { $0 != .closed }
    /// Those that read what comes.
    static let reading: Set<Situation> = [.greeting, .serving, .stopping]
    /// Those that answer what came.
    static let answering: Set<Situation> = [.greeting, .serving, .stopping, .drained]
}
