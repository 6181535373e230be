// SPDX-License-Identifier: Apache-2.0

/// A saved secret of a service: `credential.get`, `code.get`.
package protocol SecretCall: ProvableCall, InteractingCall {
    var service: ServiceIdentifier { get }
    var user: String? { get }
    var interaction: Interaction { get }
    var proof: Proof? { get }

    init(service: ServiceIdentifier, user: String?, interaction: Interaction, proof: Proof?)
}

extension SecretCall {
    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            service: try field.service(\.service),
            user: try field(
                optional: "user", \.user, .string(1...Limits.userBytes),
                "The user name; if it is absent, the last used one, or an incoming code."),
            interaction: try field.interaction(\.interaction),
            proof: try field.proof(\.proof))
    }
}
