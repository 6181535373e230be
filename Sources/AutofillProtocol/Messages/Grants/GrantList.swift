// SPDX-License-Identifier: Apache-2.0

package struct GrantList: PageCall {
    package static let declaration = MethodDeclaration(
        .grantList, "Lists all grants and denials, page by page.", .administer, vault: .open, proof: .needed,
        prompt: true,
        repeatable: true)
    package let page: PageRequest
    package let proof: Proof?

    package init(page: PageRequest = PageRequest(), proof: Proof?) {
        (self.page, self.proof) = (page, proof)
    }

    package struct Answer: Message, Hashable {
        package let grants: [GrantReport]
        package let next: String?

        package init(grants: [GrantReport], next: String?) { (self.grants, self.next) = (grants, next) }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                grants: try field("grants", \.grants, .objects(), "The grants and denials."),
                next: try field.next(\.next))
        }
    }
}
