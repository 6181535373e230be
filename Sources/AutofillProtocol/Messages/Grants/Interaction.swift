// SPDX-License-Identifier: Apache-2.0

/// Whether the user may be prompted.
package enum Interaction: String, CaseIterable, Sendable {
    case allow, forbid
}

/// A call that may need a prompt.
package protocol InteractingCall: MethodCall {
    /// Whether the user may be prompted.
    var interaction: Interaction { get }
}

extension InteractingCall {
    package var wishedInteraction: Interaction? { interaction }
    package static var acceptsContext: Bool { true }
}
