// SPDX-License-Identifier: Apache-2.0

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
