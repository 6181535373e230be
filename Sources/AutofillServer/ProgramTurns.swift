// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop

/// The connections of one program have their turns together.
final class ProgramTurns {
    fileprivate var connections = 0
    /// Those that wait until others had theirs.
    fileprivate var waiting = Queue<Connection>()
    /// How long they were answered in the last turn of the loop in which they were.
    fileprivate var last: (turn: Int, spent: Duration) = (-1, .zero)
    /// How much longer they may be answered before their share of the loop's time is used up; below zero they rest.
    fileprivate var credit = (left: ProgramQueue.burst, asOf: Instant?.none)

    /// What it has at an instant: it comes back with time.
    fileprivate func refill(at now: Instant) {
        let since = credit.asOf.map { now - $0 } ?? .zero
        credit = (min(ProgramQueue.burst, credit.left + since / Limits.loopShare), now)
    }
}

/// Whose turn it is among the programs that have connections: each has as long as one connection has, and while others are
/// served too no more than a share of the loop's time.
final class ProgramQueue {
    static let burst = Duration.microseconds(Limits.loopBurstMicroseconds)

    private var programs: [Admission.Program: ProgramTurns] = [:]
    private var goingOn = Queue<ProgramTurns>()
    /// Those that have used up their share, and the end of their rest.
    private var resting: [ProgramTurns] = []
    private var wakeUp: LoopTimer?
    /// The number of the loop's turn.
    private var number = 0
    /// Who was answered last, and until when it is not alone.
    private var answered: (last: ProgramTurns?, contendedUntil: Instant?) = (nil, nil)

    /// - Parameter goOn: called when somebody has rested.
    func start(on loop: EventLoop, goOn: @escaping () -> Void) {
        wakeUp = LoopTimer(on: loop, slack: .zero) { [unowned self] in
            for program in resting { goingOn.append(program) }
            resting = []
            goOn()
        }
    }

    func stop() {
        wakeUp = nil
        goingOn = Queue()
        resting = []
        programs = [:]
        answered.last = nil
    }

    /// A connection of a program is there.
    func enter(_ program: Admission.Program) -> ProgramTurns {
        let turns = programs[program] ?? ProgramTurns()
        programs[program] = turns
        turns.connections += 1
        return turns
    }

    func leave(_ program: Admission.Program) {
        guard let turns = programs[program] else { return }
        turns.connections -= 1
        if turns.connections == 0 { programs[program] = nil }
    }

    /// Whether a connection of a program is read now; else it waits until others had their turn.
    func admits(_ program: ProgramTurns, at now: Instant) -> Bool {
        guard program.waiting.isEmpty else { return false }
        guard isContended(at: now) else { return true }
        if program.last.turn == number, program.last.spent >= .microseconds(Limits.turnMicroseconds) { return false }
        return rest(of: program, at: now) == nil
    }

    /// A connection of the program was answered for so long.
    func note(_ spent: Duration, of program: ProgramTurns, at now: Instant) {
        program.last = (number, spent + (program.last.turn == number ? program.last.spent : .zero))
        program.refill(at: now)
        program.credit.left = max(.zero - Self.burst, program.credit.left - spent)
        if let last = answered.last, last !== program, last.connections > 0 {
            answered.contendedUntil = now + .milliseconds(Limits.contentionMilliseconds)
        }
        answered.last = program
    }

    func append(_ connection: Connection) {
        let program = connection.holdings.turns
        if program.waiting.isEmpty { goingOn.append(program) }
        program.waiting.append(connection)
    }

    /// The next one, of the programs in turn. To be called once in a turn of the loop.
    func next(at now: Instant) -> Connection? {
        number += 1
        while let program = goingOn.popFirst() {
            if let rest = rest(of: program, at: now) {
                resting.append(program)
                if wakeUp?.deadline == nil { wakeUp?.schedule(after: rest) }
                continue
            }
            let next = program.waiting.popFirst()
            if !program.waiting.isEmpty { goingOn.append(program) }
            return next
        }
        return nil
    }

    var isEmpty: Bool { goingOn.isEmpty }

    /// Whether more than one program is there, and was answered lately: one that is alone has all the time.
    private func isContended(at now: Instant) -> Bool {
        programs.count > 1 && answered.contendedUntil.map { now < $0 } ?? false
    }

    /// How long a program has to rest that has used up its share; nil where it has not, or nobody else is served.
    private func rest(of program: ProgramTurns, at now: Instant) -> Duration? {
        guard isContended(at: now) else { return nil }
        program.refill(at: now)
        return program.credit.left < .zero ? .zero - program.credit.left * Limits.loopShare : nil
    }
}
