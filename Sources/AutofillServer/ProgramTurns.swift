// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop

/// The connections of one program have their turns together.
final class ProgramTurns {
    fileprivate var connections = 0
    /// Those that wait until others had theirs.
    fileprivate var waiting = Queue<Connection>()
    /// Whether none of them was answered yet.
    fileprivate var isNew = true
    /// How long they were answered in the last turn of the loop in which they were, and until when.
    fileprivate var last: (turn: Int, spent: Duration, end: Instant?) = (-2, .zero, nil)
    /// How long they were answered in all, as far as it counts: who had nothing to ask has saved up nothing.
    fileprivate var served = Duration.zero
    /// How much longer they may be answered while others are awaited; below zero they rest.
    fileprivate var credit = (left: ProgramQueue.burst, asOf: Instant?.none)

    /// What it has at an instant: it comes back with time.
    fileprivate func refill(at now: Instant) {
        let since = credit.asOf.map { now - $0 } ?? .zero
        credit = (min(ProgramQueue.burst, credit.left + since / Limits.loopShare), now)
    }

    /// Until when its next request is awaited after the last one; nil where one is there, or it has gone.
    fileprivate var awaitedUntil: Instant? {
        connections > 0 && waiting.isEmpty ? last.end.map { $0 + .milliseconds(Limits.awaitedMilliseconds) } : nil
    }
}

/// Whose turn it is among the programs that have connections: of those that have something to ask the one that had the least of
/// the loop's time, for as long as one connection has in its turn. So all that ask have as much, whoever asks little waits for the
/// rest of one turn, and the loop never stands still while only those who have something to ask are there (start-time fair
/// queueing).
///
/// One request cannot be cut short, a save takes a hundred turns, and on a busy machine the kernel lets a daemon wait that never
/// sleeps. So the loop does stand still for a program that has had its share, in one case: somebody else was answered some
/// milliseconds ago and is about to ask again, as an app does that asks one thing after the other. It has to find the loop free
/// more often than not. An app that is connected and asks nothing costs the busy one nothing: nobody is looked for after each
/// turn while nobody is awaited.
final class ProgramQueue {
    static let burst = Duration.microseconds(Limits.loopBurstMicroseconds)
    private static let turn = Duration.microseconds(Limits.turnMicroseconds)
    private static let loneTurn = Duration.microseconds(Limits.loneTurnMicroseconds)

    private var programs: [Admission.Program: ProgramTurns] = [:]
    private var goingOn: [ProgramTurns] = []
    /// Those that have used up their share, and the end of their rest.
    private var resting: [ProgramTurns] = []
    private var wakeUp: LoopTimer?
    /// The number of the loop's turn.
    private var number = 0
    /// How much of the loop's time those have had who had something to ask all the time.
    private var served = Duration.zero
    /// How many are there and were not answered yet: they are about to ask.
    private var newcomers = 0
    /// Who was answered lately, each once, the last one last.
    private var recent: [ProgramTurns] = []

    /// - Parameter goOn: called when somebody has rested.
    func start(on loop: EventLoop, goOn: @escaping () -> Void) {
        wakeUp = LoopTimer(on: loop, slack: .zero) { [unowned self] in
            endRests()
            goOn()
        }
    }

    func stop() {
        wakeUp = nil
        goingOn = []
        resting = []
        programs = [:]
        recent = []
    }

    /// A connection of a program is there.
    func enter(_ program: Admission.Program) -> ProgramTurns {
        let turns = programs[program] ?? ProgramTurns()
        if programs.updateValue(turns, forKey: program) == nil { newcomers += 1 }
        turns.connections += 1
        return turns
    }

    func leave(_ program: Admission.Program) {
        guard let turns = programs[program] else { return }
        turns.connections -= 1
        guard turns.connections == 0 else { return }
        programs[program] = nil
        noteKnown(turns)
    }

    private func noteKnown(_ program: ProgramTurns) {
        guard program.isNew else { return }
        program.isNew = false
        newcomers -= 1
    }

    /// How long a program is answered before others have their turn, or it is looked whether they have come: longer while nobody
    /// else waits or is awaited.
    func turn(of program: ProgramTurns, at now: Instant) -> Duration {
        guard programs.count > 1 else { return Self.loneTurn }
        let others = newcomers - (program.isNew ? 1 : 0)
        let isAlone = others == 0 && goingOn.allSatisfy { $0 === program }
        return isAlone && awaited(besides: program, at: now) == nil ? Self.loneTurn : Self.turn
    }

    /// Whether a connection of a program is read now; else it waits until others had their turn.
    func admits(_ program: ProgramTurns, at now: Instant) -> Bool {
        guard program.waiting.isEmpty else { return false }
        guard programs.count > 1 else { return true }
        if program.last.spent >= turn(of: program, at: now) {
            if program.last.turn == number { return false }
            // Who had the turn before stands behind those who are ready now.
            if program.last.turn == number - 1, awaited(besides: program, at: now) != nil { return false }
        }
        // Others wait who had less.
        if let least, max(program.served, served) >= least.served + Self.turn { return false }
        return endOfRest(of: program, at: now) == nil
    }

    /// A connection of the program was answered for so long.
    func note(_ spent: Duration, of program: ProgramTurns, at now: Instant) {
        noteKnown(program)
        let before = program.last.turn == number ? program.last.spent : .zero
        program.last = (number, before + spent, now)
        program.served = max(program.served, served) + spent
        if goingOn.isEmpty { served = program.served }
        noteRecent(program)
        guard awaited(besides: program, at: now) != nil else { return }
        program.refill(at: now)
        program.credit.left = max(.zero - Self.burst, program.credit.left - spent)
    }

    func append(_ connection: Connection) {
        let program = connection.holdings.turns
        if program.waiting.isEmpty {
            program.served = max(program.served, served)
            goingOn.append(program)
            // It has something to ask: nobody need rest for what it may ask next.
            endRests()
        }
        program.waiting.append(connection)
    }

    /// The next one, of the program that had the least. To be called once in a turn of the loop.
    func next(at now: Instant) -> Connection? {
        number += 1
        return another(at: now)
    }

    /// One more in the same turn of the loop.
    func another(at now: Instant) -> Connection? {
        while let program = least {
            goingOn.removeAll { $0 === program }
            if let end = endOfRest(of: program, at: now) {
                resting.append(program)
                if wakeUp?.deadline.map({ end < $0 }) ?? true { wakeUp?.schedule(at: end) }
                continue
            }
            served = max(served, program.served)
            let next = program.waiting.popFirst()
            if !program.waiting.isEmpty { goingOn.append(program) }
            return next
        }
        return nil
    }

    var isEmpty: Bool { goingOn.isEmpty }

    /// How many connections wait.
    var count: Int { goingOn.reduce(0) { $0 + $1.waiting.count } }

    /// Who had the least of those that wait; of several the first.
    private var least: ProgramTurns? { goingOn.min { $0.served < $1.served } }

    private func endRests() {
        for program in resting { goingOn.append(program) }
        resting.removeAll()
    }

    private func noteRecent(_ program: ProgramTurns) {
        guard recent.last !== program else { return }
        recent.removeAll { $0 === program }
        if recent.count == Limits.awaitedPrograms { recent.removeFirst() }
        recent.append(program)
    }

    /// Until when another program is awaited that was answered lately and has nothing to ask now; nil where none is.
    private func awaited(besides program: ProgramTurns, at now: Instant) -> Instant? {
        var latest: Instant?
        for other in recent where other !== program {
            guard let end = other.awaitedUntil, now < end, latest.map({ $0 < end }) ?? true else { continue }
            latest = end
        }
        return latest
    }

    /// When a program has rested that has used up its share, or nobody is awaited any more; nil where it need not rest.
    private func endOfRest(of program: ProgramTurns, at now: Instant) -> Instant? {
        guard program.credit.left < .zero else { return nil }
        program.refill(at: now)
        guard program.credit.left < .zero, let end = awaited(besides: program, at: now) else { return nil }
        // A turn at least: shorter rests cost more than they give.
        return min(end, now + max(Self.turn, .zero - program.credit.left * Limits.loopShare))
    }
}
