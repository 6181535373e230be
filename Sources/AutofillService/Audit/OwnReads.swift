// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials

/// What apps are given of their own, for the record: the same to the same program once in a while, and of one program so many
/// at most. An app that reads its own data repeatedly displaces no entry of others from the record.
struct OwnReads {
    struct Read: Hashable {
        /// The program against which it counts.
        let quotaKey: String
        let method: Method
        let service: Service
        let object: ObjectID?
    }

    private struct Usage {
        var began: Int64
        var count: Int
    }

    /// When each was last put on record, in milliseconds of the steady clock.
    private var last = RecentValues<Read, Int64>(limit: Limits.rememberedOwnReads)
    private var usages = RecentValues<String, Usage>(limit: Limits.rememberedReaders)

    /// Whether it goes on record now.
    mutating func admit(_ read: Read, at now: Int64) -> Bool {
        let span = Int64(Limits.ownReleaseMilliseconds)
        if let before = last[read], now - before < span { return false }
        var usage = usages[read.quotaKey] ?? Usage(began: now, count: 0)
        if now - usage.began >= span { usage = Usage(began: now, count: 0) }
        guard usage.count < Limits.ownReleasesPerApp else { return false }
        usage.count += 1
        usages[read.quotaKey] = usage
        last[read] = now
        return true
    }

    /// It did not go on record after all.
    mutating func revert(_ read: Read) {
        last[read] = nil
        usages[read.quotaKey]?.count -= 1
    }
}
