// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
public import FoundationEssentials

/// What the site and the person say of the app and one of its associated domains.
public struct AssociatedDomainState: Hashable, Sendable {
    /// The entry of the registration, `webcredentials:*.example.com`.
    public let entry: String
    /// The domain whose file speaks for it.
    public let site: String
    /// Whether the two words make the domain the app's.
    public let isApproved: Bool
    /// What the site says.
    public let siteState: SiteState
    /// Why, for people.
    public let siteEvidence: String
    /// What the person says.
    public let userState: UserState
    /// Why, for people.
    public let userEvidence: String
    /// When the site was last heard.
    public let fetched: Date?
    /// Until when that holds.
    public let validUntil: Date?
    /// When the site was last asked, heard or not.
    public let lastAttempt: Date?
    /// When it is asked again, at the earliest.
    public let nextAttempt: Date?
    /// What became of each of its files at the last attempt: what `swcutil` shows.
    public let files: [SiteFile]

    /// What a site says of the app.
    public struct SiteState: ProtocolWord {
        /// As it stands on the wire.
        public let rawValue: String

        /// A word as it stands on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The app is its own.
        public static let approved = Self(rawValue: "approved")
        /// Its word is not needed: the administrator's or the person's stands for it.
        public static let notNeeded = Self(rawValue: "notNeeded")
        /// It does not list the app.
        public static let notListing = Self(rawValue: "notListing")
        /// It could not be asked.
        public static let failed = Self(rawValue: "failed")
        /// It has not been asked yet.
        public static let notFetched = Self(rawValue: "notFetched")
    }

    /// What the person says of the app and the domain.
    public struct UserState: ProtocolWord {
        /// As it stands on the wire.
        public let rawValue: String

        /// A word as it stands on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Yes.
        public static let approved = Self(rawValue: "approved")
        /// No.
        public static let denied = Self(rawValue: "denied")
        /// Nothing, and nothing is needed.
        public static let silent = Self(rawValue: "silent")
        /// Nothing, and without it nothing is done.
        public static let needed = Self(rawValue: "needed")
    }

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

    init(_ report: DomainReport) throws(AutofillError) {
        entry = report.entry
        site = report.site
        isApproved = report.approved
        siteState = SiteState(rawValue: report.siteState.rawValue)
        siteEvidence = report.siteEvidence
        userState = UserState(rawValue: report.userState.rawValue)
        userEvidence = report.userEvidence
        fetched = try date(report.fetched)
        validUntil = try date(report.validUntil)
        lastAttempt = try date(report.lastAttempt)
        nextAttempt = try date(report.nextAttempt)
        files = report.files.map {
            SiteFile(
                name: $0.file, status: $0.status, failure: $0.failure?.rawValue, detail: $0.detail,
                listsApp: !$0.apps.isEmpty)
        }
    }
}
