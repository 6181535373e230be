// SPDX-License-Identifier: Apache-2.0

/// All grants and denials, page by page.
package struct GrantList: ProvableCall {
    package static let method = Method.grantList
    package let page: PageRequest
    package let proof: Proof?

    package init(page: PageRequest = PageRequest(), proof: Proof?) {
        self.page = page
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        page = try PageRequest(from: &members)
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        page.write(to: &writer)
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue, Hashable {
        package let grants: [GrantReport]
        package let next: String?

        package init(grants: [GrantReport], next: String?) {
            self.grants = grants
            self.next = next
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            grants = try members.values("grants")
            next = try members.optionalString("next", bytes: 1...256)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("grants", grants)
            writer.member("next", orNull: next)
        }
    }
}
