// SPDX-License-Identifier: Apache-2.0

/// The state of the vault.
public enum VaultState: Hashable, Sendable {
    /// There is no vault yet.
    case missing
    /// It is locked: what needs it waits for the user, or is refused.
    case locked
    /// It is unlocked.
    case unlocked
    /// It cannot be opened, for this reason.
    case unusable(AutofillReason.Code)

    /// - Parameter name: the value on the wire.
    init(_ name: String) {
        self =
            switch name {
            case "missing": .missing
            case "locked": .locked
            case "unlocked": .unlocked
            default: .unusable(AutofillReason.Code(rawValue: name))
            }
    }
}
