// SPDX-License-Identifier: Apache-2.0

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
