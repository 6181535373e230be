// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// The clock for removal for good: a system clock that was set forward must not remove what can still be restored.
///
/// It begins at the newest deletion in the vault, else at the newest entry of the release log, is kept in the vault, and continues
/// with the steady clock of each process. Each start of a process may advance it by a day, for the time in which no process ran. So
/// it is never ahead, unless a wrong clock stays through many starts. Where it is behind, removal happens some days later.
struct PurgeClock {
    static let setting = "purge clock"
    static let stepAtStart: Int64 = 86_400_000
    /// How far it advances before it is written again, in milliseconds.
    static let written: Int64 = 6 * 3_600_000

    /// When this process first had the vault open.
    let opened: Timestamp
    /// How far it is behind the steady clock of this process, in milliseconds; nil before the first removal.
    var lag: Int64?
    /// The latest time that it is known to have had; nil before the first removal.
    var newest: Timestamp?

    init(opened: Timestamp) { self.opened = opened }

    /// Its time.
    func time(at now: Timestamp) -> Timestamp { now.advanced(byMilliseconds: -(lag ?? 0)) }

    /// Sets it by its last time.
    mutating func set(by last: Timestamp) {
        let most = last.advanced(byMilliseconds: Self.stepAtStart)
        let (lag, isTooFar) = opened.milliseconds.subtractingReportingOverflow(most.milliseconds)
        self.lag = isTooFar ? 0 : max(0, lag)
    }
}
