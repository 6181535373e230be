// SPDX-License-Identifier: Apache-2.0

package struct AutofillAccept: ProvableCall, InteractingCall {
    package typealias Answer = SavedAnswer
    package static let declaration = MethodDeclaration(
        .autofillAccept, "Reports that the site accepted the password: the offer becomes a credential.", .own,
        app: .associated,
        vault: .open, proof: .instead, prompt: true, repeatable: true)
    package let offer: String
    package let user: String?
    package let replaces: String?
    package let ifVersion: String?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        offer: String, user: String? = nil, replaces: String? = nil, ifVersion: String? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        (self.offer, self.user, self.replaces, self.ifVersion) = (offer, user, replaces, ifVersion)
        (self.interaction, self.proof) = (interaction, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(
            offer: try field("offer", \.offer, .id, "The offer."),
            user: try field(optional: "user", \.user, .string(1...Limits.userBytes), "The user name."),
            replaces: try field(
                optional: "replaces", \.replaces, .id,
                "The credential whose password the offer replaces, in a change-of-password form."),
            ifVersion: try field.ifVersion(\.ifVersion), interaction: try field.interaction(\.interaction),
            proof: try field.proof(
                \.proof, "Finishes any app's offer, one that was declined or has expired included."))
        try field.rule(
            .one, of: ["user", "replaces"], "the user name, or replaces in a change-of-password form, not both")
        return call
    }
}
