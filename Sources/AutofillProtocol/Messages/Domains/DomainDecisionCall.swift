// SPDX-License-Identifier: Apache-2.0

/// The user's decision that a domain is an app's (`admin.domain.approve`), or is not (`admin.domain.deny`).
package protocol DomainDecisionCall: ProvableCall where Answer == Changed {
    var bundleID: String { get }
    var domain: NamedDomain { get }

    init(bundleID: String, domain: NamedDomain, proof: Proof?)
}

extension DomainDecisionCall {
    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(
            bundleID: try field("bundleID", \.bundleID, .string(1...255), "The app."),
            domain: try field(\.domain),
            proof: try field.proof(\.proof))
        try NamedDomain.rule(&field)
        return call
    }
}
