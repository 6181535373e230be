// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import Reasons

/// What a decision about a request waits for. Requests that wait for an equal one share it.
enum Awaited {
    /// The vault to be opened, by whoever opens it.
    case unlock
    /// A site to be asked what apps it lists, for an app.
    case association(AssociationQuery, BundleIdentifier)
    /// The person's word about an app and a service.
    case consent(ConsentQuestion)
    /// The work on the whole vault to be done.
    case vaultWork
    /// A password generator to be made.
    case generator(PasswordGenerators.Key)
    /// A later turn of the loop, for more of the vault than one may open.
    case turn

    /// Whether it is a prompt that shows, or will.
    var isPrompt: Bool {
        switch self {
        case .unlock, .consent: true
        case .association, .vaultWork, .generator, .turn: false
        }
    }

    var isTurn: Bool { if case .turn = self { true } else { false } }

    /// How long a request waits for it.
    var waitMilliseconds: Int {
        switch self {
        case .unlock, .consent, .vaultWork, .turn: Limits.promptMilliseconds
        case .association: Limits.associationWaitMilliseconds
        case .generator: Limits.rulesMilliseconds
        }
    }

    /// What a request gets that has waited for it as long as it may.
    var refusalAfterWaiting: Refusal {
        switch self {
        case .unlock: Refusal(.vaultLocked)
        case .association(let query, _): Refusal(.siteNotFetched, [.domain: query.domain])
        case .consent(let question): Refusal(.consentDenied, question.names)
        case .vaultWork, .turn: .vaultBusy
        case .generator: Refusal(.tooManyRequests, retryAfterMilliseconds: 1000)
        }
    }
}
