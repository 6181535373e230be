// SPDX-License-Identifier: Apache-2.0

/// What happens to the session or the machine, as the login manager reports it.
package enum SessionSignal: Hashable, Sendable {
    case locked, unlocked
    case fallsAsleep, wokeUp
}

/// Why the vault was locked, or is kept shut.
struct LockState {
    /// Why it was locked, while it is.
    var cause: ServiceEvent.LockCause?
    /// Why it is to be locked when another thread gives it back.
    var pending: ServiceEvent.LockCause?
    /// Who asked for that.
    var pendingRequest: RequestContext?
    /// What keeps it shut by the settings: the locked session, sleep.
    var holds: Set<ServiceEvent.LockCause> = []
    /// When something was last asked for that needs the vault, in milliseconds of the steady clock.
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
