// SPDX-License-Identifier: Apache-2.0

package struct DomainApprove: DomainDecisionCall {
    package typealias Answer = Changed
    package static let method = Method.domainApprove
    package let bundleID: String
    package let domain: String
    package let proof: Proof?

    package init(bundleID: String, domain: String, proof: Proof?) {
        self.bundleID = bundleID
        self.domain = domain
        self.proof = proof
    }
}
