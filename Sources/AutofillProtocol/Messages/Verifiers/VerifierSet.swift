// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct VerifierSet: ItemCall, ProvableCall, InteractingCall {
    package static let declaration = MethodDeclaration(
        .verifierSet, "Stores what a password can be checked against, and not the password.", .own, app: .registered,
        vault: .open, proof: .instead, prompt: true, repeatable: true)
    package let place: ItemPlace
    package let password: SecretBytes?
    package let hash: SecretBytes?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        namespace: String, account: String, password: SecretBytes? = nil, hash: SecretBytes? = nil,
        accessGroup: String? = nil, interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.init(
            ItemPlace(namespace: namespace, account: account, accessGroup: accessGroup), password, hash, interaction,
            proof)
    }

    private init(
        _ place: ItemPlace, _ password: SecretBytes?, _ hash: SecretBytes?, _ interaction: Interaction, _ proof: Proof?
    ) {
        (self.place, self.password, self.hash, self.interaction) = (place, password, hash, interaction)
        self.proof = proof
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(
            try field(\.place),
            try field(optional: "password", \.password, .secret(1...Limits.passwordBytes), "The password."),
            try field(
                optional: "hash", \.hash, .secret(1...Limits.verifierHashBytes),
                "Instead of the password, its hash from elsewhere: PHC form, scrypt."),
            try field.interaction(\.interaction),
            try field.proof(\.proof))
        try field.rule(.one, of: ["password", "hash"], "the password, or its hash")
        return call
    }

    /// A verifier was kept.
    package struct Answer: Message, Hashable {
        package let verifier: String
        package let changed: Bool

        package init(verifier: String, changed: Bool) { (self.verifier, self.changed) = (verifier, changed) }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                verifier: try field("verifier", \.verifier, .id, "Its id."),
                changed: try field.changed(\.changed))
        }
    }
}
