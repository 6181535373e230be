// SPDX-License-Identifier: Apache-2.0

package struct VaultUnlock: MethodCall, InteractingCall {
    package static let declaration = MethodDeclaration(
        .vaultUnlock, "Unlocks the vault. Apps send no secret: the daemon prompts the user.", .administer,
        proof: .itself,
        repeatable: true)
    package let proof: Proof?
    package let interaction: Interaction

    package init(proof: Proof? = nil, interaction: Interaction = .allow) {
        (self.proof, self.interaction) = (proof, interaction)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            proof: try field(
                optional: "proof", \.proof, .secretProof,
                "What opens it; if it is absent, the daemon asks the user for the passphrase."),
            interaction: try field.interaction(\.interaction))
    }

    package struct Answer: Message, Hashable {
        package let changed: Bool
        package let findings: Int
        package let backup: String?

        package init(changed: Bool, findings: Int, backup: String? = nil) {
            (self.changed, self.findings, self.backup) = (changed, findings, backup)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                changed: try field.changed(\.changed),
                findings: try field(
                    "findingCount", \.findings, .integer(0...Int.max), absent: 0,
                    "How much was found wrong with it; not written while nothing was."),
                backup: try field(
                    optional: "backup", \.backup, .string(0...4096),
                    "Where it is kept as it was; only where it was brought to the present format."))
        }
    }
}
