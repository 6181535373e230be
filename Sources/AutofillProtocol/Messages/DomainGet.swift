// SPDX-License-Identifier: Apache-2.0

/// What the site and the person say of an app and a domain.
package struct DomainGet: DomainCall {
    package typealias Answer = DomainReport
    package static let method = Method.domainGet
    package let bundleID: String?
    package let domain: String
    package let proof: Proof?

    package init(bundleID: String? = nil, domain: String, proof: Proof? = nil) {
        self.bundleID = bundleID
        self.domain = domain
        self.proof = proof
    }
}
