// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct KeychainSet: ItemCall, ProvableCall, InteractingCall {
    package typealias Answer = KeychainSaved
    package static let declaration = MethodDeclaration(
        .keychainSet, "Keeps secret bytes under a service and an account: Apple's generic password.", .own,
        app: .registered, vault: .open, proof: .instead, prompt: true, repeatable: true)
    package let place: ItemPlace
    package let data: SecretBytes
    package let ifVersion: Int?
    package let interaction: Interaction
    package let proof: Proof?

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            place: try field(\.place),
            data: try field("data", \.data, .data(0...Limits.itemDataBytes), "The item's bytes."),
            ifVersion: try field.ifVersion(\.ifVersion),
            interaction: try field.interaction(\.interaction),
            proof: try field.proof(\.proof))
    }
}

extension KeychainSet {
    package init(
        service: String, account: String, data: SecretBytes, accessGroup: String? = nil, ifVersion: Int? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.init(
            place: ItemPlace(service: service, account: account, accessGroup: accessGroup),
            data: data, ifVersion: ifVersion, interaction: interaction, proof: proof)
    }
}
