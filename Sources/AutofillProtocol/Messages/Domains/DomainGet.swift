// SPDX-License-Identifier: Apache-2.0

package struct DomainGet: DomainCall {
    package typealias Answer = DomainReport
    package static let declaration = MethodDeclaration(
        .domainGet, "Returns the state of an app's domain: the site's statement and the user's decision.", .own,
        vault: .open, proof: .instead,
        prompt: true, repeatable: true)
    package let bundleID: String?
    package let domain: NamedDomain
    package let proof: Proof?

    package init(bundleID: String? = nil, domain: NamedDomain, proof: Proof? = nil) {
        (self.bundleID, self.domain, self.proof) = (bundleID, domain, proof)
    }
}
