// SPDX-License-Identifier: Apache-2.0

package struct SignInStatus: MethodCall, InteractingCall {
    package typealias Answer = SignInState
    package static let declaration = MethodDeclaration(
        .signInStatus, "Returns whether a user is signed in, and which one.", .release, app: .registered, grant: true,
        vault: .open,
        repeatable: true)
    package let interaction: Interaction

    package init(interaction: Interaction = .allow) { self.interaction = interaction }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            interaction: try field.interaction(\.interaction))
    }
}
