// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains

/// The settings that a user can change, with the defaults. `Setting` has the table: names, ranges and purposes.
package struct DaemonSettings: Hashable, Sendable {
    /// The style of a strong password.
    package enum PasswordStyle: String, CaseIterable, Sendable {
        case readable, random
    }

    /// Whose statement associates a domain with an app, besides the registration's.
    package enum SiteAssociation: String, CaseIterable, Sendable {
        /// The site's, or the user's instead of it.
        case required
        /// The same, but a root-owned registration is enough by itself: for machines without the network.
        case requiredUnlessInstalled
        /// Neither's: the site's statement is fetched and shown, and a denial of the user applies.
        case advisory
    }

    /// When the user is asked whether an app may receive what is saved for a site.
    package enum AskBeforeFill: String, CaseIterable, Sendable {
        case once, everyTime
    }

    /// The scope of the user's consent for a web browser.
    package enum AskInBrowser: String, CaseIterable, Sendable {
        case perSite, once
    }

    /// Which programs read what others store through Secret Service.
    package enum SecretServiceIsolation: String, CaseIterable, Sendable {
        /// Each app its own items, and another's with the user's consent.
        case apps
        /// Every program everything, as with gnome-keyring.
        case none
    }

    /// How domains are shown in the journal.
    package enum JournalDomains: String, CaseIterable, Sendable {
        case full, hashed, hidden
    }

    /// The least that is logged.
    package enum LogLevel: String, CaseIterable, Comparable, Sendable {
        case trace, debug, info, notice, warning, error

        // Every request compares some: no list of all cases is made for it.
        private var rank: Int {
            switch self {
            case .trace: 0
            case .debug: 1
            case .info: 2
            case .notice: 3
            case .warning: 4
            case .error: 5
            }
        }

        package static func < (one: LogLevel, other: LogLevel) -> Bool { one.rank < other.rank }
    }

    /// What happens to a password that the user typed and a site accepted.
    package enum SaveSubmitted: String, CaseIterable, Sendable {
        case ask, always, never
    }

    package var keychain = true
    package var autoFill = true
    package var strongPasswords = true
    package var strongPasswordsByApp: [BundleIdentifier: Bool] = [:]
    package var strongPasswordStyle = PasswordStyle.readable
    package var strongPasswordBits = 71
    package var siteAssociation = SiteAssociation.required
    package var offerLifetimeMinutes = 1440
    package var askBeforeFill = AskBeforeFill.once
    package var askInBrowser = AskInBrowser.perSite
    package var secretServiceIsolation = SecretServiceIsolation.apps
    /// nil for the system's own.
    package var prompter: AbsolutePath?
    package var saveSubmitted = SaveSubmitted.ask
    /// 0 for never.
    package var lockWhenIdleMinutes = 0
    /// 0 for not at all.
    package var terminalProofMinutes = 5
    package var lockOnSessionLock = true
    package var lockBeforeSleep = true
    /// nil where the vault opens by passphrase only.
    package var vaultKeyFile: AbsolutePath?
    /// 0 for none.
    package var automaticBackups = 7
    package var keepDeletedDays = 30
    package var journalDomains = JournalDomains.full
    package var logLevel = LogLevel.info

    package init() {}

    /// Whether strong passwords are offered to this app: its own setting precedes the one for all.
    package func offersStrongPasswords(to app: BundleIdentifier) -> Bool {
        strongPasswordsByApp[app] ?? strongPasswords
    }
}
