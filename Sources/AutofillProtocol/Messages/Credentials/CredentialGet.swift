// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct CredentialGet: SecretCall {
    package static let declaration = MethodDeclaration(
        .credentialGet, "Returns a saved credential with its password: a recorded release.", .release, app: .associated,
        grant: true, vault: .open, proof: .instead, prompt: true, repeatable: true)
    package let name: CredentialName
    package let interaction: Interaction
    package let proof: Proof?

    package init(_ name: CredentialName, interaction: Interaction = .allow, proof: Proof? = nil) {
        (self.name, self.interaction, self.proof) = (name, interaction, proof)
    }

    package struct Answer: Message {
        package let summary: CredentialSummary
        package let password: SecretBytes
        package let notes: SecretBytes?
        package let fields: [CustomFieldValue]?
        package let history: [FormerPassword]?

        package init(
            summary: CredentialSummary, password: SecretBytes, notes: SecretBytes? = nil,
            fields: [CustomFieldValue]? = nil, history: [FormerPassword]? = nil
        ) {
            (self.summary, self.password, self.notes) = (summary, password, notes)
            (self.fields, self.history) = (fields, history)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                summary: try field(\.summary),
                password: try field("password", \.password, .secret(0...Limits.passwordBytes), "The password."),
                notes: try field(optional: "notes", \.notes, .secret(0...Limits.notesBytes), "The user's notes."),
                fields: try field(optional: "customFields", \.fields, .objects(), "The user's own fields."),
                history: try field(
                    optional: "history", \.history, .objects(),
                    "With proof: the passwords that it had before, the latest first."))
        }
    }
}
