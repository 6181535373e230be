// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import Settings

/// What has happened, for those who subscribed and may know. It never holds a user name or a secret.
package enum ServiceEvent {
    /// Why the vault was locked.
    package enum LockCause: String, Sendable {
        case request, idle, session, sleep
    }

    package enum CredentialChange: String, Sendable {
        case saved, deleted
    }

    case vaultLocked(LockCause)
    case vaultUnlocked
    /// The names of what changed, and what was in force before.
    case settingsChanged([String], before: DaemonSettings)
    /// A credential, and all services that it is for.
    case credentialsChanged(ObjectID, [Service], CredentialChange)
    /// Anything that is saved may be another: a backup was put in the place of the vault, or records went into quarantine.
    case allCredentialsChanged
    /// The sign-in state of an app, by its bundle ID.
    case loginStatusChanged(app: String, isSignedIn: Bool)
    /// The statement of a site about the apps that may have its passwords.
    case associationChanged(Service)
}
