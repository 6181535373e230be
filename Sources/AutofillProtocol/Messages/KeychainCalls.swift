// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// Keeps secret bytes under a service and an account: Apple's generic password.
package struct KeychainSet: ItemCall, ProvableCall {
    package typealias Answer = KeychainSaved
    package static let method = Method.keychainSet
    package let place: ItemPlace
    package let data: SecretBytes
    package let ifVersion: Int?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: String, account: String, data: SecretBytes, accessGroup: String? = nil, ifVersion: Int? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        place = ItemPlace(service: service, account: account, accessGroup: accessGroup)
        self.data = data
        self.ifVersion = ifVersion
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        place = try ItemPlace(from: &members)
        data = try members.data("data", bytes: 0...Limits.itemDataBytes)
        ifVersion = try members.optionalInteger("ifVersion", in: 1...Int.max)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        place.write(to: &writer)
        writer.member("data", base64: data)
        if let ifVersion { writer.member("ifVersion", ifVersion) }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }
}

/// An item with its bytes: a recorded release.
package struct KeychainGet: PlainItemCall {
    package static let method = Method.keychainGet
    package let place: ItemPlace
    package let interaction: Interaction
    package let proof: Proof?

    package init(place: ItemPlace, interaction: Interaction, proof: Proof?) {
        self.place = place
        self.interaction = interaction
        self.proof = proof
    }

    package struct Answer: WireValue {
        package let summary: KeychainItemSummary
        package let data: SecretBytes

        package init(summary: KeychainItemSummary, data: SecretBytes) {
            self.summary = summary
            self.data = data
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            summary = try KeychainItemSummary(from: &members)
            data = try members.data("data", bytes: 0...Limits.itemDataBytes)
        }

        package func write(to writer: inout JSONWriter) {
            summary.write(to: &writer)
            writer.member("data", base64: data)
        }
    }
}

/// Gives an item another account.
package struct KeychainRename: ItemCall, ProvableCall {
    package typealias Answer = KeychainSaved
    package static let method = Method.keychainRename
    package let place: ItemPlace
    package let newAccount: String
    package let ifVersion: Int?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: String, account: String, newAccount: String, accessGroup: String? = nil, ifVersion: Int? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        place = ItemPlace(service: service, account: account, accessGroup: accessGroup)
        self.newAccount = newAccount
        self.ifVersion = ifVersion
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        place = try ItemPlace(from: &members)
        newAccount = try members.string("newAccount", bytes: 1...Limits.itemNameBytes)
        ifVersion = try members.optionalInteger("ifVersion", in: 1...Int.max)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        place.write(to: &writer)
        writer.member("newAccount", newAccount)
        if let ifVersion { writer.member("ifVersion", ifVersion) }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }
}

/// Removes an item, for good.
package struct KeychainDelete: ItemCall, ProvableCall {
    package typealias Answer = Changed
    package static let method = Method.keychainDelete
    package let place: ItemPlace
    package let ifVersion: Int?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: String, account: String, accessGroup: String? = nil, ifVersion: Int? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        place = ItemPlace(service: service, account: account, accessGroup: accessGroup)
        self.ifVersion = ifVersion
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        place = try ItemPlace(from: &members)
        ifVersion = try members.optionalInteger("ifVersion", in: 1...Int.max)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        place.write(to: &writer)
        if let ifVersion { writer.member("ifVersion", ifVersion) }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }
}

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
