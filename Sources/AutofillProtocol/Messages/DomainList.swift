// SPDX-License-Identifier: Apache-2.0

/// The associated domains of the calling app, or with proof of every app or of one, page by page.
package struct DomainList: ProvableCall {
    package static let method = Method.domainList
    /// With proof, of this app only.
    package let bundleID: String?
    package let page: PageRequest
    package let proof: Proof?

    package init(bundleID: String? = nil, page: PageRequest = PageRequest(), proof: Proof? = nil) {
        self.bundleID = bundleID
        self.page = page
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        bundleID = try members.optionalString("bundleID", bytes: 1...255)
        page = try PageRequest(from: &members)
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        if let bundleID { writer.member("bundleID", bundleID) }
        page.write(to: &writer)
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue, Hashable {
        package let domains: [DomainReport]
        package let next: String?

        package init(domains: [DomainReport], next: String?) {
            self.domains = domains
            self.next = next
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            domains = try members.values("domains")
            next = try members.optionalString("next", bytes: 1...256)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("domains", domains)
            writer.member("next", orNull: next)
        }
    }
}
