// SPDX-License-Identifier: Apache-2.0

package struct DomainDeny: DomainDecisionCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .domainDeny, "Records the user's decision that a domain is not an app's.", .administer, vault: .open,
        proof: .needed,
        prompt: true, repeatable: true)
    package let bundleID: String
    package let domain: NamedDomain
    package let proof: Proof?

    package init(bundleID: String, domain: NamedDomain, proof: Proof?) {
        (self.bundleID, self.domain, self.proof) = (bundleID, domain, proof)
    }
}
