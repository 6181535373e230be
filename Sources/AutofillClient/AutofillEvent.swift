// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
public import FoundationEssentials

/// Something that has happened to what concerns the app. It holds no user name and no secret.
public struct AutofillEvent: Hashable, Sendable {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// The app's user has signed in or out.
        case signInChanged(isSignedIn: Bool)
        /// A credential of one of the app's sites was saved or deleted.
        case credentialsChanged(
            service: CredentialServiceIdentifier, credential: SavedCredential.ID, change: CredentialChange)
        /// Anything that is saved may be another than before: a backup was restored, or the vault repaired. Look at all of
        /// it anew.
        case allCredentialsChanged
        /// The vault was closed: what needs it is refused, or waits for the person, until ``vaultUnlocked``.
        case vaultLocked
        /// What was refused because the vault was locked may be asked for again.
        case vaultUnlocked
        /// One of the settings that decide about the app.
        case settingsChanged(AutofillSettings)
        /// What a site says of the apps that may have its passwords.
        case associationChanged(service: CredentialServiceIdentifier)
        /// The service started anew, and the session connected again. This is how things are now; what happened meanwhile
        /// is not told.
        case stateChanged(vault: VaultState, settings: AutofillSettings)
        /// So many events did not reach the app, because it did not read: look at the state anew.
        case eventsLost(Int)
    }

    /// What happened.
    public let kind: Kind
    /// When.
    public let at: Date
    /// Whether a call of this session brought it about.
    public let isOwn: Bool

    init(_ kind: Kind, at: Date, isOwn: Bool) {
        self.kind = kind
        self.at = at
        self.isOwn = isOwn
    }

    /// nil for what autofillctl alone is told in such words: that the site of some app has spoken.
    init?(_ notice: EventNotice) {
        let kind: Kind? =
            switch notice.content {
            case .loginStatusChanged(let isSignedIn): .signInChanged(isSignedIn: isSignedIn)
            case .credentialsChanged(let service?, let credential?, let change?):
                .credentialsChanged(
                    service: CredentialServiceIdentifier(service), credential: credential,
                    change: CredentialChange(rawValue: change))
            // Less than all three is no news of one credential.
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
