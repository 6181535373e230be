// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct CodeGet: SecretCall {
    package static let declaration = MethodDeclaration(
        .codeGet, "Returns the current one-time code: a recorded release.", .release, app: .associated, grant: true,
        vault: .open, proof: .instead, prompt: true, repeatable: false)
    package let name: CredentialName
    package let interaction: Interaction
    package let proof: Proof?

    package init(_ name: CredentialName, interaction: Interaction = .allow, proof: Proof? = nil) {
        (self.name, self.interaction, self.proof) = (name, interaction, proof)
    }

    package struct Answer: Message {
        package let code: SecretBytes
        package let source: String
        package let validUntil: String?
        package let credential: String?
        package let user: String?

        package init(code: SecretBytes, source: String, validUntil: String?, credential: String?, user: String?) {
            (self.code, self.source, self.validUntil, self.credential) = (code, source, validUntil, credential)
            self.user = user
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                code: try field("code", \.code, .secret(1...Limits.codeBytes), "Leading zeros count."),
                source: try field(
                    "source", \.source, .word(Words.codeSources, 1...32), "`time`, `counter` or `incoming`."),
                validUntil: try field(
                    optional: "expires", \.validUntil, .instant,
                    "The first instant at which it is no longer the current one; absent for a counter's."),
                credential: try field(optional: "credential", \.credential, .id, "Absent for an incoming code."),
                user: try field(
                    optional: "user", \.user, .string(0...Limits.userBytes),
                    "The user name; absent for an incoming code."))
        }
    }
}
