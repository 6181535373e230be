// SPDX-License-Identifier: Apache-2.0

/// The person's word about an app and a service: `admin.grant.allow`, `admin.grant.deny`.
package protocol GrantDecisionCall: ProvableCall {
    var bundleID: String { get }
    var service: ServiceIdentifier { get }
    var proof: Proof? { get }

    init(bundleID: String, service: ServiceIdentifier, proof: Proof?)
}

extension GrantDecisionCall {
    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            bundleID: try field("bundleID", \.bundleID, .string(1...255), "The app."),
            service: try field("service", \.service, .object(), "Of type `domain` or `keychain`."),
            proof: try field.proof(\.proof))
    }
}
