// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// The clock for removal for good: a system clock that was set forward must not remove what can still be restored.
///
/// It begins at the newest deletion in the vault, else at the newest entry of the release log, is kept in the vault, and continues
/// with the steady clock of each process. Each start of a process may advance it by a day, for the time in which no process ran. So
/// it is never ahead, unless a wrong clock stays through many starts. Where it is behind, removal happens some days later. Where a former
/// version has kept a time before any vault, it begins again.
///
/// Where the system clock is behind its last time by more than a day, one of the two was wrong: it continues from its own. Deletions are
/// recorded by it, so that they are removed in time whichever it was.
struct PurgeClock {
    static let setting = "purge clock"
    static let stepAtStart: Int64 = 86_400_000
    /// How far it advances before it is written again, in milliseconds.
    static let written: Int64 = 6 * 3_600_000
    /// No vault is older: 1 January 2026. A time before it was that of a system clock that was wrong.
    static let earliest = Timestamp(milliseconds: 1_767_225_600_000)

    /// When this process first had the vault open.
    let opened: Timestamp
    /// How far it is behind the steady clock of this process, in milliseconds, negative where it is ahead; nil before the first
    /// deletion or removal.
    var lag: Int64?
    /// The latest time that it is known to have had; nil before the first deletion or removal.
    var newest: Timestamp?
    /// The time before any vault that was kept of it, until that was reported.
    var wrong: Timestamp?

    init(opened: Timestamp) { self.opened = opened }

    /// Its time.
    func time(at now: Timestamp) -> Timestamp { now.advanced(byMilliseconds: -(lag ?? 0)) }

    /// Sets it by its last time.
    ///
    /// - Parameter isKept: whether that was its own, and not that of a record.
    mutating func set(by last: Timestamp, isKept: Bool) {
        let (distance, isTooFar) = opened.milliseconds.subtractingReportingOverflow(last.milliseconds)
        switch distance {
        case _ where isTooFar: lag = 0
        case (Self.stepAtStart + 1)...: lag = distance - Self.stepAtStart
        case ..<(-Self.stepAtStart) where isKept: lag = distance
        default: lag = 0
        }
    }
}
