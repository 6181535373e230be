// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import EventLoop
import Testing

@testable import AutofillServer

@Suite("The states of a connection")
struct ConnectionStateTests {
    private typealias Actions = ConnectionState.Actions

    /// The actions for an event in each state.
    private func each(
        _ event: (inout ConnectionState) -> Actions, is expected: (Situation) -> Actions,
        then stage: (Situation) -> ConnectionState.Stage = { $0.state.stage }
    ) {
        for situation in Situation.allCases {
            var state = situation.state
            #expect(event(&state) == expected(situation), "\(situation)")
            #expect(state.stage == stage(situation), "\(situation)")
        }
    }

    @Test("Each state is what it is called")
    func situations() {
        #expect(Situation.greeting.state.stage == .greeting && Situation.serving.state.stage == .serving)
        #expect(Situation.drainedFull.state.stage == .draining(.input))
        #expect(Situation.stopping.state.stage == .draining(.service))
        #expect(Situation.closingTurn.state.stage == .closing(.turn))
        #expect(Situation.closingOutput.state.stage == .closing(.output))
    }

    @Test("It is watched for input only while that may be answered, and for space only while something waits for it")
    func interest() {
        for situation in Situation.allCases {
            let interest = situation.state.interest
            #expect(interest.contains(.readable) == Situation.reading.contains(situation), "\(situation)")
            let waits: Set<Situation> = [.full, .drainedFull, .closingTurn, .closingOutput]
            #expect(interest.contains(.writable) == waits.contains(situation), "\(situation)")
            #expect(situation.state.mayAnswer == Situation.answering.contains(situation), "\(situation)")
        }
    }

    @Test("Input is read where it may be answered")
    func input() {
        each {
            $0.inputIsReady()
        } is: {
            Situation.reading.contains($0) ? .read : []
        }
    }

    @Test("Bytes that arrived are answered where they may be")
    func bytes() {
        each {
            $0.bytesArrived()
        } is: {
            Situation.answering.contains($0) ? .answer : []
        } then: { situation in
            switch situation {
            case .stopping, .stoppingHeld: .draining([.service, .noise])
            default: situation.state.stage
            }
        }
    }

    @Test("The end of the input is no end of the connection: it drains, and is read no more")
    func inputEnd() {
        each {
            $0.inputEnded()
        } is: {
            Situation.answering.contains($0) ? .answer : []
        } then: { situation in
            switch situation {
            case .closingTurn, .closingOutput, .closed: situation.state.stage
            case .stopping, .stoppingHeld: .draining([.service, .input])
            default: .draining(.input)
            }
        }
        for situation in Situation.allCases {
            var state = situation.state
            _ = state.inputEnded()
            #expect(!state.mayRead)
        }
    }

    @Test("After a hang-up what was sent is read to its end; a connection that would have to wait is closed")
    func hangUp() {
        let later: Set<Situation> = [.sliceOver, .drainedTurn, .closed]
        each {
            $0.hungUp()
        } is: {
            Situation.reading.contains($0) ? .read : later.contains($0) ? [] : .close
        } then: {
            Situation.reading.contains($0) || later.contains($0) ? $0.state.stage : .closed
        }
    }

    @Test("After a hang-up a connection whose program has to wait is read in its slice, and is notified only once")
    func hangUpBeforeSlice() {
        let later: Set<Situation> = [.sliceOver, .drainedTurn, .closed]
        each {
            $0.hungUp(isAdmitted: false)
        } is: {
            Situation.reading.contains($0) ? .awaitSlice : later.contains($0) ? [] : .close
        } then: {
            Situation.reading.contains($0) || later.contains($0) ? $0.state.stage : .closed
        }
        for situation in Situation.reading {
            var state = situation.state
            _ = state.hungUp(isAdmitted: false)
            #expect(state.interest == .once && state.hungUp(isAdmitted: false) == [], "\(situation)")
            #expect(state.sliceBegins() == .read && state.interest == .readable, "\(situation)")
        }
    }

    @Test("While too many descriptors wait to be closed those that come are not received, then they are in its slice")
    func descriptors() {
        each {
            $0.descriptorsMustWait()
        } is: {
            Situation.reading.contains($0) ? .awaitDescriptors : []
        }
        each {
            $0.descriptorsMayArrive()
        } is: { _ in
            []
        }
        for situation in Situation.reading {
            var state = situation.state
            _ = state.descriptorsMustWait()
            #expect(state.interest == .once && !state.mayAnswer, "\(situation)")
            #expect(state.hungUp() == [] && state.hungUp(isAdmitted: false) == [], "\(situation)")
            #expect(state.descriptorsMayArrive() == .awaitSlice && state.descriptorsMayArrive() == [], "\(situation)")
            #expect(state.interest == .once, "\(situation)")
            #expect(state.sliceBegins() == .read && state.interest == .readable, "\(situation)")
        }
    }

    @Test("A failure closes, once")
    func failure() {
        each {
            $0.failed()
        } is: {
            $0 == .closed ? [] : .close
        } then: { _ in
            .closed
        }
    }

    @Test("An answered hello ends the greeting, and nothing else")
    func greeted() {
        for situation in Situation.allCases {
            var state = situation.state
            state.greeted()
            let isGreeting = situation == .greeting || situation == .greetingHeld
            #expect(state.stage == (isGreeting ? .serving : situation.state.stage))
            #expect(state.pauses == situation.state.pauses)
        }
    }

    @Test("Without a hello in time it is refused and closes when that has left")
    func silence() {
        let late: Set<Situation> = [
            .greeting, .greetingHeld, .drained, .drainedTurn, .drainedFull, .stopping, .stoppingHeld,
        ]
        each {
            $0.greetingTimeIsOver()
        } is: {
            late.contains($0) ? [.refuseSilence, .awaitTurnEnd] : []
        } then: {
            late.contains($0) ? .closing(.turn) : $0.state.stage
        }
    }

    @Test("When all is answered a drained connection closes, and no other one")
    func answered() {
        let drained: Set<Situation> = [.drained, .drainedTurn, .drainedFull]
        each {
            $0.answered(hasUnread: false, hasWaiting: false)
        } is: {
            drained.contains($0) ? .awaitTurnEnd : []
        } then: {
            drained.contains($0) ? .closing(.turn) : $0.state.stage
        }
        each {
            $0.answered(hasUnread: true, hasWaiting: false)
        } is: { _ in
            []
        }
        each {
            $0.answered(hasUnread: false, hasWaiting: true)
        } is: {
            $0 == .stopping || $0 == .stoppingHeld ? .refuseWaiting : []
        }
    }

    @Test("While the engine accepts nothing nothing is read; then it continues in a slice of its own")
    func engine() {
        var state = Situation.serving.state
        #expect(state.engineIsBusy() == .awaitEngine)
        #expect(state.interest == [])
        #expect(state.engineIsReady() == .awaitSlice)
        #expect(!state.mayRead)
        #expect(state.sliceBegins() == .answer)
        #expect(state.interest == .readable)
        each {
            $0.engineIsReady()
        } is: {
            [.greetingHeld, .held, .stoppingHeld].contains($0) ? .awaitSlice : []
        }
    }

    @Test("When its slice is over it waits for the next one, once")
    func turn() {
        var state = Situation.serving.state
        #expect(state.sliceIsOver() == .awaitSlice && state.sliceIsOver() == [])
        #expect(state.interest == .once)
        #expect(state.sliceBegins() == .answer)
        each {
            $0.sliceBegins()
        } is: {
            [.greeting, .serving, .sliceOver, .drained, .drainedTurn, .stopping].contains($0) ? .answer : []
        }
    }

    @Test("A client that does not read its answers is read no more until it has read half of them")
    func output() {
        var state = Situation.serving.state
        let limit = Limits.unreadAnswerBytes
        #expect(state.outputChanged(pending: limit - 1) == [] && state.interest == [.readable, .writable])
        #expect(state.outputChanged(pending: limit) == .notifyNotReading && state.interest == .writable)
        #expect(state.outputChanged(pending: limit + 5) == [])
        #expect(state.outputChanged(pending: limit / 2) == [] && state.output == .full)
        #expect(state.outputChanged(pending: limit / 2 - 1) == [.notifyReading, .awaitSlice])
        #expect(state.sliceBegins() == .answer)
        #expect(state.outputChanged(pending: 0) == [] && state.interest == .readable)
        each {
            $0.outputChanged(pending: limit)
        } is: {
            [.full, .drainedFull, .closed].contains($0) ? [] : .notifyNotReading
        }
    }

    @Test("What was written leaves before it closes")
    func leaving() {
        each {
            $0.outputChanged(pending: 0)
        } is: { situation in
            switch situation {
            case .full, .drainedFull: [.notifyReading, .awaitSlice]
            case .closingOutput: .close
            default: []
            }
        } then: {
            $0 == .closingOutput ? .closed : $0.state.stage
        }
        each {
            $0.turnHasEnded()
        } is: { _ in
            []
        } then: {
            $0 == .closingTurn ? .closing(.output) : $0.state.stage
        }
        var state = Situation.closingTurn.state
        // Output that waits for space is sent before the answers of the turn are.
        #expect(state.outputChanged(pending: 0) == [])
        #expect(state.turnHasEnded() == .close)
        #expect(state.stage == .closed)
    }

    @Test("When the service stops, what has arrived is answered, and what waits is refused")
    func stopping() {
        each {
            $0.serviceStops()
        } is: { situation in
            switch situation {
            case .closingTurn, .closingOutput, .closed: []
            default: Situation.answering.contains(situation) ? [.refuseWaiting, .answer] : .refuseWaiting
            }
        } then: { situation in
            switch situation {
            case .closingTurn, .closingOutput, .closed: situation.state.stage
            case .drained, .drainedTurn, .drainedFull: .draining([.input, .service])
            default: .draining(.service)
            }
        }
    }

    @Test("When the service stops it closes once the client is silent, and not while it is not")
    func silent() {
        each {
            $0.silenceWasChecked(hasInput: false)
        } is: {
            $0 == .stopping ? .awaitTurnEnd : []
        } then: {
            $0 == .stopping ? .closing(.turn) : $0.state.stage
        }
        var state = Situation.stopping.state
        #expect(state.silenceWasChecked(hasInput: true) == [])
        #expect(state.bytesArrived() == .answer)
        #expect(state.silenceWasChecked(hasInput: false) == [], "something arrived since the last check")
        #expect(state.silenceWasChecked(hasInput: false) == .awaitTurnEnd)
    }

    @Test("Once closed nothing is done, whatever happens")
    func closed() {
        var state = Situation.closed.state
        let all = [
            state.inputIsReady(), state.hungUp(), state.failed(), state.bytesArrived(), state.inputEnded(),
            state.greetingTimeIsOver(), state.answered(hasUnread: false, hasWaiting: false), state.sliceBegins(),
            state.outputChanged(pending: 1 << 20), state.turnHasEnded(), state.serviceStops(),
            state.silenceWasChecked(hasInput: false), state.descriptorsMustWait(), state.descriptorsMayArrive(),
        ]
        #expect(all.allSatisfy { $0 == [] })
        #expect(state.stage == .closed && state.interest == [])
    }
}
