// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Whether the person may be asked to allow a release.
public enum UserInteraction: Hashable, Sendable {
    /// The service may ask, and the call waits for the answer.
    case allowed
    /// The call fails at once with ``AutofillReason/Code/interactionRequired`` where the person would be asked.
    case forbidden

    var wire: Interaction { self == .allowed ? .allow : .forbid }
}

/// How a strong password looks.
public enum PasswordStyle: String, Hashable, Sendable, CaseIterable {
    /// Groups of letters that can be read out and typed.
    case readable
    /// Any characters that the rules allow.
    case random
}
