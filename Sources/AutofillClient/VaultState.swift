// SPDX-License-Identifier: Apache-2.0

/// Whether there is a vault, and whether it is open.
public enum VaultState: Hashable, Sendable {
    /// There is none yet.
    case missing
    /// It is closed: what needs it waits for the person, or is refused.
    case locked
    /// It is open.
    case unlocked
    /// It cannot be opened, for this reason.
    case unusable(AutofillReason.Code)

    /// - Parameter word: as it stands on the wire.
    init(_ word: String) {
        self =
            switch word {
            case "missing": .missing
            case "locked": .locked
            case "unlocked": .unlocked
            default: .unusable(AutofillReason.Code(rawValue: word))
            }
    }
}
