// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// How long each slot takes no secret after wrong ones. Kept over restarts as a count of failures, not as a time.
struct SlotDelays {
    /// When the vault was opened: from here on the delay of earlier failures counts.
    let openedAt: Timestamp?
    /// Before then an attempt at the slot is refused.
    private var ends: [Slot.ID: Timestamp] = [:]

    init(openedAt: Timestamp?) { self.openedAt = openedAt }

    /// How long the slot takes no secret, in milliseconds. A wait that is longer than any delay comes of a clock that was set
    /// back: it counts for nothing.
    func wait(for row: SlotRow, at now: Timestamp) -> Int64 {
        let failures = row.failureCount ?? 0
        let restart = failures == 0 ? nil : openedAt?.advanced(byMilliseconds: SlotRow.delay(after: failures))
        guard let end = ends[row.id] ?? restart else { return 0 }
        let (wait, isTooLong) = end.milliseconds.subtractingReportingOverflow(now.milliseconds)
        return isTooLong || wait > SlotRow.longestDelay ? 0 : max(wait, 0)
    }

    /// Another wrong secret, the last of so many.
    mutating func begin(_ slot: Slot.ID, after failures: UInt8, at now: Timestamp) {
        ends[slot] = now.advanced(byMilliseconds: SlotRow.delay(after: failures))
    }

    /// The right secret: what failures have cost is over, whatever count of them is kept.
    mutating func end(_ slot: Slot.ID) { ends[slot] = Timestamp(milliseconds: .min) }

    /// The slot is gone, or has another secret.
    mutating func forget(_ slot: Slot.ID) { ends[slot] = nil }

    /// All slots are others now.
    mutating func forgetAll() { ends = [:] }
}
