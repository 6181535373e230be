// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CAutofillLinux
internal import EventLoop
internal import Glibc

/// One client's socket: performs the actions of `ConnectionState`. An idle one has no buffers.
final class Connection {
    /// What the connection holds outside of itself; `ConnectionTable` releases it.
    struct Holdings {
        let descriptor: Int32
        let token: DescriptorToken
        let session: SessionID
        /// The program that it counts for in the admission.
        let program: Admission.Program
        /// The same for the loop's time.
        let queued: Admission.Program
        /// The number of the process that called connect().
        let connector: Int32
        /// What its program uses of the loop.
        let use: ProgramUse
    }

    let holdings: Holdings
    private unowned let table: ConnectionTable
    private var input = InputBuffer()
    private var output = OutputBuffer()
    private(set) var state = ConnectionState()
    /// The events that its socket is watched for.
    private var watched = IOEvents.readable
    /// The descriptor that arrived with a line up to `hello`, until the engine receives it, and whether it has received one.
    private var passed: (descriptor: PassedDescriptor?, isReceived: Bool) = (nil, false)

    /// - Parameter early: how many bytes may have arrived before the peer was inspected.
    init(_ holdings: Holdings, early: Int, in table: ConnectionTable) {
        self.holdings = holdings
        self.table = table
        input.noteEarly(early)
    }

    /// Bytes that are stored of its input and its output.
    var keptBytes: Int { input.capacity + output.count }

    private func perform(_ actions: ConnectionState.Actions, _ engine: isolated AutofillEngine) {
        guard !actions.isEmpty else { return watch() }
        let session = holdings.session
        if actions.contains(.close) { return table.remove(self, engine) }
        if actions.contains(.notifyReading) { engine.setReading(true, session) }
        if actions.contains(.notifyNotReading) { engine.setReading(false, session) }
        if actions.contains(.refuseSilence) { engine.reject(ProtocolProblem(.helloRequired), session) }
        if actions.contains(.refuseWaiting) { refuseWaiting(engine) }
        if actions.contains(.awaitSlice) { table.deferred.queue.append(self) }
        // While `hello` is answered it continues with that answer.
        if actions.contains(.awaitEngine), engine.hasGreeted(session) { table.deferred.goOnWithEngine(self) }
        if actions.contains(.awaitTurnEnd) { table.deferred.awaitEnd(self) }
        if actions.contains(.awaitDescriptors) {
            table.passed.awaitFewer { [weak self] in self?.descriptorsMayArrive(engine) }
        }
        if actions.contains(.read) { read(engine) }
        if actions.contains(.answer) { answer(engine) }
        watch()
    }

    /// Watches its socket for the events that it waits for now.
    private func watch() {
        let interest = state.interest
        guard watched != interest else { return }
        watched = interest
        table.watch(holdings.token, for: interest)
    }

    // MARK: - In

    /// Handles the events of the socket.
    func ready(_ events: IOEvents, _ engine: isolated AutofillEngine) {
        let isClosed = events.contains(.failed) || events.contains(.hungUp)
        // What nobody can receive any more is dropped.
        if isClosed || events.contains(.writable) { flush(engine) }
        guard isClosed || events.contains(.readable), state.stage != .closed else { return }
        // The end of the input costs nothing; the last lines wait for their slices as others do.
        let isAtEnd = isClosed && input.isEmpty && !af_has_input(holdings.descriptor)
        let isAdmitted =
            isAtEnd || table.deferred.queue.admits(holdings.use, at: engine.loop.clocks.monotonic())
        if isClosed {
            perform(state.hungUp(isAdmitted: isAdmitted), engine)
        } else {
            perform(isAdmitted ? state.inputIsReady() : state.inputMustWait(), engine)
        }
    }

    private func read(_ engine: isolated AutofillEngine) {
        let table = table
        let space = input.space(from: table.spares)
        var sender: Int32 = 0
        let began = engine.loop.clocks.monotonic()
        var passes = false
        let count = table.passed.receive(from: holdings.descriptor, into: space, &sender, engine) { passed in
            passes = true
            take(passed, engine)
        }
        // Hundreds of descriptors cost as much as some requests; to find that they have to wait costs something too.
        if passes || count == -Int(EBUSY) {
            let now = engine.loop.clocks.monotonic()
            table.deferred.queue.note(now - began, of: holdings.use, at: now)
        }
        if count > 0 { append(count, from: sender, engine) }
        let actions: ConnectionState.Actions =
            switch count {
            case 1...: state.bytesArrived()
            case 0: state.inputEnded()
            case -Int(EAGAIN): []
            case -Int(EBUSY): state.descriptorsMustWait()
            default: state.failed()
            }
        if !actions.contains(.answer) { input.settle(table.spares) }
        perform(actions, engine)
    }

    /// The sender must be the process that connected: another process with the descriptor was not inspected.
    private func append(_ count: Int, from sender: Int32, _ engine: isolated AutofillEngine) {
        input.append(count)
        if sender == 0 {
            input.noteUnknownSender()
        } else if sender != holdings.connector {
            engine.noteOtherSender(holdings.session)
        }
    }

    /// One descriptor may arrive with a line up to `hello`; others, and those of later lines, are closed.
    private func take(_ descriptors: [Int32], _ engine: isolated AutofillEngine) {
        let all = table.passed
        guard let first = descriptors.first, state.stage == .greeting, passed.descriptor == nil, all.areAccepted else {
            return all.close(descriptors, engine)
        }
        passed.descriptor = PassedDescriptor(number: first) { all.close($0, engine) }
        all.close(Array(descriptors.dropFirst()), engine)
    }

    /// Answers the lines that were received, for one slice.
    private func answer(_ engine: isolated AutofillEngine) {
        let table = table
        var slice = AnswerSlice(of: holdings.use, in: table.deferred.queue, engine)
        while state.mayAnswer, let line = input.next() {
            let isBusy = answer(line, engine)
            noteGreeting(engine)
            if isBusy {
                perform(state.engineIsBusy(), engine)
            } else if !input.isEmpty, slice.isOver(engine) {
                perform(state.sliceIsOver(), engine)
            }
        }
        if state.inputHasEnded, state.mayAnswer, !input.isEmpty { _ = answer(.whole(input.rest), engine) }
        input.settle(table.spares)
        let (now, spent) = slice.spent(engine)
        table.deferred.queue.note(spent, of: holdings.use, at: now)
        // The answers of one turn to all connections are limited like those to one.
        if engine.outgoingBytes >= Limits.unreadAnswerBytes { engine.loop.endTurnSoon() }
        noteAnswered(engine)
    }

    /// Answers one line.
    ///
    /// - Returns: whether the engine accepts nothing more for now.
    private func answer(_ line: InputBuffer.Line, _ engine: isolated AutofillEngine) -> Bool {
        guard case .whole(let bytes) = line else {
            engine.reject(ProtocolProblem(.lineTooLong), holdings.session)
            return false
        }
        defer { input.drop(bytes) }
        guard !bytes.isBlank else { return false }
        let descriptor = passed.descriptor
        if descriptor != nil { passed = (nil, isReceived: true) }
        return engine.receive(bytes, from: holdings.session, descriptor: descriptor, isEarly: input.isEarly)
    }

    private func noteGreeting(_ engine: isolated AutofillEngine) {
        guard state.stage == .greeting, engine.hasGreeted(holdings.session) else { return }
        state.greeted()
        passed.descriptor = nil
    }

    private func noteAnswered(_ engine: isolated AutofillEngine) {
        guard !state.ends.isEmpty else { return }
        let hasWaiting = engine.hasWaiting(holdings.session)
        perform(state.answered(hasUnread: !input.isEmpty, hasWaiting: hasWaiting), engine)
    }

    private func refuseWaiting(_ engine: isolated AutofillEngine) {
        engine.stopWaiting(holdings.session)
        // What is done already is answered in this turn or the next.
        guard !engine.hasWaiting(holdings.session) else { return }
        perform(state.answered(hasUnread: !input.isEmpty, hasWaiting: false), engine)
    }

    // MARK: - Out

    /// Sends what the socket accepts at once, without a copy; the rest waits for space. Answers that no process can
    /// receive any more are dropped; the requests of the client are still performed. Another failure shows when the
    /// rest is sent.
    func send(_ answers: UnsafeRawBufferPointer) {
        var sent = 0
        if output.count == 0 {
            let result = af_send_now(holdings.descriptor, answers.baseAddress, answers.count)
            if Self.hasNoReader(result) { return }
            sent = max(0, result)
        }
        output.append(UnsafeRawBufferPointer(rebasing: answers[sent...]))
    }

    private static func hasNoReader(_ result: Int) -> Bool { result == -Int(EPIPE) || result == -Int(ECONNRESET) }

    /// The answers of this turn are in the socket, or wait for space.
    func answersLeft(_ engine: isolated AutofillEngine) {
        noteGreeting(engine)
        perform(state.outputChanged(pending: output.count), engine)
        if state.pauses.contains(.engine), !engine.acceptsNothing(from: holdings.session) {
            perform(state.engineIsReady(), engine)
        }
        noteAnswered(engine)
    }

    private func flush(_ engine: isolated AutofillEngine) {
        let bytes = output.bytes
        guard !bytes.isEmpty else { return }
        let sent = af_send_now(holdings.descriptor, bytes.baseAddress, bytes.count)
        if sent > 0 || Self.hasNoReader(sent) {
            output.drop(sent > 0 ? sent : bytes.count)
            table.deferred.noteDeparture()
            perform(state.outputChanged(pending: output.count), engine)
        } else if sent != -Int(EAGAIN) {
            perform(state.failed(), engine)
        }
    }

    // MARK: - Events

    /// Other programs were answered.
    func goOn(_ engine: isolated AutofillEngine) { perform(state.sliceBegins(), engine) }

    /// Continues, unless the engine still accepts nothing from it.
    ///
    /// - Returns: whether the pause is over.
    func goOnWithEngine(_ engine: isolated AutofillEngine) -> Bool {
        guard state.pauses.contains(.engine) else { return true }
        guard !engine.acceptsNothing(from: holdings.session) else { return false }
        perform(state.engineIsReady(), engine)
        return true
    }

    /// Fewer descriptors wait to be closed, or closing them was given up.
    private func descriptorsMayArrive(_ engine: isolated AutofillEngine) {
        guard state.stage != .closed else { return }
        perform(state.descriptorsMayArrive(), engine)
    }

    func turnHasEnded(_ engine: isolated AutofillEngine) { perform(state.turnHasEnded(), engine) }

    /// The time for a complete `hello` is over. That of a delegate, which is under way, is answered first: the program that it acts
    /// for may have to be read, and that has a limit of its own. What others pass may keep a delegate's from being received, and the
    /// deadlines of closing end that.
    ///
    /// - Returns: whether it gets the same time again.
    func refuseSilence(_ engine: isolated AutofillEngine) -> Bool {
        guard !engine.hasGreeted(holdings.session) else { return false }
        if state.pauses.contains(.descriptors) { return true }
        if passed.isReceived, engine.hasWaiting(holdings.session) { return true }
        perform(state.greetingTimeIsOver(), engine)
        return false
    }

    func stop(_ engine: isolated AutofillEngine) { perform(state.serviceStops(), engine) }

    func checkSilence(_ engine: isolated AutofillEngine) {
        perform(state.silenceWasChecked(hasInput: af_has_input(holdings.descriptor)), engine)
    }

    /// Closes without the answers.
    func abort(_ engine: isolated AutofillEngine) { perform(state.failed(), engine) }
}

extension UnsafeRawBufferPointer {
    /// Whether a line is only white space; such a line is ignored.
    fileprivate var isBlank: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}
