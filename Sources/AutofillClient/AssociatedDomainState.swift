// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// What the site and the person say of the app and one of its associated domains.
public struct AssociatedDomainState: Hashable, Sendable {
    /// The entry of the registration, `webcredentials:*.example.com`.
    public let entry: String
    /// The domain whose file speaks for it.
    public let site: String
    /// Whether the two words make the domain the app's.
    public let isApproved: Bool
    /// What the site says: `approved`, `notNeeded`, `notListing`, `failed`, `notFetched`.
    public let siteState: String
    /// Why, for people.
    public let siteEvidence: String
    /// What the person says: `approved`, `denied`, `silent`, or `needed` where nothing is done without it.
    public let userState: String
    /// Why, for people.
    public let userEvidence: String
    /// When the site was last heard, RFC 3339.
    public let fetched: String?
    /// Until when that holds, RFC 3339.
    public let validUntil: String?
    /// When the site was last asked, heard or not, RFC 3339.
    public let lastAttempt: String?
    /// When it is asked again, at the earliest, RFC 3339.
    public let nextAttempt: String?
    /// What became of each of its files at the last attempt: what `swcutil` shows.
    public let files: [SiteFile]

    /// One of the two places of a site's association file.
    public struct SiteFile: Hashable, Sendable {
        /// Its name below `/.well-known/`.
        public let name: String
        /// The HTTP status, where there was an answer.
        public let status: Int?
        /// Why it could not be used, `timed-out`, `redirected` and others (protocol.md, "Site associations"); nil where
        /// it was read.
        public let failure: String?
        /// The failure in words, for people.
        public let detail: String?
        /// Whether it lists this app.
        public let listsApp: Bool
    }

    init(_ report: DomainReport) {
        entry = report.entry
        site = report.site
        isApproved = report.approved
        siteState = report.siteState.rawValue
        siteEvidence = report.siteEvidence
        userState = report.userState.rawValue
        userEvidence = report.userEvidence
        fetched = report.fetched
        validUntil = report.validUntil
        lastAttempt = report.lastAttempt
        nextAttempt = report.nextAttempt
        files = report.files.map {
            SiteFile(
                name: $0.file, status: $0.status, failure: $0.failure?.rawValue, detail: $0.detail,
                listsApp: !$0.apps.isEmpty)
        }
    }
}
