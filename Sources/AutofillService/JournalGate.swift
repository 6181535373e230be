// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import Reasons

/// Keeps one app from flooding the journal: the same event at most once a second, and at most
/// `burst` lines at once and `perSecond` in the long run for each app.
struct JournalGate {
    static let burst = 30
    static let perSecond = 3
    static let apps = 256

    /// What makes two events the same.
    struct Event: Hashable {
        let method: Method
        let reason: Reason?
        let domain: String?
    }

    private struct Account {
        var tokens = JournalGate.burst
        var refilled: Timestamp
        var leftOut = 0
        var last: [Event: Timestamp] = [:]
    }

    private var accounts: [String: Account] = [:]

    /// Whether an event of `app` may be written now, and how many were left out before it; nil when it may not.
    mutating func admit(app: String, event: Event, at now: Timestamp) -> Int? {
        if accounts[app] == nil, accounts.count >= Self.apps { accounts.removeAll() }
        var account = accounts[app] ?? Account(refilled: now)
        defer { accounts[app] = account }
        let elapsed = now.milliseconds - account.refilled.milliseconds
        let refill = Int(elapsed) * Self.perSecond / 1000
        if refill > 0 || elapsed < 0 {
            account.tokens = min(Self.burst, account.tokens + max(0, refill))
            account.refilled = now
        }
        if let last = account.last[event], now.milliseconds - last.milliseconds < 1000 || account.tokens == 0 {
            account.leftOut += 1
            return nil
        }
        guard account.tokens > 0 else {
            account.leftOut += 1
            return nil
        }
        account.tokens -= 1
        if account.last.count >= 64 { account.last.removeAll() }
        account.last[event] = now
        defer { account.leftOut = 0 }
        return account.leftOut
    }
}
