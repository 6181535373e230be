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

/// What is saved, without secrets, page by page.
package struct CredentialList: ProvableCall {
    package static let method = Method.credentialList
    /// All services when absent, which only a proof permits.
    package let service: ServiceIdentifier?
    /// Instead of what is saved, what was deleted and can be got back, of all services.
    package let deleted: Bool
    package let page: PageRequest
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: ServiceIdentifier? = nil, deleted: Bool = false, page: PageRequest = PageRequest(),
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.service = service
        self.deleted = deleted
        self.page = page
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.optionalValue("service")
        deleted = try members.optionalBool("deleted") ?? false
        page = try PageRequest(from: &members)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
        if service == nil, !deleted, proof == nil {
            throw members.missing("service", "the service whose credentials are asked for")
        }
    }

    package func write(to writer: inout JSONWriter) {
        if let service { writer.member("service", service) }
        if deleted { writer.member("deleted", true) }
        page.write(to: &writer)
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue, Hashable {
        package let credentials: [CredentialSummary]
        package let next: String?

        package init(credentials: [CredentialSummary], next: String?) {
            self.credentials = credentials
            self.next = next
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            credentials = try members.values("credentials")
            next = try members.optionalString("next", bytes: 1...256)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("credentials", credentials)
            writer.member("next", orNull: next)
        }
    }
}

/// Deletes a credential; it can be brought back for 30 days.
package struct CredentialDelete: ProvableCall {
    package typealias Answer = Changed
    package static let method = Method.credentialDelete
    package let credential: String
    package let ifVersion: Int?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        credential: String, ifVersion: Int? = nil, interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.credential = credential
        self.ifVersion = ifVersion
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        credential = try members.string("credential", bytes: 1...64)
        ifVersion = try members.optionalInteger("ifVersion", in: 1...Int.max)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("credential", credential)
        if let ifVersion { writer.member("ifVersion", ifVersion) }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }
}
