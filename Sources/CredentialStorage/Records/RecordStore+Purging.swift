// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory
internal import VaultFormat

/// Removal for good of what was deleted or settled.
extension RecordStore {
    /// Settles the offers that have expired, and removes for good what was deleted or settled longer ago than it can be restored.
    ///
    /// - Returns: how many records were removed.
    func purge(at now: Timestamp) throws(VaultError) -> Int {
        let offers = StoredOfferWriter(self)
        try offers.expireAll(at: now)
        try offers.dropSettled()
        let time = try purgeTime(at: now)
        try keep(purgeTime: time, at: now)
        let horizon = time.advanced(byMilliseconds: -limits.recoverableMilliseconds)
        return try write { transaction throws(VaultError) in
            let lastImport = try ImportJournal.head(transaction.records)
            if let lastImport, !ImportJournal.isRecent(lastImport.made, at: now) {
                try ImportJournal.remove(&transaction)
            }
            let (credentials, offers) = try Self.recoverable(transaction.records)
            let old = credentials.filter { $0.deleted.map { $0 <= horizon } ?? false }
            let deleted = try SyncReader(records: transaction.records).purgeable(old, at: time)
            for credential in deleted { try transaction.remove(credential) }
            let settled = offers.filter { $0.settled.map { $0 <= horizon } ?? false }
            for offer in settled { try transaction.remove(offer) }
            return deleted.count + settled.count
        }
    }

    /// The time of the clock for removal for good.
    func purgeTime(at now: Timestamp) throws(VaultError) -> Timestamp {
        var clock = purgeClock ?? PurgeClock(opened: now)
        if clock.lag == nil {
            var last = try lastPurgeTime()
            clock.newest = last
            if last == nil { last = try newestDeletion() }
            if last == nil { last = try newestRelease() }
            clock.set(by: last ?? clock.opened)
        }
        let time = clock.time(at: now)
        clock.newest = max(clock.newest ?? time, time)
        purgeClock = clock
        return time
    }

    /// The time that a deletion is recorded with. What is deleted while the system clock is far behind is not removed at the first
    /// removal under the right one.
    func deletionTime(at now: Timestamp) -> Timestamp { max(now, purgeClock?.newest ?? now) }

    /// Keeps the time of the clock, where it has moved on. An earlier one, of a system clock that is behind, is never kept: from there
    /// it would advance by a day with each start.
    func keep(purgeTime time: Timestamp, at now: Timestamp) throws(VaultError) {
        if let last = try lastPurgeTime(), time < last.advanced(byMilliseconds: PurgeClock.written) { return }
        try StoredSettingWriter(self).set(PurgeClock.setting, to: BinaryWriter.encode { $0.put(time) }, at: now)
    }

    private func lastPurgeTime() throws(VaultError) -> Timestamp? {
        guard let value = try StoredSettingReader(self).get(PurgeClock.setting) else { return nil }
        return value.withUnsafeBytes { bytes in
            var reader = BinaryReader(bytes)
            let time = reader.time()
            return reader.isAtEnd ? time : nil
        }
    }

    /// When a record was last deleted or settled, of those that are still there.
    private func newestDeletion() throws(VaultError) -> Timestamp? {
        try read { records throws(VaultError) in
            let (credentials, offers) = try Self.recoverable(records)
            return (credentials.compactMap(\.deleted) + offers.compactMap(\.settled)).max()
        }
    }

    private func newestRelease() throws(VaultError) -> Timestamp? {
        try read { records throws(VaultError) in try records.timeOfRelease(fromTheEnd: true) }
    }

    /// The deleted credentials and the settled offers.
    private static func recoverable(
        _ records: RecordView
    ) throws(VaultError) -> (credentials: [Credential], offers: [Offer]) {
        let key = records.key
        return (
            try records.fetchAll(in: Credential.deletedScope(key: key)),
            try records.fetchAll(in: Offer.settledScope(key: key))
        )
    }
}
