// SPDX-License-Identifier: Apache-2.0

/// One grant or denial.
package struct GrantReport: Message, Hashable {
    package let grant: String
    package let bundleID: String
    package let assurance: String
    package let executable: String
    package let target: GrantTarget
    package let decision: String
    package let created: String

    package init(
        grant: String, bundleID: String, assurance: String, executable: String, target: GrantTarget,
        decision: String, created: String
    ) {
        (self.grant, self.bundleID, self.assurance, self.executable) = (grant, bundleID, assurance, executable)
        (self.target, self.decision, self.created) = (target, decision, created)
    }

    /// The site that it is for, if it is for one.
    package var service: ServiceIdentifier? { target.service }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let report = Self(
            grant: try field("grant", \.grant, .id, "Its id."),
            bundleID: try field("bundleID", \.bundleID, .string(1...255), "The app."),
            assurance: try field(
                "assurance", \.assurance, .word(Words.assurances, 1...32),
                "How far the app's identity could be trusted."),
            executable: try field(
                "executable", \.executable, .string(0...4096),
                "The executable that the grant is for; empty for any."),
            target: try field(\.target),
            decision: try field("decision", \.decision, .word(Words.decisions, 1...16), "`allow` or `deny`."),
            created: try field("created", \.created, .instant, "When it was created."))
        try GrantTarget.rule(&field)
        return report
    }
}
