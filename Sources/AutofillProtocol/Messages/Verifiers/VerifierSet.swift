// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct VerifierSet: ItemCall, InteractingCall {
    package typealias Answer = VerifierSaved
    package static let declaration = MethodDeclaration(
        .verifierSet, "Stores what a password can be checked against, and not the password.", .own, app: .registered,
        vault: .open, repeatable: true)
    package let place: ItemPlace
    package let password: SecretBytes
    package let interaction: Interaction

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            place: try field(\.place),
            password: try field("password", \.password, .secret(1...Limits.passwordBytes), "The password."),
            interaction: try field.interaction(\.interaction))
    }
}

extension VerifierSet {
    package init(
        namespace: String, account: String, password: SecretBytes, accessGroup: String? = nil,
        interaction: Interaction = .allow
    ) {
        self.init(
            place: ItemPlace(namespace: namespace, account: account, accessGroup: accessGroup),
            password: password, interaction: interaction)
    }
}
