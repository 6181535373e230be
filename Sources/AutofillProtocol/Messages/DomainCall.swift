// SPDX-License-Identifier: Apache-2.0

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
