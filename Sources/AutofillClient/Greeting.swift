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
    /// What the service can do; more may come.
    public let capabilities: [String]
    /// `missing`, `locked`, `unlocked`, or the code of the reason why it cannot be opened.
    public let vault: String
    /// Whether the keychain is on.
    public let isKeychainOn: Bool
    /// Whether AutoFill is on.
    public let isAutoFillOn: Bool
    /// Whether strong passwords are on for this app.
    public let areStrongPasswordsOn: Bool
    /// What was verified of the app.
    public let app: VerifiedIdentity

    /// What was verified of the app.
    public struct VerifiedIdentity: Hashable, Sendable {
        /// The bundle ID, as it was given.
        public let bundleID: String
        /// How far it can be trusted: `sandboxed`, `installed`, `attributed`, `claimed`; `none` where it contradicts the
        /// evidence.
        public let assurance: String
        /// What the assurance rests on, for people.
        public let grounds: [String]
        /// The registration's file.
        public let registration: String?
        /// The associated domains, as the registration has them: `webcredentials:example.com`.
        public let associatedDomains: [String]
        /// What already stands in the way of AutoFill, whatever the form.
        public let reasons: [AutofillReason]
    }

    init(_ answer: Hello.Answer) {
        protocolVersion = answer.protocolVersion
        serviceVersion = answer.daemonVersion
        isEphemeral = answer.isEphemeral
        capabilities = answer.capabilities
        vault = answer.vault
        isKeychainOn = answer.settings.keychain
        isAutoFillOn = answer.settings.autoFill
        areStrongPasswordsOn = answer.settings.strongPasswords
        app = VerifiedIdentity(
            bundleID: answer.app.bundleID, assurance: answer.app.assurance, grounds: answer.app.grounds,
            registration: answer.app.registration, associatedDomains: answer.app.associatedDomains,
            reasons: answer.app.reasons.map(AutofillReason.init))
    }
}
