// SPDX-License-Identifier: Apache-2.0

/// The state of one associated domain of one app.
package struct DomainReport: Message, Hashable {
    /// The site's statement.
    package enum SiteState: String, CaseIterable, Sendable {
        case approved
        /// A setting or the administrator's registration replaces it.
        case notNeeded
        case notListing, failed, notFetched
    }

    /// The user's decision.
    package enum UserState: String, CaseIterable, Sendable {
        case approved, denied, silent
        /// Silent, and without approval nothing is done: the entry is in developer mode.
        case needed
    }

    package let bundleID: String
    package let entry: String
    package let site: String
    /// A `SiteState`, or one of a later version.
    package let siteState: String
    package let siteEvidence: String
    /// A `UserState`, or one of a later version.
    package let userState: String
    package let userEvidence: String
    package let approved: Bool
    package let fetched: String?
    package let validUntil: String?
    package let lastAttempt: String?
    package let nextAttempt: String?
    package let files: [AssociationFileReport]

    package init(
        bundleID: String, entry: String, site: String, siteState: String, siteEvidence: String,
        userState: String, userEvidence: String, approved: Bool, fetched: String?, validUntil: String?,
        lastAttempt: String?, nextAttempt: String?, files: [AssociationFileReport]
    ) {
        (self.bundleID, self.entry, self.site, self.siteState) = (bundleID, entry, site, siteState)
        (self.siteEvidence, self.userState, self.userEvidence) = (siteEvidence, userState, userEvidence)
        (self.approved, self.fetched, self.validUntil) = (approved, fetched, validUntil)
        (self.lastAttempt, self.nextAttempt, self.files) = (lastAttempt, nextAttempt, files)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            bundleID: try field("bundleID", \.bundleID, .string(1...255), "The app."),
            entry: try field(
                "entry", \.entry, .string(1...512), "The entry of the registration, `webcredentials:*.example.com`."),
            site: try field(
                "site", \.site, .string(1...253), "The domain whose association files decide, `example.com`."),
            siteState: try field("siteState", \.siteState, .word(Words.siteStates, 1...32), "The site's statement."),
            siteEvidence: try field(
                "siteEvidence", \.siteEvidence, .string(0...4096), "The site's statement in a sentence, for people."),
            userState: try field("userState", \.userState, .word(Words.userStates, 1...32), "The user's decision."),
            userEvidence: try field(
                "userEvidence", \.userEvidence, .string(0...4096), "The user's decision in a sentence, for people."),
            approved: try field(
                "approved", \.approved, .boolean,
                "Whether statement and decision together approve the domain for the app."),
            fetched: try field(
                optional: "fetched", \.fetched, .instant, "When the site's statement was last fetched."),
            validUntil: try field(
                optional: "expires", \.validUntil, .instant,
                "The first instant at which the statement is no longer valid."),
            lastAttempt: try field(
                optional: "lastAttempt", \.lastAttempt, .instant, "When the last attempt to fetch it was made."),
            nextAttempt: try field(
                optional: "nextAttempt", \.nextAttempt, .instant, "The earliest time of the next attempt."),
            files: try field(
                "files", \.files, .objects(limit: 8),
                "The result for each file at the last attempt; of the apps only this one is listed."))
    }
}
