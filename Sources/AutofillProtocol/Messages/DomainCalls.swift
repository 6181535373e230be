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

/// What a call about one app and one domain says: `domain.get`, `domain.refresh`.
package protocol DomainCall: ProvableCall where Answer == DomainReport {
    /// The calling app where it is absent; another one needs proof.
    var bundleID: String? { get }
    /// A domain that the app's registration covers.
    var domain: String { get }

    init(bundleID: String?, domain: String, proof: Proof?)
}

extension DomainCall {
    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        self.init(
            bundleID: try members.optionalString("bundleID", bytes: 1...255),
            domain: try members.string("domain", bytes: 1...2048), proof: try members.optionalValue("proof"))
    }

    package func write(to writer: inout JSONWriter) {
        if let bundleID { writer.member("bundleID", bundleID) }
        writer.member("domain", domain)
        if let proof { writer.member("proof", proof) }
    }
}

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

/// The person's word that a domain is an app's (`domain.approve`), or is not (`domain.deny`).
package protocol DomainDecisionCall: ProvableCall where Answer == Changed {
    var bundleID: String { get }
    /// A domain that the app's registration covers, or `*.` and the domain of one of its wildcards.
    var domain: String { get }

    init(bundleID: String, domain: String, proof: Proof?)
}

extension DomainDecisionCall {
    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        self.init(
            bundleID: try members.string("bundleID", bytes: 1...255),
            domain: try members.string("domain", bytes: 1...2048), proof: try members.optionalValue("proof"))
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("bundleID", bundleID)
        writer.member("domain", domain)
        if let proof { writer.member("proof", proof) }
    }
}

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

package struct DomainDeny: DomainDecisionCall {
    package typealias Answer = Changed
    package static let method = Method.domainDeny
    package let bundleID: String
    package let domain: String
    package let proof: Proof?

    package init(bundleID: String, domain: String, proof: Proof?) {
        self.bundleID = bundleID
        self.domain = domain
        self.proof = proof
    }
}
