// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// The one-time code of now: a recorded release.
package struct CodeGet: ProvableCall {
    package static let method = Method.codeGet
    package let service: ServiceIdentifier
    /// A code that came in, else that of the credential used last, when it is absent.
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
        package let code: SecretBytes
        /// `time`, `counter` or `incoming`.
        package let source: String
        /// The first instant at which it is no longer the current one; nil for a counter's.
        package let validUntil: String?
        /// nil for a code that came in.
        package let credential: String?
        package let user: String?

        package init(code: SecretBytes, source: String, validUntil: String?, credential: String?, user: String?) {
            self.code = code
            self.source = source
            self.validUntil = validUntil
            self.credential = credential
            self.user = user
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            code = try members.secret("code", bytes: 1...Limits.codeBytes)
            source = try members.string("source", bytes: 1...32)
            validUntil = try members.optionalString("validUntil", bytes: 1...64)
            credential = try members.optionalString("credential", bytes: 1...64)
            user = try members.optionalString("user", bytes: 0...Limits.userBytes)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("code", code)
            writer.member("source", source)
            writer.member("validUntil", orNull: validUntil)
            writer.member("credential", orNull: credential)
            writer.member("user", orNull: user)
        }
    }
}
