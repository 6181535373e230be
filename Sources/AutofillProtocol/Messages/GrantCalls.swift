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

/// All grants and denials, page by page.
package struct GrantList: ProvableCall {
    package static let method = Method.grantList
    package let page: PageRequest
    package let proof: Proof?

    package init(page: PageRequest = PageRequest(), proof: Proof?) {
        self.page = page
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        page = try PageRequest(from: &members)
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        page.write(to: &writer)
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue, Hashable {
        package let grants: [GrantReport]
        package let next: String?

        package init(grants: [GrantReport], next: String?) {
            self.grants = grants
            self.next = next
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            grants = try members.values("grants")
            next = try members.optionalString("next", bytes: 1...256)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("grants", grants)
            writer.member("next", orNull: next)
        }
    }
}

/// One grant or denial.
package struct GrantReport: WireValue, Hashable {
    package let grant: String
    package let bundleID: String
    package let assurance: String
    /// What has to stand for the app; empty for any executable.
    package let executable: String
    package let service: ServiceIdentifier
    /// `allow` or `deny`.
    package let decision: String
    package let created: String

    package init(
        grant: String, bundleID: String, assurance: String, executable: String, service: ServiceIdentifier,
        decision: String, created: String
    ) {
        self.grant = grant
        self.bundleID = bundleID
        self.assurance = assurance
        self.executable = executable
        self.service = service
        self.decision = decision
        self.created = created
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        grant = try members.string("grant", bytes: 1...64)
        bundleID = try members.string("bundleID", bytes: 1...255)
        assurance = try members.string("assurance", bytes: 1...32)
        executable = try members.string("executable", bytes: 0...4096)
        service = try members.value("service")
        decision = try members.string("decision", bytes: 1...16)
        created = try members.string("created", bytes: 1...64)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("grant", grant)
        writer.member("bundleID", bundleID)
        writer.member("assurance", assurance)
        writer.member("executable", executable)
        writer.member("service", service)
        writer.member("decision", decision)
        writer.member("created", created)
    }
}

/// Takes a grant or a denial back.
package struct GrantRevoke: ProvableCall {
    package typealias Answer = Changed
    package static let method = Method.grantRevoke
    package let grant: String
    package let proof: Proof?

    package init(grant: String, proof: Proof?) {
        self.grant = grant
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        grant = try members.string("grant", bytes: 1...64)
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("grant", grant)
        if let proof { writer.member("proof", proof) }
    }
}
