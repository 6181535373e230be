// SPDX-License-Identifier: Apache-2.0

/// The person's word that an app may not be given what is saved for a service.
package struct GrantDeny: ProvableCall {
    package static let method = Method.grantDeny
    package let bundleID: String
    package let service: ServiceIdentifier
    package let proof: Proof?

    package init(bundleID: String, service: ServiceIdentifier, proof: Proof?) {
        self.bundleID = bundleID
        self.service = service
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        bundleID = try members.string("bundleID", bytes: 1...255)
        service = try members.value("service")
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("bundleID", bundleID)
        writer.member("service", service)
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue, Hashable {
        /// The denial: one for any program that says it is this app.
        package let grant: GrantReport
        /// False when it was so before.
        package let changed: Bool

        package init(grant: GrantReport, changed: Bool) {
            self.grant = grant
            self.changed = changed
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            grant = try members.value("grant")
            changed = try members.bool("changed")
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("grant", grant)
            writer.member("changed", changed)
        }
    }
}
