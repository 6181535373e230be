// SPDX-License-Identifier: Apache-2.0

package struct DomainList: ProvableCall {
    package static let declaration = MethodDeclaration(
        .domainList,
        """
        Lists the associated domains of the calling app, or with proof of every app or of one, \
        page by page.
        """, .own, vault: .open, proof: .instead, prompt: true, repeatable: true)
    package let bundleID: String?
    package let page: PageRequest
    package let proof: Proof?

    package init(bundleID: String? = nil, page: PageRequest = PageRequest(), proof: Proof? = nil) {
        (self.bundleID, self.page, self.proof) = (bundleID, page, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            bundleID: try field(optional: "bundleID", \.bundleID, .string(1...255), "With proof, of this app only."),
            page: try field(\.page),
            proof: try field.proof(\.proof))
    }

    package struct Answer: Message, Hashable {
        package let domains: [DomainReport]
        package let next: String?

        package init(domains: [DomainReport], next: String?) { (self.domains, self.next) = (domains, next) }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                domains: try field(
                    "domains", \.domains, .objects(), "Each as `admin.domain.get` answers; of a wildcard as a whole."),
                next: try field.next(\.next))
        }
    }
}
