// SPDX-License-Identifier: Apache-2.0

/// The state of one associated domain of one app.
package struct DomainReport: Message, Hashable {
    /// What the site says.
    package enum SiteState: String, CaseIterable, Sendable {
        case approved
        /// A setting, or the administrator's registration, stands in its place.
        case notNeeded
        case notListing, failed, notFetched
    }

    /// What the person says.
    package enum UserState: String, CaseIterable, Sendable {
        case approved, denied, silent
        /// Silent, and without approval nothing is done: the entry is in developer mode.
        case needed
    }

    package let bundleID: String
    package let entry: String
    package let site: String
    package let siteState: SiteState
    package let siteEvidence: String
    package let userState: UserState
    package let userEvidence: String
    package let approved: Bool
    package let fetched: String?
    package let validUntil: String?
    package let lastAttempt: String?
    package let nextAttempt: String?
    package let files: [AssociationFileReport]

    package init(
        bundleID: String, entry: String, site: String, siteState: SiteState, siteEvidence: String,
        userState: UserState, userEvidence: String, approved: Bool, fetched: String?, validUntil: String?,
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
            site: try field("site", \.site, .string(1...253), "The domain whose files speak for it, `example.com`."),
            siteState: try field("siteState", \.siteState, .choice(), "What the site says."),
            siteEvidence: try field(
                "siteEvidence", \.siteEvidence, .string(0...4096), "The site's word in a sentence."),
            userState: try field("userState", \.userState, .choice(), "What the person says."),
            userEvidence: try field(
                "userEvidence", \.userEvidence, .string(0...4096), "The person's word in a sentence."),
            approved: try field("approved", \.approved, .boolean, "Whether the two words make the domain the app's."),
            fetched: try field(
                nullable: "fetched", \.fetched, .instant, "When the site was last heard, and until when that holds."),
            validUntil: try field(
                nullable: "validUntil", \.validUntil, .instant, "The first instant at which it does not hold."),
            lastAttempt: try field(
                nullable: "lastAttempt", \.lastAttempt, .instant, "When it was last asked, and when it is asked again."),
            nextAttempt: try field(nullable: "nextAttempt", \.nextAttempt, .instant, "When it is asked again."),
            files: try field(
                "files", \.files, .objects(limit: 8),
                "What became of each file at the last attempt; of the apps only this one is named."))
    }
}
