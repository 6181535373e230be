// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains

/// The table of settings: the raw value is the member's name in a settings file. The man page and `protocol.md` are
/// held equal to it.
package enum Setting: String, CaseIterable, Sendable {
    case keychain
    case autoFill
    case strongPasswords
    case strongPasswordsByApp
    case strongPasswordStyle
    case strongPasswordBits
    case siteAssociation
    case offerLifetimeMinutes
    case askBeforeFill
    case askInBrowser
    case secretServiceIsolation = "secretService.isolation"
    case prompter
    case saveSubmitted
    case lockWhenIdleMinutes
    case terminalProofMinutes
    case lockOnSessionLock
    case lockBeforeSleep
    case vaultKeyFile
    case automaticBackups
    case keepDeletedDays
    case journalDomains
    case logLevel

    package var name: String { rawValue }

    /// Whether its value reveals other apps or files: it is shown with proof only.
    package var isPrivate: Bool {
        switch self {
        case .strongPasswordsByApp, .vaultKeyFile, .prompter: true
        default: false
        }
    }

    /// One sentence for users.
    package var summary: String {
        switch self {
        case .keychain: "Whether credentials are kept and given at all."
        case .autoFill: "Whether saved credentials are offered and filled, and new ones saved, in apps."
        case .strongPasswords: "Whether strong passwords are offered where an app asks for a new one."
        case .strongPasswordsByApp:
            "The same for single apps, by bundle ID; an app that is not listed follows strongPasswords."
        case .strongPasswordStyle: "The style of a strong password: readable groups of letters, or random characters."
        case .strongPasswordBits: "The strength a strong password has where the site's rules leave its length open."
        case .siteAssociation:
            "Whose statement associates a domain with an app: the site's or the user's; also a root-owned registration's; or none."
        case .offerLifetimeMinutes:
            "For how many minutes an app can accept an offered password; after that only autofillctl offers accept can, while the offer is kept (keepDeletedDays)."
        case .askBeforeFill:
            "Whether the user is asked once for an app and a site, and the decision remembered, or every time."
        case .askInBrowser:
            "Whether a web browser is allowed site by site, or once for all sites until the login ends."
        case .secretServiceIsolation:
            "Whether the user is asked before a program gets what others store through Secret Service, and a script its own (apps), or all is shared without a prompt, as gnome-keyring does (none)."
        case .prompter:
            "The program that prompts the user, a pinentry or one that the administrator names; null for the system's."
        case .saveSubmitted:
            "Whether a password that the user typed in an app is saved: after asking, always, or never."
        case .lockWhenIdleMinutes: "After how long without a request that uses the vault it is locked; 0 for never."
        case .terminalProofMinutes:
            "For how many minutes after its last use a passphrase that was typed at a terminal remains valid for autofillctl there; 0 disables this."
        case .lockOnSessionLock:
            "Whether the vault is locked with the session (loginctl lock-session, a locked screen)."
        case .lockBeforeSleep: "Whether the vault is locked before the machine sleeps."
        case .vaultKeyFile: "The key file that opens the vault when the daemon starts; null where none does."
        case .automaticBackups: "How many automatic backups of the vault are kept, one a day; 0 for none."
        case .keepDeletedDays:
            "For how many days a deleted credential, and a password that was offered and not accepted, can be restored."
        case .journalDomains:
            "How domains are shown in the journal: full, hashed (equal domains have equal hashes until a restart), or hidden."
        case .logLevel: "The least that is written to the journal. Refusals are notices, releases info."
        }
    }

    /// How the setting is kept, read and checked.
    var kind: Kind {
        switch self {
        case .keychain: .bool(\.keychain)
        case .autoFill: .bool(\.autoFill)
        case .strongPasswords: .bool(\.strongPasswords)
        case .strongPasswordsByApp: .switches(\.strongPasswordsByApp, atMost: 4096)
        case .strongPasswordStyle: .choice(\.strongPasswordStyle)
        case .strongPasswordBits: .integer(\.strongPasswordBits, 40...256)
        case .siteAssociation: .choice(\.siteAssociation)
        case .offerLifetimeMinutes: .integer(\.offerLifetimeMinutes, 1...43_200)
        case .askBeforeFill: .choice(\.askBeforeFill)
        case .askInBrowser: .choice(\.askInBrowser)
        case .secretServiceIsolation: .choice(\.secretServiceIsolation)
        case .prompter: .path(\.prompter)
        case .saveSubmitted: .choice(\.saveSubmitted)
        case .lockWhenIdleMinutes: .integer(\.lockWhenIdleMinutes, 0...10_080)
        case .terminalProofMinutes: .integer(\.terminalProofMinutes, 0...60)
        case .lockOnSessionLock: .bool(\.lockOnSessionLock)
        case .lockBeforeSleep: .bool(\.lockBeforeSleep)
        case .vaultKeyFile: .path(\.vaultKeyFile)
        case .automaticBackups: .integer(\.automaticBackups, 0...366)
        case .keepDeletedDays: .integer(\.keepDeletedDays, 1...3660)
        case .journalDomains: .choice(\.journalDomains)
        case .logLevel: .choice(\.logLevel)
        }
    }

    package var defaultValue: ConfigurationValue { DaemonSettings().value(of: self) }
}
