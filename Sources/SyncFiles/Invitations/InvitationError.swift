// SPDX-License-Identifier: Apache-2.0

/// Why a machine is not invited, or not let in.
package enum InvitationError: Error, Equatable, Sendable {
    /// The code does not have its check sum.
    case codeMistyped
    case malformed
    case newerFormat(UInt8)
    /// It was made with another code, or changed.
    case otherCode
    /// What it contains is of another group than it states.
    case otherGroup
    /// Fifteen minutes are over.
    case expired
    /// Two machines answered: neither is let in.
    case twoAnswers
    /// A machine was let in, or the user refused.
    case used
    /// The answer's machine does not have the keys that it states.
    case keysUnproven
    case keysUnusable
    case keys
}
