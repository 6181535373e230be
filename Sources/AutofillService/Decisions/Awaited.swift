// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
package import AutofillProtocol
internal import CredentialStorage
internal import Reasons
package import SecretMemory

/// What a request waits for before it is judged again. Requests that wait for an equal one share it.
package enum Awaited: Sendable {
    /// The vault to be opened, by anybody.
    case unlock
    /// A site to be asked which apps it lists, for an app.
    case association(AssociationQuery, BundleIdentifier)
    /// The user's answer about an app and a service.
    case consent(ConsentQuestion)
    /// The end of the work on the whole vault.
    case vaultWork
    /// A password generator.
    case generator(PasswordGenerators.Key)
    /// A later turn of the loop, for more of the vault than one may open.
    case turn
    /// Offers whose time has run out to be marked as expired.
    case offerExpiry
    /// The files of registrations to be read again.
    case files
    /// The programs that a grant is for to be inspected.
    case grantedPrograms(GrantedPrograms.Query)
    /// New slots to be derived from secrets.
    case slots([NewSecret])
    /// A password to be hashed.
    case passwordHash(SecretBytes, basis: any Sendable)
    /// A password to be checked against the hash of a verifier.
    case passwordCheck(SecretBytes, hash: SecretBytes)

    /// Whether it shows a prompt.
    var isPrompt: Bool {
        switch self {
        case .unlock, .consent: true
        default: false
        }
    }

    /// How long a request waits for it.
    var limit: Duration {
        switch self {
        case .association: .milliseconds(Limits.associationWaitMilliseconds)
        case .generator: .milliseconds(Limits.rulesMilliseconds)
        default: .milliseconds(Limits.promptMilliseconds)
        }
    }
}

/// What a request has waited for, and uses when it is judged again.
struct AwaitedResults {
    /// Whether the files of registrations were read since the request came.
    var hasReadFiles = false
    var grantedPrograms: GrantedPrograms?
    var slots: DerivedSlots?
    /// How many attempts to ask sites had ended when the request was judged first.
    var attemptsBefore: UInt64?
    var passwordHash: (hash: PasswordHash, basis: any Sendable)?
    var passwordCheck: PasswordCheck?
}
