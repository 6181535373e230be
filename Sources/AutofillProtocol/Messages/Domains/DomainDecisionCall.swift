// SPDX-License-Identifier: Apache-2.0

/// The user's decision that a domain is an app's (`admin.domain.approve`), or is not (`admin.domain.deny`).
package protocol DomainDecisionCall: ProvableCall where Answer == Changed {
    var bundleID: String { get }
    /// A domain that the app's registration covers, or `*.` and the domain of one of its wildcards.
    var domain: String { get }

    init(bundleID: String, domain: String, proof: Proof?)
}

extension DomainDecisionCall {
    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            bundleID: try field("bundleID", \.bundleID, .string(1...255), "The app."),
            domain: try field(
                "domain", \.domain, .string(1...2048),
                "A domain that its registration covers, or `*.` and the domain of one of its wildcards."),
            proof: try field.proof(\.proof))
    }
}
