// SPDX-License-Identifier: Apache-2.0

package struct DomainRefresh: DomainCall {
    package typealias Answer = DomainReport
    package static let declaration = MethodDeclaration(
        .domainRefresh, "Fetches the site's association file again, and answers with the result.", .own,
        vault: .open, proof: .instead, prompt: true, repeatable: true)
    package let bundleID: String?
    package let domain: NamedDomain
    package let proof: Proof?

    package init(bundleID: String? = nil, domain: NamedDomain, proof: Proof? = nil) {
        (self.bundleID, self.domain, self.proof) = (bundleID, domain, proof)
    }
}
