// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// The password of an offer or of a saved credential, and where it goes: a recorded release.
package struct AutofillFill: ProvableCall {
    package static let method = Method.autofillFill
    /// One of the three.
    package let offer: String?
    package let credential: String?
    package let code: String?
    /// The form's fields; for an offer of this connection those of `autofill.suggest` where it is absent.
    package let fields: [FieldDescription]?
    package let interaction: Interaction
    /// Reaches every app's offers, the settled ones included, and every credential.
    package let proof: Proof?

    package init(
        offer: String? = nil, credential: String? = nil, code: String? = nil, fields: [FieldDescription]? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.offer = offer
        self.credential = credential
        self.code = code
        self.fields = fields
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        offer = try members.optionalString("offer", bytes: 1...64)
        credential = try members.optionalString("credential", bytes: 1...64)
        code = try members.optionalString("code", bytes: 1...64)
        let expected = "an offer, a credential or a code, one of them"
        switch [offer, credential, code].count(where: { $0 != nil }) {
        case 0: throw members.missing("offer", expected)
        case 1: break
        default: throw members.invalid("offer", expected)
        }
        fields = try members.optionalValues("fields", limit: Limits.formFields)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        if let offer { writer.member("offer", offer) }
        if let credential { writer.member("credential", credential) }
        if let code { writer.member("code", code) }
        if let fields { writer.member("fields", fields) }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }

    /// A code that came in is filled once.
    package var isRepeatable: Bool { code == nil }

    package struct Answer: WireValue {
        /// nil for an offer, which has none yet, and for a code that came in.
        package let user: String?
        /// nil for a code.
        package let password: SecretBytes?
        /// nil for a password.
        package let code: SecretBytes?
        /// For a code of the time, or one that came in: until when it can be used.
        package let validUntil: String?
        /// What goes into which field.
        package let values: [FieldValue]

        package init(
            user: String?, password: SecretBytes?, code: SecretBytes? = nil, validUntil: String? = nil,
            values: [FieldValue]
        ) {
            self.user = user
            self.password = password
            self.code = code
            self.validUntil = validUntil
            self.values = values
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            user = try members.optionalString("user", bytes: 0...Limits.userBytes)
            password = try members.optionalSecret("password", bytes: 0...Limits.passwordBytes)
            code = try members.optionalSecret("code", bytes: 1...Limits.codeBytes)
            validUntil = try members.optionalString("validUntil", bytes: 1...64)
            values = try members.values("values")
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("user", orNull: user)
            writer.member("password", orNull: password)
            if let code {
                writer.member("code", code)
                writer.member("validUntil", orNull: validUntil)
            }
            writer.member("values", values)
        }
    }
}
