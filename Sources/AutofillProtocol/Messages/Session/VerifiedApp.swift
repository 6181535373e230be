// SPDX-License-Identifier: Apache-2.0
internal import Reasons

/// What was verified of the caller. `diagnose` has the evidence, and the fix of each reason.
package struct VerifiedApp: Message, Hashable {
    package let bundleID: String
    package let assurance: String
    package let registration: String?
    package let associatedDomainCount: Int
    package let reasonNames: [String]

    package init(
        bundleID: String, assurance: String, registration: String?, associatedDomainCount: Int, reasonNames: [String]
    ) {
        (self.bundleID, self.assurance, self.registration) = (bundleID, assurance, registration)
        (self.associatedDomainCount, self.reasonNames) = (associatedDomainCount, reasonNames)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            bundleID: try field("bundleID", \.bundleID, .string(1...255), "The app."),
            assurance: try field(
                "assurance", \.assurance, .word(Words.assurances, 1...32),
                "`sandboxed`, `installed`, `attributed` or `claimed`; `none` if the caller is not the app."),
            registration: try field(
                optional: "registration", \.registration, .string(0...4096), "The registration's file, if there is one."
            ),
            associatedDomainCount: try field(
                "associatedDomainCount", \.associatedDomainCount, .integer(0...Int.max),
                "How many associated domains the registration declares."),
            reasonNames: try field(
                "reasonNames", \.reasonNames, .strings(Reason.allCases.map(\.rawValue)),
                "The codes of the reasons for which AutoFill does not work for this app."))
    }
}
