// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
import AutofillProtocol

/// What the service found out about the app when it connected, and its state then.
public struct Greeting: Hashable, Sendable {
    /// The protocol version of the connection.
    public let protocolVersion: Int
    /// The version of the daemon, for people.
    public let serviceVersion: String
    /// Whether the vault is in memory only: a daemon for tests.
    public let isEphemeral: Bool
    /// What this app may do.
    public let capabilities: [Capability]
    /// The state of the vault; nil if the caller is not the app.
    public let vault: VaultState?
    /// Whether the keychain is on.
    public let isKeychainOn: Bool
    /// Whether AutoFill is on.
    public let isAutoFillOn: Bool
    /// Whether strong passwords are on for this app.
    public let areStrongPasswordsOn: Bool
    /// What was verified of the caller.
    public let app: VerifiedIdentity

    init(_ report: Hello.Answer) {
        protocolVersion = report.protocolVersion
        serviceVersion = report.daemonVersion
        isEphemeral = report.isEphemeral
        capabilities = report.capabilities.map(Capability.init(rawValue:))
        vault = report.vault.map(VaultState.init)
        isKeychainOn = report.settings?.keychain ?? false
        isAutoFillOn = report.settings?.autoFill ?? false
        areStrongPasswordsOn = report.settings?.strongPasswords ?? false
        app = VerifiedIdentity(report.app)
    }
}

extension Greeting {
    /// What was verified of the app.
    public struct VerifiedIdentity: Hashable, Sendable {
        /// The app.
        public let bundleID: String
        /// `sandboxed`, `installed`, `attributed` or `claimed`; `none` if the caller is not the app.
        public let assurance: AppAssurance
        /// The registration's file, if there is one.
        public let registration: String?
        /// How many associated domains the registration declares.
        public let associatedDomainCount: Int
        /// Why AutoFill does not work for this app, whatever the form; `diagnose` has the fix of each.
        public let reasonCodes: [AutofillReason.Code]

        init(_ report: VerifiedApp) {
            bundleID = report.bundleID
            assurance = AppAssurance(rawValue: report.assurance)
            registration = report.registration
            associatedDomainCount = report.associatedDomainCount
            reasonCodes = report.reasonNames.map(AutofillReason.Code.init)
        }
    }
}

extension Greeting {
    /// What an app may do.
    public struct Capability: ProtocolWord {
        /// The value on the wire.
        public let rawValue: String

        /// - Parameter rawValue: the value on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Gets strong passwords.
        public static let strongPasswords = Self(rawValue: "strong-passwords")
        /// Saves credentials and gets them.
        public static let credentials = Self(rawValue: "credentials")
        /// Gets one-time codes.
        public static let codes = Self(rawValue: "codes")
        /// Gets credentials for any string.
        public static let urls = Self(rawValue: "urls")
        /// Gets credentials for any web page.
        public static let origins = Self(rawValue: "origins")
        /// Hands over one-time codes for other apps.
        public static let codeSource = Self(rawValue: "code-source")
        /// Has keychain items.
        public static let keychain = Self(rawValue: "keychain")
        /// Has password verifiers.
        public static let verifiers = Self(rawValue: "verifiers")
        /// Has a current user.
        public static let signIn = Self(rawValue: "sign-in")
    }
}
