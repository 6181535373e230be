// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// The clock for removal for good: a system clock that was set forward must not remove what can still be restored.
///
/// It begins at the newest deletion in the vault, else at the newest entry of the release log, is kept in the vault, and continues
/// with the steady clock of each process. Each start of a process may advance it by a day, for the time in which no process ran. So
/// it is never ahead, unless a wrong clock stays through many starts. Where it is behind, removal happens some days later. Where a former
/// version has kept a time before any vault, it begins again.
///
/// Where the system clock is behind its last time by more than a day, one of the two was wrong: it continues from its own, with each start
/// by the time since that was kept, a day at most. Deletions are recorded by it, those of a merge, too, so that they are removed in time
/// whichever it was.
struct PurgeClock {
    static let setting = "purge clock"
    static let stepAtStart: Int64 = 86_400_000
    /// How far it advances before it is written again, in milliseconds.
    static let written: Int64 = 6 * 3_600_000
    /// No vault is older: 1 January 2026. A time before it was that of a system clock that was wrong.
    static let earliest = Timestamp(milliseconds: 1_767_225_600_000)

    /// When this process first had the vault's file open.
    let opened: Timestamp
    /// How often the file of the vault had been replaced then: each has a clock of its own.
    let replacements: Int
    /// How far it is behind the steady clock of this process, in milliseconds, negative where it is ahead; nil before the first
    /// deletion or removal.
    var lag: Int64?
    /// The latest time that it is known to have had; nil before the first deletion or removal.
    var newest: Timestamp?
    /// The time before any vault that was kept of it, until that was reported.
    var wrong: Timestamp?

    init(opened: Timestamp, replacements: Int) { (self.opened, self.replacements) = (opened, replacements) }

    /// Its time.
    func time(at now: Timestamp) -> Timestamp { now.advanced(byMilliseconds: -(lag ?? 0)) }

    /// Sets it by its last time.
    ///
    /// - Parameter kept: when that was kept, by the system clock; nil where it is that of a record.
    mutating func set(by last: Timestamp, kept: Timestamp?) {
        let (distance, isTooFar) = opened.milliseconds.subtractingReportingOverflow(last.milliseconds)
        switch distance {
        case _ where isTooFar: lag = 0
        case (Self.stepAtStart + 1)...: lag = distance - Self.stepAtStart
        case ..<(-Self.stepAtStart):
            guard let kept else { return lag = 0 }
            let (past, isFar) = opened.milliseconds.subtractingReportingOverflow(kept.milliseconds)
            lag = distance - (isFar ? 0 : min(max(past, 0), Self.stepAtStart))
        default: lag = 0
        }
    }

    /// Whether a time that was kept is to be kept again: once in each process while it is ahead, as the next start counts from then on.
    func mustRenew(_ kept: Timestamp, at now: Timestamp) -> Bool {
        (lag ?? 0) < 0 && (kept < opened || kept > now)
    }
}
