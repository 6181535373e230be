// SPDX-License-Identifier: Apache-2.0

/// Whether the person may be asked.
package enum Interaction: String, CaseIterable, Sendable {
    case allow, forbid
}

/// A call for which the person may have to be asked.
package protocol InteractingCall: MethodCall {
    /// Whether they may be.
    var interaction: Interaction { get }
}
