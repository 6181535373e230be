// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

@testable import AutofillServer

/// A connection in each state, brought there by events.
enum Situation: CaseIterable {
    case greeting, greetingHeld, serving, full, held, sliceOver, drained, drainedTurn, drainedFull, stopping,
        stoppingHeld
    case closingTurn, closingOutput, closed

    var state: ConnectionState {
        var state = ConnectionState()
        if ![.greeting, .greetingHeld].contains(self) { state.greeted() }
        switch self {
        case .greeting, .serving: break
        case .greetingHeld, .held: _ = state.engineIsBusy()
        case .full: _ = state.outputChanged(pending: Limits.unreadAnswerBytes)
        case .sliceOver: _ = state.sliceIsOver()
        case .drained: _ = state.inputEnded()
        case .drainedTurn:
            _ = state.inputEnded()
            _ = state.sliceIsOver()
        case .drainedFull:
            _ = state.inputEnded()
            _ = state.outputChanged(pending: Limits.unreadAnswerBytes)
        case .stopping: _ = state.serviceStops()
        case .stoppingHeld:
            _ = state.serviceStops()
            _ = state.engineIsBusy()
        case .closingTurn, .closingOutput:
            _ = state.inputEnded()
            _ = state.outputChanged(pending: 10)
            _ = state.answered(hasUnread: false, hasWaiting: false)
            if self == .closingOutput { _ = state.turnHasEnded() }
        case .closed: _ = state.failed()
        }
        return state
    }

    static let open = allCases.filter { $0 != .closed }
    /// The states that read what arrives.
    static let reading: Set<Situation> = [.greeting, .serving, .stopping]
    /// The states that answer what arrived.
    static let answering: Set<Situation> = [.greeting, .serving, .stopping, .drained]
}
