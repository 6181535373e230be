// SPDX-License-Identifier: Apache-2.0

package struct SignInEnd: MethodCall, InteractingCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .signInEnd, "Signs the user out: deletes the verifier, then there is no current user.", .own,
        app: .registered, vault: .open, repeatable: true)
    package let interaction: Interaction

    package init(interaction: Interaction = .allow) { self.interaction = interaction }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            interaction: try field.interaction(\.interaction))
    }
}
