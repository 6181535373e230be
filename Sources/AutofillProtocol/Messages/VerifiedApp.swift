// SPDX-License-Identifier: Apache-2.0

/// What was verified of the caller.
package struct VerifiedApp: Message, Hashable {
    package let bundleID: String
    package let assurance: String
    package let grounds: [String]
    package let registration: String?
    package let associatedDomains: [String]
    package let reasons: [ReasonReport]

    package init(
        bundleID: String, assurance: String, grounds: [String], registration: String?, associatedDomains: [String],
        reasons: [ReasonReport]
    ) {
        (self.bundleID, self.assurance, self.grounds) = (bundleID, assurance, grounds)
        (self.registration, self.associatedDomains, self.reasons) = (registration, associatedDomains, reasons)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            bundleID: try field("bundleID", \.bundleID, .string(1...255), "The app."),
            assurance: try field(
                "assurance", \.assurance, .word(Words.assurances, 1...32),
                "`sandboxed`, `installed`, `attributed` or `claimed`."),
            grounds: try field("grounds", \.grounds, .strings(), "What the assurance rests on, for people."),
            registration: try field(
                nullable: "registration", \.registration, .string(0...4096), "The registration's file, or null."),
            associatedDomains: try field(
                "associatedDomains", \.associatedDomains, .strings(), "As the registration has them."),
            reasons: try field(
                "reasons", \.reasons, .objects(), "What already stands in the way of AutoFill for this app."))
    }
}
