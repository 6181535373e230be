// SPDX-License-Identifier: Apache-2.0

package struct CredentialUpdate: ProvableCall, InteractingCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .credentialUpdate, "Sets what a credential has besides its password, and renames it.", .own, app: .associated,
        vault: .open, proof: .instead, prompt: true, repeatable: true)
    package let name: CredentialName
    package let newUser: String?
    package let changes: CredentialChanges
    package let ifVersion: String?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        _ name: CredentialName, newUser: String? = nil, changes: CredentialChanges = CredentialChanges(),
        ifVersion: String? = nil, interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        (self.name, self.newUser, self.changes, self.ifVersion) = (name, newUser, changes, ifVersion)
        (self.interaction, self.proof) = (interaction, proof)
    }

    package init(
        credential: String, changes: CredentialChanges, ifVersion: String? = nil, interaction: Interaction = .allow,
        proof: Proof? = nil
    ) {
        self.init(.id(credential), changes: changes, ifVersion: ifVersion, interaction: interaction, proof: proof)
    }

    /// Not by a user name that the first time has changed.
    package var isRepeatable: Bool { newUser == nil || name.id != nil }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(
            try field(\.name),
            newUser: try field(
                optional: "newUser", \.newUser, .string(1...Limits.userBytes),
                "The new user name; refused with `credential-taken` if one is saved with it."),
            changes: try field(\.changes),
            ifVersion: try field.ifVersion(\.ifVersion),
            interaction: try field.interaction(\.interaction),
            proof: try field.proof(\.proof))
        try call.name.ruleWithUser(&field)
        return call
    }
}
