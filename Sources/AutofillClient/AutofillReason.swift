// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Reasons

/// Why something is withheld or refused, with what mends it.
public struct AutofillReason: Hashable, Sendable {
    /// The name of the reason in protocol.md and in the journal (`AUTOFILL_REASON`). New ones may come.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// As on the wire, in kebab-case.
        public let rawValue: String

        /// A code by its name on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        init(_ reason: Reason) { rawValue = reason.rawValue }
    }

    /// Who can mend it.
    public let audience: Audience
    /// Which reason it is.
    public let code: Code
    /// What is wrong, in one line; for a missing association in Apple's words.
    public let message: String
    /// What mends it: a command, or what to change in the app.
    public let fix: String
    /// When the same request may succeed.
    public let retry: Retry
    /// For `afterEvent`: the event.
    public let event: String?
    /// For `afterDelay`: how long, where that is known.
    public let retryAfter: Duration?
    /// What the message and the fix speak of: `app`, `domain`, `field` and the like.
    public let parameters: [String: String]

    /// Who can mend something.
    public struct Audience: ProtocolWord {
        /// As it stands on the wire.
        public let rawValue: String

        /// A word as it stands on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The person who uses the app.
        public static let user = Self(rawValue: "user")
        /// Who writes the app.
        public static let developer = Self(rawValue: "developer")
        /// Who administers the machine.
        public static let administrator = Self(rawValue: "administrator")
    }

    /// When a request that was refused may succeed.
    public struct Retry: ProtocolWord {
        /// As it stands on the wire.
        public let rawValue: String

        /// A word as it stands on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Not this one.
        public static let never = Self(rawValue: "never")
        /// At once, as it is.
        public static let now = Self(rawValue: "now")
        /// When what the fix names was done.
        public static let afterChange = Self(rawValue: "afterChange")
        /// After `event`.
        public static let afterEvent = Self(rawValue: "afterEvent")
        /// After `retryAfter`.
        public static let afterDelay = Self(rawValue: "afterDelay")
    }

    init(_ report: ReasonReport) {
        code = Code(rawValue: report.reason)
        message = report.message
        fix = report.fix
        audience = Audience(rawValue: report.audience)
        retry = Retry(rawValue: report.retry)
        event = report.event
        retryAfter = report.retryAfterMilliseconds.map { .milliseconds($0) }
        parameters = report.parameters
    }
}

/// The reasons that an app may want to tell apart. protocol.md has them all.
extension AutofillReason.Code {
    /// The keychain is off.
    public static let keychainDisabled = Self(.keychainDisabled)
    /// AutoFill is off.
    public static let autoFillDisabled = Self(.autoFillDisabled)
    /// Strong passwords are off, for all apps or this one.
    public static let strongPasswordsDisabled = Self(.strongPasswordsDisabled)
    /// The program is not the app it says it is.
    public static let identityMismatch = Self(.identityMismatch)
    /// Nobody has registered the app.
    public static let appNotRegistered = Self(.appNotRegistered)
    /// The registration lacks the entitlement of a credential provider.
    public static let providerEntitlementMissing = Self(.providerEntitlementMissing)
    /// The registration lacks the entitlement to hand over one-time codes.
    public static let codeSourceEntitlementMissing = Self(.codeSourceEntitlementMissing)
    /// The registration has no associated domain.
    public static let associatedDomainsMissing = Self(.associatedDomainsMissing)
    /// The domain is not among the app's associated domains.
    public static let domainNotAssociated = Self(.domainNotAssociated)
    /// The site has not been asked yet whether the app is its own.
    public static let siteNotFetched = Self(.siteNotFetched)
    /// The site could not be asked whether the app is its own.
    public static let siteFetchFailed = Self(.siteFetchFailed)
    /// The site does not list the app.
    public static let siteNotListing = Self(.siteNotListing)
    /// The person has not approved the domain, and nothing is done without it.
    public static let approvalMissing = Self(.approvalMissing)
    /// The person has denied that the domain is the app's.
    public static let approvalDenied = Self(.approvalDenied)
    /// The form has no field for a new password.
    public static let newPasswordFieldMissing = Self(.newPasswordFieldMissing)
    /// The new password's text is shown.
    public static let fieldNotSecure = Self(.fieldNotSecure)
    /// The sign-up form has no field for the user name.
    public static let usernameFieldMissing = Self(.usernameFieldMissing)
    /// No password can meet the rules.
    public static let passwordRulesUnsatisfiable = Self(.passwordRulesUnsatisfiable)
    /// The person has not allowed the app what is saved.
    public static let grantMissing = Self(.grantMissing)
    /// The person has forbidden the app what is saved.
    public static let grantDenied = Self(.grantDenied)
    /// The person said no, this time.
    public static let consentDenied = Self(.consentDenied)
    /// The person would have to be asked, and the request forbids it.
    public static let interactionRequired = Self(.interactionRequired)
    /// The person did not say that the form is to be saved.
    public static let saveUnconfirmed = Self(.saveUnconfirmed)
    /// The person does not want submitted forms to be saved.
    public static let saveDisabled = Self(.saveDisabled)
    /// There is no vault yet.
    public static let vaultMissing = Self(.vaultMissing)
    /// The vault is locked.
    public static let vaultLocked = Self(.vaultLocked)
    /// Nothing is saved under that name.
    public static let credentialNotFound = Self(.credentialNotFound)
    /// There is no such one-time code.
    public static let codeNotFound = Self(.codeNotFound)
    /// There is no such keychain item.
    public static let itemNotFound = Self(.itemNotFound)
    /// The other account has a keychain item already.
    public static let itemExists = Self(.itemExists)
    /// There is no such verifier.
    public static let verifierNotFound = Self(.verifierNotFound)
    /// The verifier is not checked yet, after wrong passwords.
    public static let checkTooSoon = Self(.checkTooSoon)
    /// The registration does not list this access group.
    public static let accessGroupNotEntitled = Self(.accessGroupNotEntitled)
    /// The credential has changed since that version.
    public static let versionMismatch = Self(.versionMismatch)
    /// Too many strong passwords wait to be accepted or declined.
    public static let tooManyOffers = Self(.tooManyOffers)
    /// There is no such offer.
    public static let offerNotFound = Self(.offerNotFound)
    /// The offer has expired.
    public static let offerExpired = Self(.offerExpired)
    /// The offer was accepted before, otherwise.
    public static let offerAlreadyAccepted = Self(.offerAlreadyAccepted)
    /// The offer was declined before.
    public static let offerDeclined = Self(.offerDeclined)
    /// The program at this end of the connection is no longer the one that connected.
    public static let peerChanged = Self(.peerChanged)
    /// The service stops. What may be repeated is sent anew by itself; see ``AutofillSession``.
    public static let stopping = Self(.stopping)
}
