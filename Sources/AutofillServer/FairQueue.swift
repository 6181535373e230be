// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop

/// Which program is answered next: of those with requests the one that used least of the loop's time, for one slice
/// (start-time fair queueing). So all programs with requests get the same time, a program with few requests waits for
/// the rest of one slice at most, and the loop is never idle while only programs with requests are connected.
///
/// A request cannot be interrupted: a save takes as long as a hundred slices, and on a busy machine the kernel preempts
/// a daemon that never sleeps. So the loop does stay idle for a program that has used its credit, in one case: another
/// program was answered some milliseconds ago and is about to send its next request, as an app does that sends one
/// request after the other. That program must find the loop free more often than not. A program that is connected and
/// sends nothing costs a busy one nothing: while no program is awaited, slices are long.
final class FairQueue {
    static let burst = Duration.microseconds(Limits.loopBurstMicroseconds)
    private static let slice = Duration.microseconds(Limits.turnMicroseconds)
    private static let loneSlice = Duration.microseconds(Limits.loneTurnMicroseconds)

    private var programs: [Admission.Program: ProgramUse] = [:]
    /// The programs with connections that wait.
    private var ready: [ProgramUse] = []
    /// The programs that have used their credit, until their rest ends.
    private var resting: [ProgramUse] = []
    private var sources = Sources()
    /// The number of the loop's turn; those in which one program alone is connected are not counted.
    private var turn = 0
    /// The virtual time: what a program that always had requests has used.
    private var served = Duration.zero
    /// How many programs are connected and were not answered yet: they are about to send a request.
    private var newcomers = 0
    /// The programs that were answered last, each once, the latest at the end.
    private var recent: [ProgramUse] = []

    private struct Sources {
        var afterSockets: TurnSource?
        /// Ends the rests.
        var wakeUp: LoopTimer?
    }

    /// - Parameter goOn: continues a connection.
    func start(on loop: EventLoop, goOn: @escaping (Connection) -> Void) {
        sources.afterSockets = TurnSource(on: loop, at: .afterSockets) { [unowned self] in
            continueReady(loop.clocks, goOn)
        }
        sources.wakeUp = LoopTimer(on: loop, slack: .zero) { [unowned self] in
            endRests()
            sources.afterSockets?.arm()
        }
    }

    func stop() {
        sources = Sources()
        ready = []
        resting = []
        programs = [:]
        recent = []
    }

    /// Counts a new connection of a program.
    func enter(_ program: Admission.Program) -> ProgramUse {
        let use = programs[program] ?? ProgramUse()
        if programs.updateValue(use, forKey: program) == nil { newcomers += 1 }
        use.connections += 1
        return use
    }

    func leave(_ program: Admission.Program) {
        guard let use = programs[program] else { return }
        use.connections -= 1
        guard use.connections == 0 else { return }
        programs[program] = nil
        noteAnswered(use)
    }

    private func noteAnswered(_ program: ProgramUse) {
        guard program.isNew else { return }
        program.isNew = false
        newcomers -= 1
    }

    /// How long a program is answered before the sockets and the other programs are: longer while no other waits or is
    /// awaited.
    func slice(of program: ProgramUse, at now: Instant) -> Duration {
        guard programs.count > 1 else { return Self.loneSlice }
        let others = newcomers - (program.isNew ? 1 : 0)
        let isAlone = others == 0 && ready.allSatisfy { $0 === program }
        return isAlone && awaited(besides: program, at: now) == nil ? Self.loneSlice : Self.slice
    }

    /// Whether a connection of a program is read now; else it waits until other programs were answered.
    func admits(_ program: ProgramUse, at now: @autoclosure () -> Instant) -> Bool {
        guard program.waiting.isEmpty else { return false }
        guard programs.count > 1 else { return true }
        // `continueReady`, which counts the turn, runs after the sockets.
        sources.afterSockets?.arm()
        let now = now()
        if program.last.spent >= slice(of: program, at: now) {
            if program.last.turn == turn { return false }
            // Programs that are ready now precede the one that was answered in the turn before.
            if program.last.turn == turn - 1, awaited(besides: program, at: now) != nil { return false }
        }
        // A program that used less waits.
        if let least, max(program.served, served) >= least.served + Self.slice { return false }
        return endOfRest(of: program, at: now) == nil
    }

    /// Records how long a connection of the program was answered.
    func note(_ spent: Duration, of program: ProgramUse, at now: Instant) {
        noteAnswered(program)
        let before = programs.count > 1 && program.last.turn == turn ? program.last.spent : .zero
        program.last = ProgramUse.LastAnswers(
            turn: turn, spent: before + spent, awaitedUntil: now + .milliseconds(Limits.awaitedMilliseconds))
        program.served = max(program.served, served) + spent
        if ready.isEmpty { served = program.served }
        noteRecent(program)
        guard programs.count > 1, awaited(besides: program, at: now) != nil else { return }
        program.credit.refill(at: now)
        program.credit.spend(spent)
    }

    /// Continues a connection after other programs were answered.
    func append(_ connection: Connection) {
        let program = connection.holdings.use
        if program.waiting.isEmpty {
            program.served = max(program.served, served)
            ready.append(program)
            // Its request has arrived: no program needs to rest for it.
            endRests()
        }
        program.waiting.append(connection)
        sources.afterSockets?.arm()
    }

    /// Continues the next connection: one at a time, so that a client with few requests never waits for more than one slice
    /// of clients with many. More connections that already wait continue while no other program is awaited. Called once in a
    /// turn of the loop, after the sockets.
    private func continueReady(_ clocks: Clocks, _ goOn: (Connection) -> Void) {
        let begin = clocks.monotonic()
        var left = ready.reduce(0) { $0 + $1.waiting.count }
        var connection = next(at: begin)
        while let current = connection {
            goOn(current)
            left -= 1
            let now = clocks.monotonic()
            let isOver = left <= 0 || now - begin >= slice(of: current.holdings.use, at: now)
            connection = isOver ? nil : another(at: now)
        }
        if !ready.isEmpty { sources.afterSockets?.arm() }
    }

    /// The next connection, of the program that used least. Called once in a turn of the loop.
    func next(at now: Instant) -> Connection? {
        turn += 1
        return another(at: now)
    }

    /// One more connection in the same turn of the loop.
    private func another(at now: Instant) -> Connection? {
        while let program = least {
            ready.removeAll { $0 === program }
            if let end = endOfRest(of: program, at: now) {
                resting.append(program)
                if sources.wakeUp?.deadline.map({ end < $0 }) ?? true { sources.wakeUp?.schedule(at: end) }
                continue
            }
            served = max(served, program.served)
            let next = program.waiting.popFirst()
            if !program.waiting.isEmpty { ready.append(program) }
            return next
        }
        return nil
    }

    /// The ready program that used least; of several the first.
    private var least: ProgramUse? { ready.min { $0.served < $1.served } }

    private func endRests() {
        ready += resting
        resting.removeAll()
    }

    private func noteRecent(_ program: ProgramUse) {
        guard recent.last !== program else { return }
        recent.removeAll { $0 === program }
        if recent.count == Limits.awaitedPrograms { recent.removeFirst() }
        recent.append(program)
    }

    /// Until when another program is awaited that was answered lately and has no request now; nil where none is.
    private func awaited(besides program: ProgramUse, at now: Instant) -> Instant? {
        recent.lazy.filter { $0 !== program }.compactMap(\.awaitedUntil).filter { $0 > now }.max()
    }

    /// When the rest of a program ends that has used its credit, or no other program is awaited any more; nil where it
    /// need not rest.
    private func endOfRest(of program: ProgramUse, at now: Instant) -> Instant? {
        guard program.credit.left < .zero else { return nil }
        program.credit.refill(at: now)
        guard program.credit.left < .zero, let end = awaited(besides: program, at: now) else { return nil }
        // At least one slice: shorter rests cost more than they gain.
        return min(end, now + max(Self.slice, .zero - program.credit.left * Limits.loopQuota))
    }
}
