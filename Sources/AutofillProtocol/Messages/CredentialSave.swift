// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// Saves what the person typed, or a new password for a saved user.
package struct CredentialSave: ProvableCall {
    package typealias Answer = SavedAnswer
    package static let method = Method.credentialSave
    package let service: ServiceIdentifier
    package let user: String
    package let password: SecretBytes
    package let ifVersion: Int?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: ServiceIdentifier, user: String, password: SecretBytes, ifVersion: Int? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.service = service
        self.user = user
        self.password = password
        self.ifVersion = ifVersion
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.value("service")
        user = try members.string("user", bytes: 1...Limits.userBytes)
        password = try members.secret("password", bytes: 1...Limits.passwordBytes)
        ifVersion = try members.optionalInteger("ifVersion", in: 1...Int.max)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("service", service)
        writer.member("user", user)
        writer.member("password", password)
        if let ifVersion { writer.member("ifVersion", ifVersion) }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }
}
