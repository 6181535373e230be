// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

/// What one round did.
package struct RoundOutcome: Hashable, Sendable {
    package var problem: RoundProblem?
    /// Files that this machine wants to have in the folder and that are not there.
    package var waiting = 0
    /// Whether files were brought to the spool or removed from it.
    package var hasChanged = false
    /// Files of this machine that the location had lost, and that were written there again.
    package var restored: RestoredFiles?

    package init(
        problem: RoundProblem? = nil, waiting: Int = 0, hasChanged: Bool = false, restored: RestoredFiles? = nil
    ) {
        self.problem = problem
        self.waiting = waiting
        self.hasChanged = hasChanged
        self.restored = restored
    }
}

/// `in/state.json`, by which the daemon is notified.
package struct CarrierState: Hashable, Sendable {
    package let round: Int
    /// Milliseconds since 1970.
    package let checked: Int
    package let outcome: RoundOutcome
    /// The last time that files were written again, in whichever round.
    let restored: RestoredFiles?
    /// That of the order of the round.
    let token: String?

    package var line: [UInt8] {
        CarrierReport(
            round: round, checked: checked, problem: outcome.problem?.code, detail: outcome.problem?.detail,
            waiting: outcome.waiting, restored: restored, token: token
        ).line
    }
}

/// Writes the state after the rounds that changed something, and regularly: the daemon knows by it that this process runs.
package struct StateRecorder: Sendable {
    private let spool: SpoolDirectory
    private var round = 0
    /// What was written last, and when.
    private var last: (outcome: RoundOutcome, token: String?, time: Int64)?
    private var restored: RestoredFiles?

    /// A program that carries a folder back to an earlier state does so file by file: what is lost within this time is one loss.
    private static let lossMilliseconds = 3_600_000

    package init(_ spool: SpoolDirectory) {
        self.spool = spool
        restored = spool.readReport()?.restored
    }

    /// - Parameter token: that of the order.
    /// - Returns: whether the outcome is another than that of the round before.
    package mutating func record(_ outcome: RoundOutcome, at now: Int64, for token: String? = nil) -> Bool {
        round += 1
        let before = last?.outcome
        let isOther = before.map { ($0.problem, $0.waiting) != (outcome.problem, outcome.waiting) } ?? true
        if let new = outcome.restored { restored = restored?.followed(by: new, within: Self.lossMilliseconds) ?? new }
        let isNews = isOther || outcome.hasChanged || outcome.restored != nil || last?.token != token
        let isDue = last.map { (now - $0.time).magnitude >= CarrierReport.intervalMilliseconds } ?? true
        guard isNews || isDue || !spool.hasState else { return false }
        // Where it cannot be written now, it is written after the next round.
        let state = CarrierState(round: round, checked: Int(now), outcome: outcome, restored: restored, token: token)
        let isWritten = spool.write(state)
        last = isWritten ? (outcome, token, now) : nil
        return isOther
    }
}

extension RestoredFiles {
    /// Both as one loss, where the time between them is not longer than this; else the later one.
    fileprivate func followed(by later: RestoredFiles, within milliseconds: Int) -> RestoredFiles {
        guard (0...milliseconds).contains(later.time - time) else { return later }
        let (sum, overflow) = files.addingReportingOverflow(later.files)
        return RestoredFiles(files: overflow ? .max : sum, oldest: min(oldest, later.oldest), time: later.time)
    }
}
