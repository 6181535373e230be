// SPDX-License-Identifier: Apache-2.0

/// Takes the one-time codes from a credential.
package struct CodeDelete: ProvableCall {
    package typealias Answer = Changed
    package static let method = Method.codeDelete
    package let service: ServiceIdentifier
    package let user: String
    package let ifVersion: Int?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: ServiceIdentifier, user: String, ifVersion: Int? = nil, interaction: Interaction = .allow,
        proof: Proof? = nil
    ) {
        self.service = service
        self.user = user
        self.ifVersion = ifVersion
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.value("service")
        user = try members.string("user", bytes: 1...Limits.userBytes)
        ifVersion = try members.optionalInteger("ifVersion", in: 1...Int.max)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("service", service)
        writer.member("user", user)
        if let ifVersion { writer.member("ifVersion", ifVersion) }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }
}
