// SPDX-License-Identifier: Apache-2.0
internal import Reasons

/// The values that members can have at present, for the schema. A client accepts others, too, which a later version may have.
package enum Words {
    package static let formKinds = ["signUp", "signIn", "changePassword", "oneTimeCode", "other"]
    package static let roles = [
        "username", "emailAddress", "password", "newPassword", "confirmation", "oneTimeCode", "search", "payment",
        "hidden", "other",
    ]
    package static let suggestions = ["strongPassword", "savedCredentials", "oneTimeCode"]
    package static let codeSources = ["time", "counter", "incoming"]
    package static let offerStates = ["pending", "accepted", "declined", "expired"]
    package static let submissionOutcomes = ["saved", "updated", "unchanged", "nothing"]
    package static let assurances = ["sandboxed", "installed", "attributed", "claimed", "none"]
    package static let slotKinds = ["passphrase", "key", "recoveryKey"]
    package static let askedStyles = ["readable", "random"]
    package static let styles = ["readable", "readableWithoutDashes", "random"]
    package static let syncStates = ["off", "joining", "active", "undecided", "paused"]
    package static let siteStates = DomainReport.SiteState.allCases.map(\.rawValue)
    package static let userStates = DomainReport.UserState.allCases.map(\.rawValue)
    package static let associationFailures = AssociationFailure.allCases.map(\.rawValue)
    package static let decisions = ["allow", "deny"]
    package static let findings = [
        "altered", "older", "missing", "unexpected", "unpinned", "duplicate", "slot", "releases", "rollback",
        "unmarked",
        "damaged",
    ]
    /// The most severe first: the order of `PasswordProblem.severity`.
    package static let passwordProblems = ["breached", "reused", "weak", "invalid", "old", "without-code"]
    package static let importRecords = ["login", "note"]
    package static let importOutcomes = ["conflict", "keptAsField", "tooMany", "tooLong", "taken"]
    package static let importComponents = ["site", "user", "notes", "code", "tag", "field", "passkey"]
    package static let settingSources = ["default", "administrator", "user"]
    package static let lockCauses = ["request", "idle", "session", "sleep"]
    package static let matches = ["exact", "site"]
    package static let credentialChanges = ["saved", "deleted"]
    package static let services = ["domain", "url", "origin", "title"]
    package static let capabilities = [
        "strong-passwords", "credentials", "codes", "urls", "origins", "code-source", "keychain", "verifiers",
        "sign-in",
    ]
    package static let audiences = ["user", "developer", "administrator"]
    package static let retries = ["never", "now", "afterChange", "afterEvent", "afterDelay"]
    package static let methods = Method.allCases.map(\.rawValue)
    package static let reasons = ProtocolProblem.Kind.allCases.map(\.rawValue) + Reason.allCases.map(\.rawValue)
    /// Or the reason why the vault cannot be opened.
    package static let vaultStates = ["missing", "locked", "unlocked"] + Reason.allCases.map(\.rawValue)
}
