// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// Gives a saved credential the secret of its one-time codes.
package struct CodeSet: ProvableCall {
    package typealias Answer = SavedAnswer
    package static let method = Method.codeSet
    package let service: ServiceIdentifier
    /// The account of the URI when it is absent.
    package let user: String?
    /// `otpauth://…`
    package let uri: SecretBytes
    package let ifVersion: Int?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: ServiceIdentifier, user: String? = nil, uri: SecretBytes, ifVersion: Int? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.service = service
        self.user = user
        self.uri = uri
        self.ifVersion = ifVersion
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.value("service")
        user = try members.optionalString("user", bytes: 1...Limits.userBytes)
        uri = try members.secret("uri", bytes: 1...Limits.codeURIBytes)
        ifVersion = try members.optionalInteger("ifVersion", in: 1...Int.max)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("service", service)
        if let user { writer.member("user", user) }
        writer.member("uri", uri)
        if let ifVersion { writer.member("ifVersion", ifVersion) }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }
}
