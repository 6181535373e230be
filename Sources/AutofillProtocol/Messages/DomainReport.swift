// SPDX-License-Identifier: Apache-2.0

/// The state of one associated domain of one app.
package struct DomainReport: WireValue, Hashable {
    /// What the site says.
    package enum SiteState: String, Sendable {
        case approved
        /// A setting, or the administrator's registration, stands in its place.
        case notNeeded
        case notListing, failed, notFetched
    }

    /// What the person says.
    package enum UserState: String, Sendable {
        case approved, denied, silent
        /// Silent, and without approval nothing is done: the entry is in developer mode.
        case needed
    }

    package let bundleID: String
    /// The entry of the registration, `webcredentials:*.example.com`.
    package let entry: String
    /// The domain whose files speak for it, `example.com`.
    package let site: String
    package let siteState: SiteState
    package let siteEvidence: String
    package let userState: UserState
    package let userEvidence: String
    /// Whether the two words make the domain the app's.
    package let approved: Bool
    /// When the site was last heard, and until when that holds.
    package let fetched: String?
    package let validUntil: String?
    /// When it was last asked, and when it is asked again.
    package let lastAttempt: String?
    package let nextAttempt: String?
    /// What became of each file at the last attempt; of the apps only this one is named.
    package let files: [AssociationFileReport]

    package init(
        bundleID: String, entry: String, site: String, siteState: SiteState, siteEvidence: String,
        userState: UserState, userEvidence: String, approved: Bool, fetched: String?, validUntil: String?,
        lastAttempt: String?, nextAttempt: String?, files: [AssociationFileReport]
    ) {
        self.bundleID = bundleID
        self.entry = entry
        self.site = site
        self.siteState = siteState
        self.siteEvidence = siteEvidence
        self.userState = userState
        self.userEvidence = userEvidence
        self.approved = approved
        self.fetched = fetched
        self.validUntil = validUntil
        self.lastAttempt = lastAttempt
        self.nextAttempt = nextAttempt
        self.files = files
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        bundleID = try members.string("bundleID", bytes: 1...255)
        entry = try members.string("entry", bytes: 1...512)
        site = try members.string("site", bytes: 1...253)
        siteState = try members.choice("siteState")
        siteEvidence = try members.string("siteEvidence", bytes: 0...4096)
        userState = try members.choice("userState")
        userEvidence = try members.string("userEvidence", bytes: 0...4096)
        approved = try members.bool("approved")
        fetched = try members.optionalString("fetched", bytes: 1...64)
        validUntil = try members.optionalString("validUntil", bytes: 1...64)
        lastAttempt = try members.optionalString("lastAttempt", bytes: 1...64)
        nextAttempt = try members.optionalString("nextAttempt", bytes: 1...64)
        files = try members.values("files", limit: 8)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("bundleID", bundleID)
        writer.member("entry", entry)
        writer.member("site", site)
        writer.member("siteState", siteState.rawValue)
        writer.member("siteEvidence", siteEvidence)
        writer.member("userState", userState.rawValue)
        writer.member("userEvidence", userEvidence)
        writer.member("approved", approved)
        writer.member("fetched", orNull: fetched)
        writer.member("validUntil", orNull: validUntil)
        writer.member("lastAttempt", orNull: lastAttempt)
        writer.member("nextAttempt", orNull: nextAttempt)
        writer.member("files", files)
    }
}
