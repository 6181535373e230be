// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// Where a guess at a secret of the vault came from. Each place has delays of its own, so that wrong guesses of apps keep nobody
/// waiting who types the right one where only a person does.
package enum GuessPlace: Hashable, Sendable {
    /// A request.
    case request
    /// A terminal, by the word of the program there.
    case terminal
    /// The daemon's own prompt.
    case prompt
}

/// How long each slot takes no secret after wrong ones. Kept over restarts as a count of failures, not as a time.
struct SlotDelays {
    /// When the vault was opened: from here on the delay of earlier failures counts.
    let openedAt: Timestamp?
    /// Before then an attempt at the slot is refused.
    private var ends: [Guess: Timestamp] = [:]
    /// How many there were in a row at a terminal, and at the prompt, since the start.
    private var failures: [Guess: UInt8] = [:]

    private struct Guess: Hashable {
        let slot: Slot.ID
        let place: GuessPlace
    }

    init(openedAt: Timestamp?) { self.openedAt = openedAt }

    /// How long the slot takes no secret, in milliseconds. A wait that is longer than any delay comes of a clock that was set
    /// back: it counts for nothing.
    func wait(for row: SlotRow, from place: GuessPlace, at now: Timestamp) -> Int64 {
        let failures = place == .prompt ? 0 : row.failureCount ?? 0
        let restart = failures == 0 ? nil : openedAt?.advanced(byMilliseconds: SlotRow.delay(after: failures))
        guard let end = ends[Guess(slot: row.id, place: place)] ?? restart else { return 0 }
        let (wait, isTooLong) = end.milliseconds.subtractingReportingOverflow(now.milliseconds)
        return isTooLong || wait > SlotRow.longestDelay ? 0 : max(wait, 0)
    }

    /// Another wrong secret, the last of so many.
    ///
    /// - Returns: for how many milliseconds the slot takes none from there.
    mutating func begin(_ slot: Slot.ID, from place: GuessPlace, after all: UInt8, at now: Timestamp) -> Int64 {
        let guess = Guess(slot: slot, place: place)
        let own = min(failures[guess] ?? 0, .max - 1) + 1
        if place != .request { failures[guess] = own }
        let delay = SlotRow.delay(after: place == .request ? all : own)
        ends[guess] = now.advanced(byMilliseconds: delay)
        return delay
    }

    /// The right secret: what failures have cost is over, whatever count of them is kept.
    mutating func end(_ slot: Slot.ID) {
        forget(slot)
        ends[Guess(slot: slot, place: .request)] = Timestamp(milliseconds: .min)
    }

    /// The slot is gone, or has another secret.
    mutating func forget(_ slot: Slot.ID) {
        ends = ends.filter { $0.key.slot != slot }
        failures = failures.filter { $0.key.slot != slot }
    }

    /// All slots are others now.
    mutating func forgetAll() { (ends, failures) = ([:], [:]) }
}
