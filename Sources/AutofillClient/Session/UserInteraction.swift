// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Whether the user may be prompted.
public enum UserInteraction: Hashable, Sendable {
    /// The service may show a prompt, and the call waits for the answer.
    case allowed
    /// The call fails at once with ``AutofillReason/Code/interactionRequired`` if a prompt is required.
    case forbidden

    var wire: Interaction { self == .allowed ? .allow : .forbid }
}

/// The style of a strong password.
public enum PasswordStyle: String, Hashable, Sendable, CaseIterable {
    /// Groups of letters that can be read out and typed.
    case readable
    /// Any characters that the rules allow.
    case random
}
