// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct AutofillFill: ProvableCall, InteractingCall {
    package static let declaration = MethodDeclaration(
        .autofillFill,
        """
        Returns the password of an offer or of a saved credential, and the fields for it: a recorded \
        release. With a service the user selects the account.
        """, .release, app: .associated, grant: true, vault: .open, proof: .instead, prompt: true, repeatable: true)
    package let offer: String?
    package let credential: String?
    package let code: String?
    package let service: ServiceIdentifier?
    package let user: String?
    package let form: FormDescription?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        offer: String? = nil, credential: String? = nil, code: String? = nil,
        service: ServiceIdentifier? = nil, user: String? = nil, form: FormDescription? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        (self.offer, self.credential, self.code, self.form) = (offer, credential, code, form)
        (self.service, self.user, self.interaction, self.proof) = (service, user, interaction, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(
            offer: try field(optional: "offer", \.offer, .id, "The offer whose password it is."),
            credential: try field(optional: "credential", \.credential, .id, "The credential whose password it is."),
            code: try field(optional: "codeID", \.code, .id, "The one-time code, from a suggestion."),
            service: try field(
                optional: "service", \.service, .object(),
                "The site, instead of an id: the user selects the account if there are several."),
            user: try field(
                optional: "user", \.user, .string(1...Limits.userBytes),
                "Beside the site: the user name of the account; then the user does not select."),
            form: try field(
                optional: "form", \.form, .object(),
                "The form; for an offer of this connection that of `autofill.suggest` if it is absent."),
            interaction: try field.interaction(\.interaction),
            proof: try field.proof(
                \.proof, "Gives access to every app's offers, the settled ones included, and to every credential."))
        try field.rule(
            .one, of: ["offer", "credential", "codeID", "service"],
            "an offer, a credential, a code or a service, one of them")
        try field.rule(.atMostOne, of: ["offer", "credential", "codeID", "user"], "nothing beside an id")
        return call
    }

    /// An incoming code is filled once.
    package var isRepeatable: Bool { code == nil }

    package struct Answer: Message {
        package let credential: String?
        package let user: String?
        package let password: SecretBytes?
        package let code: SecretBytes?
        package let validUntil: String?
        package let values: [FieldValue]

        package init(
            credential: String? = nil, user: String?, password: SecretBytes?, code: SecretBytes? = nil,
            validUntil: String? = nil, values: [FieldValue]
        ) {
            self.credential = credential
            (self.user, self.password, self.code, self.validUntil) = (user, password, code, validUntil)
            self.values = values
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                credential: try field(
                    optional: "credential", \.credential, .id,
                    "Absent for an offer, which is not saved yet, and for an incoming code."),
                user: try field(
                    optional: "user", \.user, .string(0...Limits.userBytes),
                    "Absent for an offer, which has none yet, and for an incoming code."),
                password: try field(
                    optional: "password", \.password, .secret(0...Limits.passwordBytes), "Absent for a code."),
                code: try field(optional: "code", \.code, .secret(1...Limits.codeBytes), "Absent for a password."),
                validUntil: try field(
                    optional: "expires", \.validUntil, .instant,
                    "For a TOTP or incoming code: the end of the time in which it can be used; absent for a counter's."),
                values: try field("values", \.values, .objects(), "The value for each field."))
        }
    }
}
