// SPDX-License-Identifier: Apache-2.0

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
