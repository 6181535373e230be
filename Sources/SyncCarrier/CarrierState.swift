// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// What one round did.
package struct RoundOutcome: Hashable, Sendable {
    package var problem: RoundProblem?
    /// Files that this machine wants to have in the folder and that are not there.
    package var waiting = 0
    /// Whether files were brought to the spool or removed from it.
    package var hasChanged = false

    package init(problem: RoundProblem? = nil, waiting: Int = 0, hasChanged: Bool = false) {
        self.problem = problem
        self.waiting = waiting
        self.hasChanged = hasChanged
    }
}

/// `in/state.json`, by which the daemon is notified.
package struct CarrierState: Hashable, Sendable {
    package let round: Int
    /// Milliseconds since 1970.
    package let checked: Int
    package let outcome: RoundOutcome

    package var line: [UInt8] {
        CarrierReport(
            round: round, checked: checked, problem: outcome.problem?.code, detail: outcome.problem?.detail,
            waiting: outcome.waiting
        ).line
    }
}

/// Writes the state after the rounds that changed something.
package struct StateRecorder: Sendable {
    private let spool: SpoolDirectory
    private var round = 0
    private var last: RoundOutcome?

    package init(_ spool: SpoolDirectory) { self.spool = spool }

    /// - Returns: whether the outcome is another than that of the round before.
    package mutating func record(_ outcome: RoundOutcome, at now: Int64) -> Bool {
        round += 1
        let isOther = last.map { ($0.problem, $0.waiting) != (outcome.problem, outcome.waiting) } ?? true
        guard isOther || outcome.hasChanged || !spool.hasState else { return false }
        // Where it cannot be written now, it is written after the next round.
        let isWritten = spool.write(CarrierState(round: round, checked: Int(now), outcome: outcome))
        last = isWritten ? outcome : nil
        return isOther
    }
}
