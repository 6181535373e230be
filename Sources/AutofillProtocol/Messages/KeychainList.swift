// SPDX-License-Identifier: Apache-2.0

/// The items of a service, without their bytes, page by page.
package struct KeychainList: ProvableCall {
    package static let method = Method.keychainList
    /// All services and groups when absent, which only a proof permits.
    package let service: String?
    package let accessGroup: String?
    package let page: PageRequest
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: String? = nil, accessGroup: String? = nil, page: PageRequest = PageRequest(),
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.service = service
        self.accessGroup = accessGroup
        self.page = page
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.optionalString("service", bytes: 1...Limits.itemNameBytes)
        accessGroup = try members.optionalString("accessGroup", bytes: 1...255)
        page = try PageRequest(from: &members)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        if let service { writer.member("service", service) }
        if let accessGroup { writer.member("accessGroup", accessGroup) }
        page.write(to: &writer)
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue, Hashable {
        package let items: [KeychainItemSummary]
        package let next: String?

        package init(items: [KeychainItemSummary], next: String?) {
            self.items = items
            self.next = next
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            items = try members.values("items")
            next = try members.optionalString("next", bytes: 1...256)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("items", items)
            writer.member("next", orNull: next)
        }
    }
}
