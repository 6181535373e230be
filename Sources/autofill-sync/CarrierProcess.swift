// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop
internal import Glibc
internal import SyncCarrier

/// Makes a round when something has changed, and regularly, until carrier.json is removed. Rounds run on the loop's
/// thread: while a folder hangs, so does this process, and nothing else.
final class CarrierProcess {
    /// What is carried, and by what.
    private struct Active {
        let configuration: CarrierConfiguration
        var carrier: Carrier
        var confinement: Confinement
    }

    private let spool: SpoolDirectory
    private let readable: [String]
    private let loop: EventLoop
    private let log: CarrierLog
    private var active: Active?
    private var recorder: StateRecorder
    private let watches: DirectoryWatches
    private var timer: LoopTimer?

    private static let folderAfterChange = Duration.milliseconds(200)
    private static let gitAfterChange = Duration.seconds(5)
    private static let pause = Duration.seconds(60)
    private static let gitPause = Duration.seconds(300)
    private static let answerPause = Duration.seconds(10)

    /// - Parameter readable: what git and ssh may read of the home besides.
    init(_ spool: SpoolDirectory, readable: [String], on loop: EventLoop, _ log: CarrierLog) {
        (self.spool, self.readable, self.loop, self.log) = (spool, readable, loop, log)
        recorder = StateRecorder(spool)
        watches = DirectoryWatches(on: loop)
        timer = LoopTimer(on: loop) { [unowned self] in round() }
        watches.changed = { [unowned self] in schedule(afterChange) }
    }

    func start() {
        log.begin()
        timer?.schedule(after: .zero)
    }

    private var afterChange: Duration { isGit ? Self.gitAfterChange : Self.folderAfterChange }
    private var isGit: Bool { if case .git = active?.configuration.location { true } else { false } }

    /// Not later than it is due already.
    private func schedule(_ delay: Duration) {
        let due = loop.clocks.monotonic() + delay
        if let deadline = timer?.deadline, deadline <= due { return }
        timer?.schedule(at: due)
    }

    private func round() {
        watch()
        guard prepare() else { return }
        var isDueSoon = false
        if var active {
            // What changes during the round is noticed by the watches that were set before.
            watch()
            let now = loop.clocks.wall()
            let outcome = active.carrier.round(at: now)
            self.active = active
            let isOther = note(outcome, at: now)
            // What was pushed or changed between a reading and its end: a twin's branch, a directory before its watch.
            isDueSoon = isOther && outcome.problem?.code == .gitRejected
            isDueSoon = watch() || isDueSoon
        }
        if isDueSoon { schedule(afterChange) }
        let expectsAnswer = active?.carrier.expectsAnswer ?? false
        schedule(expectsAnswer ? Self.answerPause : isGit ? Self.gitPause : Self.pause)
    }

    /// - Returns: whether the outcome is another than that of the round before.
    @discardableResult
    private func note(_ outcome: RoundOutcome, at now: Int64) -> Bool {
        let isOther = recorder.record(outcome, at: now, for: active?.configuration.token)
        if isOther { log.report(outcome) }
        if let restored = outcome.restored { log.report(restored) }
        return isOther
    }

    /// - Returns: false where this process ends.
    private func prepare() -> Bool {
        switch spool.readConfiguration() {
        case .absent:
            loop.stop(exitCode: EX_OK)
            return false
        case .unusable(let problem):
            if active != nil {
                loop.stop(exitCode: EX_OK)
                return false
            }
            note(RoundOutcome(problem: problem), at: loop.clocks.wall())
            return true
        case .read(let configuration):
            guard configuration.location == active?.configuration.location ?? configuration.location else {
                // It is confined to the former location; systemd starts it again.
                loop.stop(exitCode: EX_OK)
                return false
            }
            if configuration != active?.configuration {
                active = Active(
                    configuration: configuration, carrier: Carrier(configuration, spool: spool),
                    confinement: active?.confinement
                        ?? Confinement(to: configuration.location, spool: spool, readable: readable))
            }
            return confine()
        }
    }

    private func confine() -> Bool {
        switch active?.confinement.enter() {
        case .ready, nil: return true
        case .full(let text):
            note(RoundOutcome(problem: RoundProblem(.gitFailed, text)), at: loop.clocks.wall())
            active = nil
            return true
        case .restart: loop.stop(exitCode: EX_OK)
        case .failed(let text):
            log.fail(text)
            loop.stop(exitCode: EX_OSERR)
        }
        return false
    }

    /// - Returns: whether a directory is watched that was not watched before.
    @discardableResult
    private func watch() -> Bool {
        var paths = [spool.path, spool.outgoing, spool.received]
        if let own = active?.configuration.own {
            paths += ["\(spool.outgoing)/\(own.group)", "\(spool.outgoing)/\(own.group)/\(own.device)"]
        }
        return watches.set(paths + (active?.carrier.watched ?? []))
    }
}
