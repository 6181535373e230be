// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
public import FoundationEssentials

/// An event that concerns the app. It holds no user name and no secret.
public struct AutofillEvent: Hashable, Sendable {
    /// The kind of an event.
    public enum Kind: Hashable, Sendable {
        /// The app's user has signed in or out.
        case signInChanged(isSignedIn: Bool)
        /// A credential of one of the app's sites was saved or deleted.
        case credentialsChanged(
            service: CredentialServiceIdentifier, credential: SavedCredential.ID, change: CredentialChange)
        /// Any saved credential may have changed: a backup was restored, or the vault was repaired. Read all again.
        case allCredentialsChanged
        /// The vault was locked: what needs it is refused, or waits for the user, until ``vaultUnlocked``.
        case vaultLocked
        /// The vault was unlocked: what was refused because it was locked may be requested again.
        case vaultUnlocked
        /// One of the settings that decide about the app was changed.
        case settingsChanged(AutofillSettings)
        /// The site association of a domain was changed.
        case associationChanged(service: CredentialServiceIdentifier)
        /// The service restarted, and the session connected again. This is the current state; the events in between are not
        /// reported.
        case stateChanged(vault: VaultState, settings: AutofillSettings)
        /// This number of events was lost, because the app did not read them: read the state again.
        case eventsLost(Int)
    }

    /// The kind of the event.
    public let kind: Kind
    /// The time of the event.
    public let at: Date
    /// Whether a call of this session caused it.
    public let isOwn: Bool

    init(_ kind: Kind, at: Date, isOwn: Bool) {
        self.kind = kind
        self.at = at
        self.isOwn = isOwn
    }

    /// nil for an `associationChanged` without a service, which only autofillctl receives.
    init?(_ notice: EventNotice) {
        let kind: Kind? =
            switch notice.content {
            case .loginStatusChanged(let isSignedIn): .signInChanged(isSignedIn: isSignedIn)
            case .credentialsChanged(let service?, let credential?, let change?):
                .credentialsChanged(
                    service: CredentialServiceIdentifier(service), credential: credential,
                    change: CredentialChange(rawValue: change))
            // Without all three it is not about one credential.
            case .credentialsChanged: .allCredentialsChanged
            case .vaultLocked: .vaultLocked
            case .vaultUnlocked: .vaultUnlocked
            case .settingsChanged(let settings, _): .settingsChanged(AutofillSettings(settings))
            case .associationChanged(let service): service.map { .associationChanged(service: .init($0)) }
            case .eventsLost(let from, let to): .eventsLost(to - from + 1)
            }
        guard let kind, let at = try? Date(wire: notice.at) else { return nil }
        self.init(kind, at: at, isOwn: notice.causedBy != nil)
    }
}
