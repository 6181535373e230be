// SPDX-License-Identifier: Apache-2.0

/// Why a statement is not added to those of a group.
package enum StatementRefusal: Error, Hashable, Sendable {
    case otherGroup
    /// No valid statement admits its signer.
    case signerUnknown
    case signatureInvalid
    /// Its signer was removed, and no present member passes it on.
    case signerRemoved
    /// A group is founded once; the recovery key only removes.
    case notItsToState
    /// Anybody could open what is sealed to the keys that it admits.
    case keysUnusable
    /// Its signer does not have the epoch's key.
    case keyUnproven
    case tooMany
}
