// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// The password of an offer or of a saved credential, and where it goes: a recorded release.
package struct AutofillFill: ProvableCall {
    package static let method = Method.autofillFill
    /// One of both.
    package let offer: String?
    package let credential: String?
    /// The form's fields; for an offer of this connection those of `autofill.suggest` where it is absent.
    package let fields: [FieldDescription]?
    package let interaction: Interaction
    /// Reaches every app's offers, the settled ones included, and every credential.
    package let proof: Proof?

    package init(
        offer: String? = nil, credential: String? = nil, fields: [FieldDescription]? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.offer = offer
        self.credential = credential
        self.fields = fields
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        offer = try members.optionalString("offer", bytes: 1...64)
        credential = try members.optionalString("credential", bytes: 1...64)
        let expected = "an offer or a credential, not both"
        if offer == nil, credential == nil { throw members.missing("offer", expected) }
        if offer != nil, credential != nil { throw members.invalid("offer", expected) }
        fields = try members.optionalValues("fields", limit: Limits.formFields)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        if let offer { writer.member("offer", offer) }
        if let credential { writer.member("credential", credential) }
        if let fields { writer.member("fields", fields) }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue {
        /// nil for an offer, which has none yet.
        package let user: String?
        package let password: SecretBytes
        /// What goes into which field.
        package let values: [FieldValue]

        package init(user: String?, password: SecretBytes, values: [FieldValue]) {
            self.user = user
            self.password = password
            self.values = values
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            user = try members.optionalString("user", bytes: 0...Limits.userBytes)
            password = try members.secret("password", bytes: 0...Limits.passwordBytes)
            values = try members.values("values")
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("user", orNull: user)
            writer.member("password", password)
            writer.member("values", values)
        }
    }
}

/// What goes into one field.
package struct FieldValue: WireValue {
    package let field: String
    package let value: SecretBytes

    package init(field: String, value: SecretBytes) {
        self.field = field
        self.value = value
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        field = try members.string("field", bytes: 1...Limits.fieldIDBytes)
        value = try members.secret("value", bytes: 0...Limits.passwordBytes)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("field", field)
        writer.member("value", value)
    }
}

/// The site took the password: the offer becomes a credential.
package struct AutofillAccept: ProvableCall {
    package typealias Answer = SavedAnswer
    package static let method = Method.autofillAccept
    package let offer: String
    package let user: String?
    /// The credential whose password the offer replaces, in a change-of-password form.
    package let replaces: String?
    package let ifVersion: Int?
    package let interaction: Interaction
    /// Finishes any app's offer, one that was declined or has expired included.
    package let proof: Proof?

    package init(
        offer: String, user: String? = nil, replaces: String? = nil, ifVersion: Int? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.offer = offer
        self.user = user
        self.replaces = replaces
        self.ifVersion = ifVersion
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        offer = try members.string("offer", bytes: 1...64)
        user = try members.optionalString("user", bytes: 1...Limits.userBytes)
        replaces = try members.optionalString("replaces", bytes: 1...64)
        let expected = "the user name, or replaces in a change-of-password form, not both"
        if user == nil, replaces == nil { throw members.missing("user", expected) }
        if user != nil, replaces != nil { throw members.invalid("user", expected) }
        ifVersion = try members.optionalInteger("ifVersion", in: 1...Int.max)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("offer", offer)
        if let user { writer.member("user", user) }
        if let replaces { writer.member("replaces", replaces) }
        if let ifVersion { writer.member("ifVersion", ifVersion) }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }
}

/// The person does not want the password. It stays findable, but is not offered again.
package struct AutofillDecline: ProvableCall {
    package typealias Answer = Changed
    package static let method = Method.autofillDecline
    package let offer: String
    /// Declines any app's offer.
    package let proof: Proof?

    package init(offer: String, proof: Proof? = nil) {
        self.offer = offer
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        offer = try members.string("offer", bytes: 1...64)
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("offer", offer)
        if let proof { writer.member("proof", proof) }
    }
}

/// A credential was saved, or was there already.
package struct SavedAnswer: WireValue, Hashable {
    package let credential: String
    package let changed: Bool

    package init(credential: String, changed: Bool) {
        self.credential = credential
        self.changed = changed
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        credential = try members.string("credential", bytes: 1...64)
        changed = try members.bool("changed")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("credential", credential)
        writer.member("changed", changed)
    }
}
