// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
import AutofillProtocol
public import FoundationEssentials

/// What the site and the user decided about the app and one of its associated domains.
public struct AssociatedDomainState: Hashable, Sendable {
    /// The entry of the registration, `webcredentials:*.example.com`.
    public let entry: String
    /// The domain whose association files decide, `example.com`.
    public let site: String
    /// Whether statement and decision together approve the domain for the app.
    public let isApproved: Bool
    /// The site's statement.
    public let siteState: SiteState
    /// The site's statement in a sentence, for people.
    public let siteEvidence: String
    /// The user's decision.
    public let userState: UserState
    /// The user's decision in a sentence, for people.
    public let userEvidence: String
    /// When the site's statement was last fetched.
    public let fetched: Date?
    /// The first instant at which the statement is no longer valid.
    public let validUntil: Date?
    /// When the last attempt to fetch it was made.
    public let lastAttempt: Date?
    /// The earliest time of the next attempt.
    public let nextAttempt: Date?
    /// The result for each file at the last attempt; of the apps only this one is listed.
    public let files: [SiteFile]

    init(_ report: DomainReport) throws(AutofillError) {
        entry = report.entry
        site = report.site
        isApproved = report.approved
        siteState = SiteState(rawValue: report.siteState)
        siteEvidence = report.siteEvidence
        userState = UserState(rawValue: report.userState)
        userEvidence = report.userEvidence
        fetched = try date(report.fetched)
        validUntil = try date(report.validUntil)
        lastAttempt = try date(report.lastAttempt)
        nextAttempt = try date(report.nextAttempt)
        files = report.files.map(SiteFile.init)
    }
}

extension AssociatedDomainState {
    /// The result for one of the two locations of a site's association file.
    public struct SiteFile: Hashable, Sendable {
        /// Its name below `/.well-known/`.
        public let name: String
        /// The HTTP status, when there was an answer.
        public let status: Int?
        /// Why it could not be used, `timed-out`, `redirected` and others (protocol.md, "Site associations"); nil if it
        /// was read.
        public let failure: String?
        /// The failure, for people.
        public let detail: String?
        /// Whether it lists this app.
        public let listsApp: Bool

        init(_ report: AssociationFileReport) {
            name = report.file
            status = report.status
            failure = report.failure
            detail = report.detail
            listsApp = !report.apps.isEmpty
        }
    }
}

extension AssociatedDomainState {
    /// What a site states about the app.
    public struct SiteState: ProtocolWord {
        /// The value on the wire.
        public let rawValue: String

        /// - Parameter rawValue: the value on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The site lists the app.
        public static let approved = Self(rawValue: "approved")
        /// The site is not needed: the administrator or the user approved the domain.
        public static let notNeeded = Self(rawValue: "notNeeded")
        /// The site does not list the app.
        public static let notListing = Self(rawValue: "notListing")
        /// The site could not be reached, or its answer not be used.
        public static let failed = Self(rawValue: "failed")
        /// The site has not been asked yet.
        public static let notFetched = Self(rawValue: "notFetched")
    }
}

extension AssociatedDomainState {
    /// What the user decided about the app and the domain.
    public struct UserState: ProtocolWord {
        /// The value on the wire.
        public let rawValue: String

        /// - Parameter rawValue: the value on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Approved.
        public static let approved = Self(rawValue: "approved")
        /// Denied.
        public static let denied = Self(rawValue: "denied")
        /// Nothing, and no decision is needed.
        public static let silent = Self(rawValue: "silent")
        /// Nothing, and a decision is needed.
        public static let needed = Self(rawValue: "needed")
    }
}
