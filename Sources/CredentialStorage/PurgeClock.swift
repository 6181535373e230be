// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory

/// What the removal for good goes by: a clock that was set forward must not end what can still be got back.
///
/// It begins at the newest deletion that the vault knows of, else at the newest entry of the record of releases, is kept in the vault, and goes on with the steady clock of each
/// process. With each start of a process it may catch up a day, for the time in which none ran. So it is never ahead, unless
/// a wrong clock stays through many starts, and what is behind it is removed some days later.
struct PurgeClock {
    static let setting = "purge clock"
    static let stepAtStart: Int64 = 86_400_000
    /// How far it moves on before it is written again, in milliseconds.
    static let written: Int64 = 6 * 3_600_000

    /// When this process first had the vault open.
    let opened: Timestamp
    /// How far it is behind the steady clock of this process, in milliseconds; nil before the first removal.
    var lag: Int64?
    /// When it was last asked which entries of the record of releases are too old.
    var releasesJudged: Timestamp?

    init(opened: Timestamp) { self.opened = opened }

    /// What it shows.
    func time(at now: Timestamp) -> Timestamp { now.advanced(byMilliseconds: -(lag ?? 0)) }

    /// Sets it by what it showed last.
    mutating func set(by last: Timestamp) {
        let most = last.advanced(byMilliseconds: Self.stepAtStart)
        let (lag, isTooFar) = opened.milliseconds.subtractingReportingOverflow(most.milliseconds)
        self.lag = isTooFar ? 0 : max(0, lag)
    }
}

extension Vault {
    /// The time by which is removed for good now.
    func purgeTime(at now: Timestamp) throws(VaultError) -> Timestamp {
        var clock = hold.purgeClock ?? PurgeClock(opened: now)
        if clock.lag == nil {
            var last = try lastPurgeTime()
            if last == nil { last = try newestDeletion() }
            if last == nil { last = try newestRelease() }
            clock.set(by: last ?? clock.opened)
        }
        hold.purgeClock = clock
        return clock.time(at: now)
    }

    /// Keeps what the clock shows, where it has moved on.
    func keep(purgeTime time: Timestamp, at now: Timestamp) throws(VaultError) {
        if let last = try lastPurgeTime(), (0..<PurgeClock.written).contains(time.milliseconds - last.milliseconds) {
            return
        }
        try set(PurgeClock.setting, to: BinaryWriter.encode { $0.put(time) }, at: now)
    }

    private func lastPurgeTime() throws(VaultError) -> Timestamp? {
        guard let value = try setting(PurgeClock.setting) else { return nil }
        return value.withUnsafeBytes { bytes in
            var reader = BinaryReader(bytes)
            let time = reader.time()
            return reader.isAtEnd ? time : nil
        }
    }

    /// When a record was last deleted or settled, of those that are still there.
    private func newestDeletion() throws(VaultError) -> Timestamp? {
        try read { parts, statements throws(VaultError) in
            let key = parts.keys.index
            let credentials = try fetchAll(
                in: Credential.deletedScope(key: key), parts, statements, as: Credential.self)
            let offers = try fetchAll(in: Offer.settledScope(key: key), parts, statements, as: Offer.self)
            return (credentials.compactMap(\.deleted) + offers.compactMap(\.settled)).max()
        }
    }
}
