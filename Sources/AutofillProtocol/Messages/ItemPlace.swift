// SPDX-License-Identifier: Apache-2.0

/// Where a keychain item or a verifier is.
package struct ItemPlace: Hashable, Sendable {
    package let service: String
    package let account: String
    /// The app's own, its bundle ID, when it is absent.
    package let accessGroup: String?

    package init(service: String, account: String, accessGroup: String?) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.string("service", bytes: 1...Limits.itemNameBytes)
        account = try members.string("account", bytes: 1...Limits.itemNameBytes)
        accessGroup = try members.optionalString("accessGroup", bytes: 1...255)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("service", service)
        writer.member("account", account)
        if let accessGroup { writer.member("accessGroup", accessGroup) }
    }
}

/// A call about one keychain item or one verifier.
package protocol ItemCall: MethodCall {
    var place: ItemPlace { get }
}

extension ItemCall {
    package var service: String { place.service }
    package var account: String { place.account }
    package var accessGroup: String? { place.accessGroup }
}

/// One that says no more than that.
package protocol PlainItemCall: ItemCall, ProvableCall {
    var interaction: Interaction { get }

    init(place: ItemPlace, interaction: Interaction, proof: Proof?)
}

extension PlainItemCall {
    package init(
        service: String, account: String, accessGroup: String? = nil, interaction: Interaction = .allow,
        proof: Proof? = nil
    ) {
        self.init(
            place: ItemPlace(service: service, account: account, accessGroup: accessGroup), interaction: interaction,
            proof: proof)
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        self.init(
            place: try ItemPlace(from: &members), interaction: try members.interaction(),
            proof: try members.optionalValue("proof"))
    }

    package func write(to writer: inout JSONWriter) {
        place.write(to: &writer)
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }
}
