// SPDX-License-Identifier: Apache-2.0

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
