// SPDX-License-Identifier: Apache-2.0

package struct GrantAllow: GrantDecisionCall {
    package static let declaration = MethodDeclaration(
        .grantAllow, "The person's word that an app may be given what is saved for a service.", .administer,
        vault: .open, proof: .needed, prompt: true, repeatable: true)
    package let bundleID: String
    package let service: ServiceIdentifier
    package let proof: Proof?

    package init(bundleID: String, service: ServiceIdentifier, proof: Proof?) {
        (self.bundleID, self.service, self.proof) = (bundleID, service, proof)
    }

    package struct Answer: Message, Hashable {
        package let grants: [GrantReport]
        package let changed: Bool

        package init(grants: [GrantReport], changed: Bool) { (self.grants, self.changed) = (grants, changed) }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                grants: try field(
                    "grants", \.grants, .objects(), "One for each executable that the registration names."),
                changed: try field.changed(\.changed))
        }
    }
}
