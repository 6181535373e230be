// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import PeerIdentity
internal import Reasons

/// Keeps an app from flooding the journal: the same event at most once a second, and no more lines at once and in the long
/// run than its own share, that of the program as the kernel tells it, whatever names it gives itself, and that of all
/// together.
struct JournalGate {
    static let burst = 30
    static let perSecond = 3
    static let burstOfAll = 300
    static let perSecondOfAll = 30
    static let apps = 256

    /// What makes two events the same.
    struct Event: Hashable {
        let method: Method
        let reason: Reason?
        let domain: String?
    }

    /// A share that is used up line by line and comes back with time.
    private struct Share {
        let burst: Int
        let perSecond: Int
        private var left: Int
        private var refilled: Timestamp

        init(burst: Int, perSecond: Int, at now: Timestamp) {
            self.burst = burst
            self.perSecond = perSecond
            left = burst
            refilled = now
        }

        mutating func take(at now: Timestamp) -> Bool {
            let elapsed = now.milliseconds - refilled.milliseconds
            let refill = Int(elapsed) * perSecond / 1000
            if refill > 0 || elapsed < 0 {
                left = min(burst, left + max(0, refill))
                refilled = now
            }
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }

    private struct Account {
        var share: Share
        var leftOut = 0
        var last: [Event: Timestamp] = [:]

        init(at now: Timestamp) { share = Share(burst: burst, perSecond: perSecond, at: now) }

        mutating func admit(
            _ event: Event, at now: Timestamp, of program: inout Share, _ all: inout Share
        ) -> Int? {
            if let last = last[event], now.milliseconds - last.milliseconds < 1000 {
                leftOut += 1
                return nil
            }
            guard share.take(at: now), program.take(at: now), all.take(at: now) else {
                leftOut += 1
                return nil
            }
            if last.count >= 64 { last.removeAll() }
            last[event] = now
            defer { leftOut = 0 }
            return leftOut
        }
    }

    private var all: Share
    private var accounts: [String: Account] = [:]
    private var programs: [String: Share] = [:]

    init(at now: Timestamp) { all = Share(burst: Self.burstOfAll, perSecond: Self.perSecondOfAll, at: now) }

    /// Whether an event of `app` may be written now, and how many of the app's were left out before it; nil when it may not.
    mutating func admit(app: String, program: String, event: Event, at now: Timestamp) -> Int? {
        if accounts.count >= Self.apps, accounts[app] == nil { accounts.removeAll() }
        if programs.count >= Self.apps, programs[program] == nil { programs.removeAll() }
        return accounts[app, default: Account(at: now)].admit(
            event, at: now,
            of: &programs[program, default: Share(burst: Self.burst, perSecond: Self.perSecond, at: now)], &all)
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
