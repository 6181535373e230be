// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import VaultFormat

/// Where a guess at a secret of the vault comes from. Each origin has delays of its own, so that wrong guesses of apps do not delay
/// the user who types the right secret.
package enum GuessOrigin: Hashable, Sendable {
    /// A request.
    case request
    /// A terminal, as the program there states.
    case terminal
    /// The daemon's own prompt.
    case prompt
}

/// How long each slot accepts no secret after wrong ones. Kept over restarts as a count of failures, not as a time.
struct SlotDelays {
    /// When the vault was opened: the delay of earlier failures begins here.
    let openedAt: Timestamp?
    /// Before then an attempt at the slot is refused.
    private var ends: [Guess: Timestamp] = [:]
    /// How many consecutive ones there were at a terminal, and at the prompt, since the start.
    private var failures: [Guess: UInt8] = [:]

    private struct Guess: Hashable {
        let slot: Slot.ID
        let origin: GuessOrigin
    }

    init(openedAt: Timestamp?) { self.openedAt = openedAt }

    /// How long the slot accepts no secret, in milliseconds. A wait that is longer than any delay results from a clock that was set
    /// back: it is ignored.
    func wait(for row: SlotRow, from origin: GuessOrigin, at now: Timestamp) -> Int64 {
        let failures = origin == .prompt ? 0 : row.failureCount ?? 0
        let restart = failures == 0 ? nil : openedAt?.advanced(byMilliseconds: SlotRow.delay(after: failures))
        guard let end = ends[Guess(slot: row.id, origin: origin)] ?? restart else { return 0 }
        let (wait, isTooLong) = end.milliseconds.subtractingReportingOverflow(now.milliseconds)
        return isTooLong || wait > SlotRow.longestDelay ? 0 : max(wait, 0)
    }

    /// Records another wrong secret; `all` is the count with it.
    ///
    /// - Returns: for how many milliseconds the slot accepts no secret from there.
    mutating func begin(_ slot: Slot.ID, from origin: GuessOrigin, after all: UInt8, at now: Timestamp) -> Int64 {
        let guess = Guess(slot: slot, origin: origin)
        let own = min(failures[guess] ?? 0, .max - 1) + 1
        if origin != .request { failures[guess] = own }
        let delay = SlotRow.delay(after: origin == .request ? all : own)
        ends[guess] = now.advanced(byMilliseconds: delay)
        return delay
    }

    /// Ends the delay after the right secret, whatever count of failures is kept.
    mutating func end(_ slot: Slot.ID) {
        forget(slot)
        ends[Guess(slot: slot, origin: .request)] = Timestamp(milliseconds: .min)
    }

    /// The slot was removed, or has another secret.
    mutating func forget(_ slot: Slot.ID) {
        ends = ends.filter { $0.key.slot != slot }
        failures = failures.filter { $0.key.slot != slot }
    }

    /// All slots were replaced.
    mutating func forgetAll() { (ends, failures) = ([:], [:]) }
}
