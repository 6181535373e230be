// SPDX-License-Identifier: Apache-2.0

/// How much of the vault was opened since it was unlocked. The bytes of the records are nearly all of the cost.
struct OpenedRecords {
    /// Each record counts for `VaultLimits.recordCost` more than its length.
    private(set) var bytes = 0
    /// The value of `bytes` when the current turn of the event loop began.
    private(set) var turn: Int?
    /// Whether lists end with that turn's bytes.
    private(set) var endsPages = false

    mutating func note(_ length: Int) { bytes += length + VaultLimits.recordCost }

    mutating func beginTurn(endsPages: Bool) { (turn, self.endsPages) = (bytes, endsPages) }

    mutating func endTurn() { turn = nil }
}
