// SPDX-License-Identifier: Apache-2.0

/// What was verified of the caller.
package struct VerifiedApp: WireValue, Hashable {
    package let bundleID: String
    /// `sandboxed`, `installed`, `attributed` or `claimed`.
    package let assurance: String
    /// What the assurance rests on, for people.
    package let grounds: [String]
    /// The registration's file, or nil.
    package let registration: String?
    package let associatedDomains: [String]
    /// What already stands in the way of AutoFill for this app.
    package let reasons: [ReasonReport]

    package init(
        bundleID: String, assurance: String, grounds: [String], registration: String?, associatedDomains: [String],
        reasons: [ReasonReport]
    ) {
        self.bundleID = bundleID
        self.assurance = assurance
        self.grounds = grounds
        self.registration = registration
        self.associatedDomains = associatedDomains
        self.reasons = reasons
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        bundleID = try members.string("bundleID", bytes: 1...255)
        assurance = try members.string("assurance", bytes: 1...32)
        grounds = try members.strings("grounds")
        registration = try members.optionalString("registration", bytes: 0...4096)
        associatedDomains = try members.strings("associatedDomains")
        reasons = try members.values("reasons")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("bundleID", bundleID)
        writer.member("assurance", assurance)
        writer.member("grounds", grounds)
        writer.member("registration", orNull: registration)
        writer.member("associatedDomains", associatedDomains)
        writer.member("reasons", reasons)
    }
}
