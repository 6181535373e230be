// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Reasons

/// Keeps an app from flooding the journal or the record: the same event at most once a second, and no more lines at once
/// and in the long run than its own quota, that of the program as the kernel reports it, whatever names it gives itself, and
/// that of all together.
struct LogRateLimiter {
    /// How many at once, and in how many milliseconds one more: for an app, and for all.
    struct Bounds {
        var burst: Int
        var interval: Int64
        var burstOfAll: Int
        var intervalOfAll: Int64

        /// Lines of the journal.
        static let journal = Bounds(
            burst: Limits.journalLinesPerApp, interval: Int64(Limits.journalMillisecondsPerApp),
            burstOfAll: Limits.journalLines, intervalOfAll: Int64(Limits.journalMilliseconds))
        /// Refusals in the record of releases.
        static let record = Bounds(
            burst: Limits.recordedRefusalsPerApp, interval: Int64(Limits.recordedRefusalMilliseconds),
            burstOfAll: Limits.recordedRefusals, intervalOfAll: Int64(Limits.recordedRefusalMilliseconds))
    }

    /// What makes two events the same.
    struct Event: Hashable {
        private let method: Method
        private let reason: Reason?
        /// A hash of it: names of sites do not stay here.
        private let domain: Int?

        init(method: Method, reason: Reason?, domain: String?) {
            (self.method, self.reason, self.domain) = (method, reason, domain?.hashValue)
        }
    }

    /// A token bucket.
    private struct TokenBucket {
        let burst: Int
        let interval: Int64
        private var left: Int
        /// In milliseconds of the steady clock, as all times here.
        private var refilled: Int64

        init(burst: Int, interval: Int64, at now: Int64) {
            self.burst = burst
            self.interval = interval
            left = burst
            refilled = now
        }

        mutating func take(at now: Int64) -> Bool {
            let refill = (now - refilled) / interval
            if refill > 0 {
                left = Int(min(Int64(burst), Int64(left) + refill))
                refilled += refill * interval
            }
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }

    private struct AppLines {
        var bucket: TokenBucket
        var leftOut = 0
        var last = RecentValues<Event, Int64>(limit: Limits.rememberedLines)

        init(_ bounds: Bounds, at now: Int64) {
            bucket = TokenBucket(burst: bounds.burst, interval: bounds.interval, at: now)
        }

        /// Whether the same event was admitted within the last second.
        mutating func isRepeated(_ event: Event, at now: Int64) -> Bool { last[event].map { now - $0 < 1000 } ?? false }

        mutating func admit(
            _ event: Event, at now: Int64, of program: inout TokenBucket, _ all: inout TokenBucket
        ) -> Int? {
            guard bucket.take(at: now), program.take(at: now), all.take(at: now) else {
                leftOut += 1
                return nil
            }
            last[event] = now
            defer { leftOut = 0 }
            return leftOut
        }
    }

    private let bounds: Bounds
    private var all: TokenBucket
    private var apps = RecentValues<String, AppLines>(limit: Limits.rememberedApps)
    private var programs = RecentValues<String, TokenBucket>(limit: Limits.rememberedApps)

    init(_ bounds: Bounds, at now: Int64) {
        self.bounds = bounds
        all = TokenBucket(burst: bounds.burstOfAll, interval: bounds.intervalOfAll, at: now)
    }

    /// Whether an event of `app` may be written now, and how many of the app's were left out before it; nil when it may not.
    mutating func admit(app: String, program: String, event: Event, at now: Int64) -> Int? {
        apps.change(app, or: AppLines(bounds, at: now)) { lines in
            if lines.isRepeated(event, at: now) {
                lines.leftOut += 1
                return nil
            }
            return programs.change(program, or: TokenBucket(burst: bounds.burst, interval: bounds.interval, at: now)) {
                bucket in
                lines.admit(event, at: now, of: &bucket, &all)
            }
        }
    }
}
