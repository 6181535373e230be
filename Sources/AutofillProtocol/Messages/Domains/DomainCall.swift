// SPDX-License-Identifier: Apache-2.0

/// The parameters of a call about one app and one domain: `admin.domain.get`, `admin.domain.refresh`.
package protocol DomainCall: ProvableCall where Answer == DomainReport {
    /// The calling app where it is absent; another one needs proof.
    var bundleID: String? { get }
    /// A domain that the app's registration covers.
    var domain: NamedDomain { get }

    init(bundleID: String?, domain: NamedDomain, proof: Proof?)
}

extension DomainCall {
    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(
            bundleID: try field(
                optional: "bundleID", \.bundleID, .string(1...255),
                "The calling app where it is absent; another one needs proof."),
            domain: try field(\.domain),
            proof: try field.proof(\.proof))
        try NamedDomain.rule(&field)
        return call
    }
}
