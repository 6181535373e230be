// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Whether the user may be prompted.
public struct UserInteraction: Hashable, Sendable {
    /// The service may show a prompt, and the call waits for the answer.
    public static let allowed = Self(wire: .allow)
    /// The call fails at once with ``AutofillReason/Code/interactionRequired`` if a prompt is required.
    public static let forbidden = Self(wire: .forbid)

    /// The service may show a prompt, which belongs to this window.
    ///
    /// - Parameter parentWindow: the window as xdg-desktop-portal names windows, `x11:…` or `wayland:…`, at most 256 bytes.
    public static func allowed(in parentWindow: String) -> Self {
        Self(wire: .allow, context: PageContext(parentWindow: parentWindow))
    }

    /// For a secret that is released for this, as the release log is to state it.
    package static func allowed(evidence: String?) -> Self {
        Self(wire: .allow, context: PageContext(evidence: evidence))
    }

    let wire: Interaction
    var context = PageContext()
}

/// The style of a strong password.
public enum PasswordStyle: String, Hashable, Sendable, CaseIterable {
    /// Groups of letters that can be read out and typed.
    case readable
    /// Any characters that the rules allow.
    case random
}
