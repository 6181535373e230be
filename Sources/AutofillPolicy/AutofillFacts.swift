// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
package import Forms

/// All facts that decide whether AutoFill may act for an app. Plain values: the caller has read the files, the peer and
/// the vault.
package struct AutofillFacts: Sendable {
    /// The assurance of the peer's claim to be the app.
    package enum Identity: Hashable, Sendable {
        /// The claim and the evidence agree, with this assurance (`sandboxed`, `installed`, `attributed`, `claimed`),
        /// on these grounds.
        case consistent(assurance: String, grounds: [String])
        case contradicted(String)
        /// No peer is connected: `explain` was called.
        case notAsked
    }

    /// What is declared about the app.
    package enum Declaration: Hashable, Sendable {
        case missing(searched: [String])
        /// The file is there, but has mistakes.
        case invalid(path: String, mistakes: [String])
        case present(Declared)
    }

    package struct Declared: Hashable, Sendable {
        package let path: String
        package let isCredentialProvider: Bool
        /// Its `webcredentials:` entries, as written.
        package let associatedDomains: [String]
        /// The entry that covers the service asked for, if one does.
        package let coveringEntry: String?
        package let webBrowser: Entitlement
        package let credentialHelper: Entitlement

        package init(
            path: String, isCredentialProvider: Bool, associatedDomains: [String], coveringEntry: String?,
            webBrowser: Entitlement = .missing, credentialHelper: Entitlement = .missing
        ) {
            self.path = path
            self.isCredentialProvider = isCredentialProvider
            self.associatedDomains = associatedDomains
            self.coveringEntry = coveringEntry
            self.webBrowser = webBrowser
            self.credentialHelper = credentialHelper
        }
    }

    /// An entitlement that counts in a root-owned registration only.
    package enum Entitlement: Hashable, Sendable {
        case missing
        /// Declared in a file that is not root's.
        case inVain
        case declared

        package init(_ isDeclared: Bool, isAdministrators: Bool) {
            self = !isDeclared ? .missing : isAdministrators ? .declared : .inVain
        }
    }

    /// What is asked for.
    package enum Site: Hashable, Sendable {
        case domain(String)
        /// A string that a credential helper was given.
        case url(String)
        /// A web page, which a browser or a credential helper requests.
        case origin(WebOrigin)
        /// An origin that is none of a web page.
        case opaqueOrigin(String)
        case unsupportedType(String)
        /// No service was named; conditions that depend on it are judged as far as they can be.
        case unnamed
        /// The same, of an app that may ask for services that are no associated domains.
        case unnamedOfAny

        /// As a fix names it.
        package var name: String? {
            switch self {
            case .domain(let text), .url(let text), .opaqueOrigin(let text): text
            case .origin(let origin): origin.text
            case .unsupportedType, .unnamed, .unnamedOfAny: nil
            }
        }
    }

    /// The site's own statement about the app. The texts are evidence.
    package enum SiteStatement: Hashable, Sendable {
        /// It lists the app.
        case approved(String)
        /// Its statement is not needed: the registration is the administrator's, or a setting waives it.
        case notNeeded(String)
        case notListing(String)
        /// It could not be fetched, and no earlier statement is still valid.
        case failed(String)
        case notFetched(String)
        /// The vault is closed, where it is kept, or no service was named.
        case unknown(String)
    }

    /// The user's decision about the app and the domain, whatever the site states.
    package enum UserDecision: Hashable, Sendable {
        case approved(String)
        case denied(String)
        case silent
        /// None, where the site's statement is not sufficient: its certificate may be a test authority's.
        case needed(String)
        case unknown(String)
    }

    /// Whether the field's password rules can be met.
    package enum Rules: Hashable, Sendable {
        case satisfiable(String)
        case unsatisfiable(field: String, detail: String)
        case tooComplex(field: String, detail: String)
    }

    /// The user's decision about this app and service.
    package enum Consent: Hashable, Sendable {
        case granted(String)
        case denied
        case missing
        /// The vault is closed, so the grants cannot be read.
        case unknown
    }

    package enum VaultState: Hashable, Sendable {
        case unlocked, locked, missing
        /// It cannot be opened, for this reason's code.
        case unusable(String)
    }

    package var app: String
    package var settingsPath: String
    package var keychain: Bool
    package var autoFill: Bool
    package var strongPasswords: Bool
    package var identity: Identity
    package var declaration: Declaration
    package var site: Site
    package var siteStatement: SiteStatement
    package var userDecision: UserDecision
    /// The domain whose files are authoritative for the requested one: of a wildcard the one after the asterisk.
    package var speakingSite: String?
    /// nil when no form is spoken of.
    package var form: FormAnalysis?
    package var rules: Rules?
    package var consent: Consent
    package var vault: VaultState

    package init(
        app: String, settingsPath: String, keychain: Bool, autoFill: Bool, strongPasswords: Bool, identity: Identity,
        declaration: Declaration, site: Site, siteStatement: SiteStatement, userDecision: UserDecision,
        speakingSite: String? = nil,
        form: FormAnalysis? = nil, rules: Rules? = nil, consent: Consent, vault: VaultState
    ) {
        self.app = app
        self.settingsPath = settingsPath
        self.keychain = keychain
        self.autoFill = autoFill
        self.strongPasswords = strongPasswords
        self.identity = identity
        self.declaration = declaration
        self.site = site
        self.siteStatement = siteStatement
        self.userDecision = userDecision
        self.speakingSite = speakingSite
        self.form = form
        self.rules = rules
        self.consent = consent
        self.vault = vault
    }
}
