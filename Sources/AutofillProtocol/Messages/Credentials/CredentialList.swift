// SPDX-License-Identifier: Apache-2.0

package struct CredentialList: ProvableCall, InteractingCall {
    package static let declaration = MethodDeclaration(
        .credentialList, "Lists saved credentials, without secrets, page by page.", .release, app: .associated,
        grant: true,
        vault: .open, proof: .instead, prompt: true, repeatable: true)
    package let service: ServiceIdentifier?
    package let deleted: Bool
    package let page: PageRequest
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: ServiceIdentifier? = nil, deleted: Bool = false, page: PageRequest = PageRequest(),
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        (self.service, self.deleted, self.page, self.interaction) = (service, deleted, page, interaction)
        self.proof = proof
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(
            service: try field(
                optional: "service", \.service, .object(), "All services when absent, which only a proof permits."),
            deleted: try field(
                "deleted", \.deleted, .boolean, absent: false,
                "Instead of what is saved, what was deleted and can be got back, of all services."),
            page: try field(\.page),
            interaction: try field.interaction(\.interaction), proof: try field.proof(\.proof))
        if call.service == nil, !call.deleted, call.proof == nil {
            throw field.missing("service", "the service whose credentials are asked for")
        }
        return call
    }

    package struct Answer: Message, Hashable {
        package let credentials: [CredentialSummary]
        package let next: String?

        package init(credentials: [CredentialSummary], next: String?) {
            (self.credentials, self.next) = (credentials, next)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                credentials: try field("credentials", \.credentials, .objects(), "The credentials."),
                next: try field.next(\.next))
        }
    }
}
