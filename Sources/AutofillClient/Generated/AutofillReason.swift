// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
import AutofillProtocol
import Reasons

/// Why something is withheld or refused, and its fix.
public struct AutofillReason: Hashable, Sendable {
    /// Who can fix it.
    public let audience: Audience
    /// The code of the reason; never reused.
    public let code: Code
    /// The problem in one line, for people.
    public let message: String
    /// The fix: a command, or a change of the app.
    public let fix: String
    /// When the same request may succeed.
    public let retry: Retry
    /// For `afterEvent`: the event.
    public let event: String?
    /// For `afterDelay`: the delay, if it is known.
    public let retryAfter: Duration?
    /// The values in the message and the fix: `app`, `domain`, `field` and others.
    public let parameters: [String: String]

    init(_ report: ReasonReport) {
        audience = Audience(rawValue: report.audience)
        code = Code(rawValue: report.reason)
        message = report.message
        fix = report.fix
        retry = Retry(rawValue: report.retry)
        event = report.event
        retryAfter = report.retryAfterMilliseconds.map { .milliseconds($0) }
        parameters = report.parameters
    }
}

extension AutofillReason {
    /// Who can fix a problem.
    public struct Audience: ProtocolWord {
        /// The value on the wire.
        public let rawValue: String

        /// - Parameter rawValue: the value on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The user of the app.
        public static let user = Self(rawValue: "user")
        /// The developer of the app.
        public static let developer = Self(rawValue: "developer")
        /// The administrator of the machine.
        public static let administrator = Self(rawValue: "administrator")
    }
}

extension AutofillReason {
    /// When a refused request may succeed.
    public struct Retry: ProtocolWord {
        /// The value on the wire.
        public let rawValue: String

        /// - Parameter rawValue: the value on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The same request is refused always.
        public static let never = Self(rawValue: "never")
        /// At once.
        public static let now = Self(rawValue: "now")
        /// After the fix.
        public static let afterChange = Self(rawValue: "afterChange")
        /// After `event`.
        public static let afterEvent = Self(rawValue: "afterEvent")
        /// After `retryAfter`.
        public static let afterDelay = Self(rawValue: "afterDelay")
    }
}

/// The reasons that an app may handle. protocol.md has all.
extension AutofillReason.Code {
    /// The keychain is off.
    public static let keychainDisabled = Self(.keychainDisabled)
    /// AutoFill is off.
    public static let autoFillDisabled = Self(.autoFillDisabled)
    /// Strong passwords are off, for all apps or this one.
    public static let strongPasswordsDisabled = Self(.strongPasswordsDisabled)
    /// The program is not the app that it claims to be.
    public static let identityMismatch = Self(.identityMismatch)
    /// The app has no registration.
    public static let appNotRegistered = Self(.appNotRegistered)
    /// The registration lacks the entitlement of a credential provider.
    public static let providerEntitlementMissing = Self(.providerEntitlementMissing)
    /// The registration lacks the entitlement to hand over one-time codes.
    public static let codeSourceEntitlementMissing = Self(.codeSourceEntitlementMissing)
    /// The registration has no associated domain.
    public static let associatedDomainsMissing = Self(.associatedDomainsMissing)
    /// The domain is not an associated domain of the app.
    public static let domainNotAssociated = Self(.domainNotAssociated)
    /// The site has not been asked yet whether it lists the app.
    public static let siteNotFetched = Self(.siteNotFetched)
    /// The site's association file could not be fetched.
    public static let siteFetchFailed = Self(.siteFetchFailed)
    /// The site does not list the app.
    public static let siteNotListing = Self(.siteNotListing)
    /// The user has not approved the domain, and the approval is required.
    public static let approvalMissing = Self(.approvalMissing)
    /// The user denied that the domain belongs to the app.
    public static let approvalDenied = Self(.approvalDenied)
    /// The form has no field for a new password.
    public static let newPasswordFieldMissing = Self(.newPasswordFieldMissing)
    /// The text of the new password is visible.
    public static let fieldNotSecure = Self(.fieldNotSecure)
    /// The sign-up form has no field for the user name.
    public static let usernameFieldMissing = Self(.usernameFieldMissing)
    /// No password can satisfy the rules.
    public static let passwordRulesUnsatisfiable = Self(.passwordRulesUnsatisfiable)
    /// The user has not allowed the app to get saved credentials.
    public static let grantMissing = Self(.grantMissing)
    /// The user denied the app saved credentials.
    public static let grantDenied = Self(.grantDenied)
    /// The user said no, this time.
    public static let consentDenied = Self(.consentDenied)
    /// A prompt is required, and the request forbids it.
    public static let interactionRequired = Self(.interactionRequired)
    /// The user did not confirm that the form is to be saved.
    public static let saveUnconfirmed = Self(.saveUnconfirmed)
    /// Saving of submitted forms is off.
    public static let saveDisabled = Self(.saveDisabled)
    /// There is no vault yet.
    public static let vaultMissing = Self(.vaultMissing)
    /// The vault is locked.
    public static let vaultLocked = Self(.vaultLocked)
    /// There is no such credential.
    public static let credentialNotFound = Self(.credentialNotFound)
    /// There is no such one-time code.
    public static let codeNotFound = Self(.codeNotFound)
    /// There is no such keychain item.
    public static let itemNotFound = Self(.itemNotFound)
    /// The other account has a keychain item already.
    public static let itemExists = Self(.itemExists)
    /// There is no such verifier.
    public static let verifierNotFound = Self(.verifierNotFound)
    /// The verifier cannot be checked yet, after wrong passwords.
    public static let checkTooSoon = Self(.checkTooSoon)
    /// The registration does not list this access group.
    public static let accessGroupNotEntitled = Self(.accessGroupNotEntitled)
    /// The credential was changed since that version.
    public static let versionMismatch = Self(.versionMismatch)
    /// Too many strong passwords are pending.
    public static let tooManyOffers = Self(.tooManyOffers)
    /// There is no such offer.
    public static let offerNotFound = Self(.offerNotFound)
    /// The offer has expired.
    public static let offerExpired = Self(.offerExpired)
    /// The offer was accepted before, with other values.
    public static let offerAlreadyAccepted = Self(.offerAlreadyAccepted)
    /// The offer was declined before.
    public static let offerDeclined = Self(.offerDeclined)
    /// The form was sent on another connection, too long ago, or withdrawn.
    public static let submissionNotFound = Self(.submissionNotFound)
    /// The program at this end of the connection is not the one that connected.
    public static let peerChanged = Self(.peerChanged)
    /// The service is stopping. A repeatable call is sent again automatically; see ``AutofillSession``.
    public static let stopping = Self(.stopping)
}
