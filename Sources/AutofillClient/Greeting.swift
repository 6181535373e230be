// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// What the service found out about the app when it connected, and the state it was in then.
public struct Greeting: Hashable, Sendable {
    /// The version of the protocol that is spoken.
    public let protocolVersion: Int
    /// The version of the service.
    public let serviceVersion: String
    /// Whether everything is gone when it stops: a service for tests.
    public let isEphemeral: Bool
    /// What this app may do; more may come.
    public let capabilities: [Capability]
    /// Whether there is a vault, and whether it is open; nil for who is not the app that it says it is.
    public let vault: VaultState?
    /// Whether the keychain is on.
    public let isKeychainOn: Bool
    /// Whether AutoFill is on.
    public let isAutoFillOn: Bool
    /// Whether strong passwords are on for this app.
    public let areStrongPasswordsOn: Bool
    /// What was verified of the app.
    public let app: VerifiedIdentity

    /// Something that an app may do.
    public struct Capability: ProtocolWord {
        /// As it stands on the wire.
        public let rawValue: String

        /// A word as it stands on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It is offered strong passwords.
        public static let strongPasswords = Self(rawValue: "strong-passwords")
        /// It may save credentials, and ask for them.
        public static let credentials = Self(rawValue: "credentials")
        /// It may ask for one-time codes.
        public static let oneTimeCodes = Self(rawValue: "one-time-codes")
        /// It may ask by any string.
        public static let urls = Self(rawValue: "urls")
        /// It may ask for any web page.
        public static let origins = Self(rawValue: "origins")
        /// It may hand over one-time codes for others.
        public static let codeSource = Self(rawValue: "code-source")
        /// It has keychain items.
        public static let keychain = Self(rawValue: "keychain")
        /// It has verifiers of passwords.
        public static let verifiers = Self(rawValue: "verifiers")
        /// It has a current user.
        public static let signIn = Self(rawValue: "sign-in")
    }

    /// What was verified of the app.
    public struct VerifiedIdentity: Hashable, Sendable {
        /// The bundle ID, as it was given.
        public let bundleID: String
        /// How far it can be trusted.
        public let assurance: AppAssurance
        /// The registration's file.
        public let registration: String?
        /// How many associated domains the registration declares.
        public let associatedDomainCount: Int
        /// What already stands in the way of AutoFill, whatever the form; `diagnose` says what mends each.
        public let reasonCodes: [AutofillReason.Code]
    }

    init(_ answer: Hello.Answer) {
        protocolVersion = answer.protocolVersion
        serviceVersion = answer.daemonVersion
        isEphemeral = answer.isEphemeral
        capabilities = answer.capabilities.map(Capability.init)
        vault = answer.vault.map(VaultState.init)
        isKeychainOn = answer.settings?.keychain ?? false
        isAutoFillOn = answer.settings?.autoFill ?? false
        areStrongPasswordsOn = answer.settings?.strongPasswords ?? false
        app = VerifiedIdentity(
            bundleID: answer.app.bundleID, assurance: AppAssurance(rawValue: answer.app.assurance),
            registration: answer.app.registration,
            associatedDomainCount: answer.app.associatedDomainCount,
            reasonCodes: answer.app.reasonNames.map(AutofillReason.Code.init))
    }
}
