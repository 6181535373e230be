// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CAutofillLinux
internal import EventLoop
internal import Glibc

/// One client's socket: does what `ConnectionState` says. Idle, it has no buffers.
final class Connection {
    /// What the connection holds outside of itself; `ConnectionTable` gives it back.
    struct Holdings {
        let descriptor: Int32
        let token: DescriptorToken
        let session: SessionID
        /// Whose place it takes.
        let program: Admission.Program
        /// The process that called connect(), by its number.
        let connector: Int32
        /// Those that it has its turns with.
        let turns: ProgramTurns
    }

    let holdings: Holdings
    private unowned let table: ConnectionTable
    private var input = InputBuffer()
    private var output = OutputBuffer()
    private(set) var state = ConnectionState()
    /// What came with the lines up to `hello`, until the engine takes it.
    private var passed: PassedDescriptor?

    /// - Parameter early: how many bytes may have arrived before the peer was looked at.
    init(_ holdings: Holdings, early: Int, in table: ConnectionTable) {
        self.holdings = holdings
        self.table = table
        input.noteEarly(early)
    }

    /// Bytes that are kept of its input and its output.
    var keptBytes: Int { input.capacity + output.count }

    private func perform(_ actions: ConnectionState.Actions, _ engine: isolated AutofillEngine) {
        let session = holdings.session
        if actions.contains(.close) { return table.remove(self, engine) }
        if actions.contains(.tellTaking) { engine.setTaking(true, session) }
        if actions.contains(.tellNotTaking) { engine.setTaking(false, session) }
        if actions.contains(.refuseSilence) { engine.reject(ProtocolProblem(.helloRequired), session) }
        if actions.contains(.refuseWaiting) { refuseWaiting(engine) }
        if actions.contains(.awaitTurn) { table.turns.goOnLater(self) }
        // One that is being greeted goes on with the answer to that.
        if actions.contains(.awaitEngine), engine.hasGreeted(session) { table.turns.goOnWithEngine(self) }
        if actions.contains(.awaitTurnEnd) { table.turns.awaitEnd(self) }
        if actions.contains(.read) { read(engine) }
        if actions.contains(.answer) { answer(engine) }
        table.watch(self)
    }

    // MARK: - In

    /// What the socket is ready for.
    func ready(_ events: IOEvents, _ engine: isolated AutofillEngine) {
        if events.contains(.writable) { flush(engine) }
        let isGone = events.contains(.failed) || events.contains(.hungUp)
        guard isGone || events.contains(.readable) else { return }
        if isGone {
            perform(state.hungUp(), engine)
        } else if table.turns.admits(self, at: engine.loop.clocks.monotonic()) {
            perform(state.inputIsReady(), engine)
        } else {
            perform(state.inputMustWait(), engine)
        }
    }

    private func read(_ engine: isolated AutofillEngine) {
        let room = input.room(from: table.spares)
        var sender: Int32 = 0
        let count = state.stage == .greeting ? receiveFirst(room, &sender, engine) : receive(room, &sender)
        if count > 0 { append(count, from: sender, engine) }
        let actions: ConnectionState.Actions =
            switch count {
            case 1...: state.bytesArrived()
            case 0: state.inputEnded()
            case -Int(EAGAIN): []
            default: state.failed()
            }
        if !actions.contains(.answer) { input.settle(table.spares) }
        perform(actions, engine)
    }

    /// Who sends is to be who connected: whoever else has the descriptor is nobody who was looked at.
    private func append(_ count: Int, from sender: Int32, _ engine: isolated AutofillEngine) {
        input.append(count)
        if sender == 0 {
            input.noteUnknownSender()
        } else if sender != holdings.connector {
            engine.noteOtherSender(holdings.session)
        }
    }

    private func receive(_ room: UnsafeMutableRawBufferPointer, _ sender: inout Int32) -> Int {
        af_receive_from(holdings.descriptor, room.baseAddress, room.count, &sender, nil)
    }

    /// A line up to `hello` may bring one descriptor; the kernel drops others, and those of later lines.
    private func receiveFirst(
        _ room: UnsafeMutableRawBufferPointer, _ sender: inout Int32, _ engine: isolated AutofillEngine
    ) -> Int {
        guard passed == nil, table.passed.areTaken else { return receive(room, &sender) }
        var descriptor: Int32 = -1
        let received = af_receive_from(holdings.descriptor, room.baseAddress, room.count, &sender, &descriptor)
        if descriptor >= 0 {
            let passed = table.passed
            self.passed = PassedDescriptor(number: descriptor) { passed.close($0, engine) }
        }
        return received
    }

    /// Answers the lines at hand, as far as this turn goes.
    private func answer(_ engine: isolated AutofillEngine) {
        var turn = AnsweringTurn(of: holdings.turns, in: table.turns.programs, engine)
        while state.mayAnswer, answerLine(engine) {
            noteGreeting(engine)
            if engine.takesNothing(from: holdings.session) {
                perform(state.engineTakesNothing(), engine)
            } else if !input.isEmpty, turn.isOver(engine) {
                perform(state.turnIsOver(), engine)
            }
        }
        if state.inputHasEnded, state.mayAnswer, !input.isEmpty { answer(input.rest, engine) }
        input.settle(table.spares)
        let (now, spent) = turn.spent(engine)
        table.turns.programs.note(spent, of: holdings.turns, at: now)
        // One turn's answers to all are not many times as many as those to one may be.
        if engine.outgoingBytes >= Limits.unreadAnswerBytes { engine.loop.endTurnSoon() }
        noteAnswered(engine)
    }

    /// Answers one line; false where there is none.
    private func answerLine(_ engine: isolated AutofillEngine) -> Bool {
        switch input.next() {
        case .none: return false
        case .tooLong: engine.reject(ProtocolProblem(.lineTooLong), holdings.session)
        case .whole(let line): answer(line, engine)
        }
        return true
    }

    private func answer(_ line: UnsafeRawBufferPointer, _ engine: isolated AutofillEngine) {
        if !line.isBlank {
            let descriptor = passed
            passed = nil
            engine.receive(line, from: holdings.session, descriptor: descriptor, isEarly: input.isEarly)
        }
        input.drop(line)
    }

    private func noteGreeting(_ engine: isolated AutofillEngine) {
        guard state.stage == .greeting, engine.hasGreeted(holdings.session) else { return }
        state.greeted()
        passed = nil
    }

    private func noteAnswered(_ engine: isolated AutofillEngine) {
        guard !state.ends.isEmpty else { return }
        let hasWaiting = engine.hasWaiting(holdings.session)
        perform(state.answered(hasUnread: !input.isEmpty, hasWaiting: hasWaiting), engine)
    }

    private func refuseWaiting(_ engine: isolated AutofillEngine) {
        engine.stopWaiting(holdings.session)
        perform(state.answered(hasUnread: !input.isEmpty, hasWaiting: false), engine)
    }

    // MARK: - Out

    /// Sends what the socket takes at once, straight from where it was written; the rest waits for room. What nobody
    /// can receive any more is dropped: what the client sent before is still done. Another failure shows when the rest
    /// is sent.
    func send(_ answers: UnsafeRawBufferPointer) {
        var sent = 0
        if output.count == 0 {
            let result = af_send_now(holdings.descriptor, answers.baseAddress, answers.count)
            if Self.isUnheard(result) { return }
            sent = max(0, result)
        }
        output.append(UnsafeRawBufferPointer(rebasing: answers[sent...]))
    }

    private static func isUnheard(_ result: Int) -> Bool { result == -Int(EPIPE) || result == -Int(ECONNRESET) }

    /// What was written for it in this turn is with the socket, or waits for room.
    func answersLeft(_ engine: isolated AutofillEngine) {
        noteGreeting(engine)
        perform(state.outputChanged(pending: output.count), engine)
        if state.pauses.contains(.engine), !engine.takesNothing(from: holdings.session) {
            perform(state.engineTakes(), engine)
        }
        noteAnswered(engine)
    }

    private func flush(_ engine: isolated AutofillEngine) {
        let bytes = output.bytes
        guard !bytes.isEmpty else { return }
        let sent = af_send_now(holdings.descriptor, bytes.baseAddress, bytes.count)
        if sent > 0 || Self.isUnheard(sent) {
            output.drop(sent > 0 ? sent : bytes.count)
            table.turns.noteDeparture()
            perform(state.outputChanged(pending: output.count), engine)
        } else if sent != -Int(EAGAIN) {
            perform(state.failed(), engine)
        }
    }

    // MARK: - What others have to say

    /// Others had their turn.
    func goOn(_ engine: isolated AutofillEngine) { perform(state.turnCame(), engine) }

    /// Goes on, unless the engine still takes nothing from it.
    ///
    /// - Returns: whether that is over.
    func goOnWithEngine(_ engine: isolated AutofillEngine) -> Bool {
        guard state.pauses.contains(.engine) else { return true }
        guard !engine.takesNothing(from: holdings.session) else { return false }
        perform(state.engineTakes(), engine)
        return true
    }

    func turnLeft(_ engine: isolated AutofillEngine) { perform(state.turnLeft(), engine) }

    func refuseSilence(_ engine: isolated AutofillEngine) {
        guard !engine.hasGreeted(holdings.session) else { return }
        perform(state.greetingTimeIsOver(), engine)
    }

    func stop(_ engine: isolated AutofillEngine) { perform(state.serviceStops(), engine) }

    func lookForSilence(_ engine: isolated AutofillEngine) {
        perform(state.lookedForSilence(hasInput: af_has_input(holdings.descriptor)), engine)
    }

    /// Closes without the answers.
    func abort(_ engine: isolated AutofillEngine) { perform(state.failed(), engine) }
}

extension UnsafeRawBufferPointer {
    /// Whether a line has nothing but white space; such a line is passed over.
    fileprivate var isBlank: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}
