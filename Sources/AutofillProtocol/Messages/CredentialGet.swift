// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A saved credential with its password: a recorded release.
package struct CredentialGet: ProvableCall {
    package static let method = Method.credentialGet
    package let service: ServiceIdentifier
    /// The one used last when it is absent.
    package let user: String?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: ServiceIdentifier, user: String? = nil, interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.service = service
        self.user = user
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.value("service")
        user = try members.optionalString("user", bytes: 1...Limits.userBytes)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("service", service)
        if let user { writer.member("user", user) }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue {
        package let summary: CredentialSummary
        package let password: SecretBytes

        package init(summary: CredentialSummary, password: SecretBytes) {
            self.summary = summary
            self.password = password
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            summary = try CredentialSummary(from: &members)
            password = try members.secret("password", bytes: 0...Limits.passwordBytes)
        }

        package func write(to writer: inout JSONWriter) {
            summary.write(to: &writer)
            writer.member("password", password)
        }
    }
}
