// SPDX-License-Identifier: Apache-2.0

/// What happens to the session or the machine, as the login manager reports it.
package enum SessionSignal: Hashable, Sendable {
    case locked, unlocked
    case fallsAsleep, wokeUp
}

/// Why the vault was locked, or is kept locked.
struct LockState {
    /// Whether the key file opens it again: it was locked with the session, before sleep, or by work that has dropped the keys.
    var mayReopen = false
    /// Why it is to be locked when its lease to another thread ends.
    var pending: ServiceEvent.LockCause?
    /// The request that caused it.
    var pendingRequest: RequestContext?
    /// What keeps it locked by the settings: the locked session, sleep.
    var holds: Set<ServiceEvent.LockCause> = []
    /// When the vault was last needed, in milliseconds of the steady clock.
    var lastUse: Int64
    /// Whether the stack may still have keys of the vault, which was locked in this turn.
    var hasResidue = false
    /// Whether nobody has used it since what was read of its file was let go.
    var isRested = true
}

extension ServiceEvent.LockCause {
    var text: String {
        switch self {
        case .request: "on request"
        case .idle: "nobody used it"
        case .session: "the session was locked"
        case .sleep: "the machine falls asleep"
        }
    }
}
