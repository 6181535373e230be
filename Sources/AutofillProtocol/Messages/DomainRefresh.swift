// SPDX-License-Identifier: Apache-2.0

/// Asks the site again, and answers when it has said something or cannot be reached.
package struct DomainRefresh: DomainCall {
    package typealias Answer = DomainReport
    package static let method = Method.domainRefresh
    package let bundleID: String?
    package let domain: String
    package let proof: Proof?

    package init(bundleID: String? = nil, domain: String, proof: Proof? = nil) {
        self.bundleID = bundleID
        self.domain = domain
        self.proof = proof
    }
}
