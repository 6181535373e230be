// SPDX-License-Identifier: Apache-2.0

/// The person's word that an app may be given what is saved for a service.
package struct GrantAllow: ProvableCall {
    package static let method = Method.grantAllow
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
        /// One for each executable that the registration names.
        package let grants: [GrantReport]
        package let changed: Bool

        package init(grants: [GrantReport], changed: Bool) {
            self.grants = grants
            self.changed = changed
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            grants = try members.values("grants")
            changed = try members.bool("changed")
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("grants", grants)
            writer.member("changed", changed)
        }
    }
}
