// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import PeerIdentity
internal import Reasons

/// Keeps one app from flooding the journal: the same event at most once a second, and at most `burst` lines at once and
/// `perSecond` in the long run, for each bundle ID that is claimed and for each program that claims any.
struct JournalGate {
    static let burst = 30
    static let perSecond = 3
    static let accounts = 256

    /// What makes two events the same.
    struct Event: Hashable {
        let method: Method
        let reason: Reason?
        let domain: String?
    }

    private enum Holder: Hashable {
        case app(String)
        /// What the kernel says: a program that claims a thousand bundle IDs is still one.
        case program(String)
    }

    private struct Account {
        var tokens = JournalGate.burst
        var refilled: Timestamp
        var leftOut = 0
        var last: [Event: Timestamp] = [:]

        mutating func refill(at now: Timestamp) {
            let elapsed = now.milliseconds - refilled.milliseconds
            let refill = Int(elapsed) * JournalGate.perSecond / 1000
            if refill > 0 || elapsed < 0 {
                tokens = min(JournalGate.burst, tokens + max(0, refill))
                refilled = now
            }
        }
    }

    private var accounts: [Holder: Account] = [:]

    /// Whether an event of `app`, claimed by `program`, may be written now, and how many of its events were left out
    /// before it; nil when it may not.
    mutating func admit(app: String, program: String, event: Event, at now: Timestamp) -> Int? {
        makeRoom(at: now)
        var claimed = accounts[.app(app)] ?? Account(refilled: now)
        var known = accounts[.program(program)] ?? Account(refilled: now)
        defer {
            accounts[.app(app)] = claimed
            accounts[.program(program)] = known
        }
        claimed.refill(at: now)
        known.refill(at: now)
        let isRepeated = claimed.last[event].map { now.milliseconds - $0.milliseconds < 1000 } ?? false
        guard !isRepeated, claimed.tokens > 0, known.tokens > 0 else {
            claimed.leftOut += 1
            return nil
        }
        claimed.tokens -= 1
        known.tokens -= 1
        if claimed.last.count >= 64 { claimed.last.removeAll() }
        claimed.last[event] = now
        defer { claimed.leftOut = 0 }
        return claimed.leftOut
    }

    /// Those that would start afresh anyway go first. A program that runs dry stays known as long as it can be.
    private mutating func makeRoom(at now: Timestamp) {
        guard accounts.count >= Self.accounts else { return }
        let full = Int64(Self.burst / Self.perSecond * 1000)
        accounts = accounts.filter { now.milliseconds - $0.value.refilled.milliseconds < full }
        if accounts.count < Self.accounts { return }
        accounts = accounts.filter { if case .program = $0.key { true } else { false } }
        if accounts.count >= Self.accounts { accounts.removeAll() }
    }
}

extension PeerEvidence {
    /// The program as the kernel tells it, whatever bundle ID it claims.
    var journalAccount: String {
        switch executable {
        case .file(let file): "\(file.identity.device):\(file.identity.inode)"
        case .unreadable: "process \(process)"
        }
    }
}
