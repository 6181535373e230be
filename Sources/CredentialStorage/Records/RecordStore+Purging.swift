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
        let own = try purgeTime(at: now)
        try keep(purgeTime: own, at: now)
        let (present, limit) = (deletionTime(at: now), limits.recoverableMilliseconds)
        let horizon = own.advanced(byMilliseconds: -limit)
        return try write { transaction throws(VaultError) in
            let lastImport = try ImportJournal.head(transaction.records)
            if let lastImport, !ImportJournal.isRecent(lastImport.made, at: now) {
                try ImportJournal.remove(&transaction)
            }
            var (credentials, offers) = try Self.recoverable(transaction.records)
            if own >= PurgeClock.earliest {
                let times = PurgeClock.earliest...own.advanced(byMilliseconds: limit)
                try Self.beginAgain(&credentials, \.deleted, outside: times, at: present, &transaction)
                try Self.beginAgain(&offers, \.settled, outside: times, at: present, &transaction)
            }
            let old = credentials.filter { $0.deleted.map { $0 <= horizon } ?? false }
            let deleted = try SyncReader(records: transaction.records).purgeable(old, at: own)
            for credential in deleted { try transaction.remove(credential) }
            let settled = offers.filter { $0.settled.map { $0 <= horizon } ?? false }
            for offer in settled { try transaction.remove(offer) }
            return deleted.count + settled.count
        }
    }

    /// The time of the clock for removal for good.
    func purgeTime(at now: Timestamp) throws(VaultError) -> Timestamp {
        var clock = purgeClock ?? PurgeClock(opened: now, replacements: file.replacements)
        if clock.lag == nil {
            var kept = try keptPurgeTime()
            if let wrong = kept?.time, wrong < PurgeClock.earliest, clock.opened >= PurgeClock.earliest {
                (kept, clock.wrong) = (nil, wrong)
            }
            clock.newest = kept?.time
            var last = kept?.time
            if last == nil { last = try newestDeletion() }
            if last == nil { last = try newestRelease() }
            clock.set(by: last ?? clock.opened, kept: kept?.changed)
        }
        let time = clock.time(at: now)
        clock.newest = max(clock.newest ?? time, time)
        purgeClock = clock
        return time
    }

    /// The time that a deletion is recorded with, one of a merge, too: that of the clock it is removed by. What is deleted while the
    /// system clock is far behind is not removed at the first removal under the right one. While the clock is behind it may advance by a
    /// day with each start: then it is that of the steady clock, as far as one that is years ahead does not keep it for more than twice
    /// its time.
    ///
    /// To be called before a transaction: it may read other records.
    ///
    /// - Parameter now: of the steady clock.
    func deletionTime(at now: Timestamp) -> Timestamp {
        // What cannot be read is no reason to delete nothing.
        if purgeClock?.lag == nil { _ = try? purgeTime(at: now) }
        guard let clock = purgeClock, clock.lag != nil else { return now }
        let time = clock.time(at: now)
        let latest = time.advanced(byMilliseconds: limits.recoverableMilliseconds)
        return max(time, min(now, latest), clock.newest ?? time)
    }

    /// Keeps the time of the clock, where it has moved on. An earlier one is never kept: from there it would advance by a day with each
    /// start.
    func keep(purgeTime time: Timestamp, at now: Timestamp) throws(VaultError) {
        if let kept = try keptPurgeTime(), time < kept.time.advanced(byMilliseconds: PurgeClock.written),
            purgeClock?.mustRenew(kept.changed, at: now) != true
        {
            return
        }
        try StoredSettingWriter(self).set(PurgeClock.setting, to: BinaryWriter.encode { $0.put(time) }, at: now)
    }

    /// Its last time, and when that was kept.
    private func keptPurgeTime() throws(VaultError) -> (time: Timestamp, changed: Timestamp)? {
        let setting = try read { records throws(VaultError) -> StoredSetting? in
            try records.fetch(StoredSetting.blindIndex(name: PurgeClock.setting, key: records.key))
        }
        guard let setting else { return nil }
        return setting.value.withUnsafeBytes { bytes in
            var reader = BinaryReader(bytes)
            let time = reader.time()
            return reader.isAtEnd ? (time, setting.changed) : nil
        }
    }

    /// When a record was last deleted or settled, of those that are still there.
    private func newestDeletion() throws(VaultError) -> Timestamp? {
        try read { records throws(VaultError) in
            let (credentials, offers) = try Self.recoverable(records)
            return Self.latest(credentials.compactMap(\.deleted) + offers.compactMap(\.settled))
        }
    }

    private func newestRelease() throws(VaultError) -> Timestamp? {
        let newest = try read { records throws(VaultError) in try records.timeOfRelease(fromTheEnd: true) }
        return newest.flatMap { Self.latest([$0]) }
    }

    /// The latest of times, without those of a clock that was wrong.
    private static func latest(_ times: [Timestamp]) -> Timestamp? {
        times.max().flatMap { $0 < PurgeClock.earliest ? nil : $0 }
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

    /// What was deleted or settled under a clock that was wrong can be restored for its time from now on.
    private static func beginAgain<Record: VaultRecord>(
        _ ended: inout [Record], _ end: WritableKeyPath<Record, Timestamp?>, outside times: ClosedRange<Timestamp>,
        at time: Timestamp, _ transaction: inout RecordTransaction
    ) throws(VaultError) {
        for index in ended.indices {
            let old = ended[index]
            guard let wrong = old[keyPath: end], !times.contains(wrong) else { continue }
            ended[index][keyPath: end] = time
            try transaction.replace(old, with: ended[index])
        }
    }
}
