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
