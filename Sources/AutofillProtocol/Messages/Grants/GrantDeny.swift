// SPDX-License-Identifier: Apache-2.0

package struct GrantDeny: ProvableCall {
    package static let declaration = MethodDeclaration(
        .grantDeny, "Records the user's decision that an app does not get what is saved for a service.", .administer,
        vault: .open, proof: .needed, prompt: true, repeatable: true)
    package let bundleID: String
    package let target: GrantTarget
    package let proof: Proof?

    package init(bundleID: String, _ target: GrantTarget, proof: Proof?) {
        (self.bundleID, self.target, self.proof) = (bundleID, target, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(
            bundleID: try field("bundleID", \.bundleID, .string(1...255), "The app."), try field(\.target),
            proof: try field.proof(\.proof))
        try GrantTarget.rule(&field)
        return call
    }

    package struct Answer: Message, Hashable {
        package let grant: GrantReport
        package let changed: Bool

        package init(grant: GrantReport, changed: Bool) { (self.grant, self.changed) = (grant, changed) }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                grant: try field(
                    "grant", \.grant, .object(), "The denial: for any program that claims to be this app."),
                changed: try field.changed(\.changed))
        }
    }
}
