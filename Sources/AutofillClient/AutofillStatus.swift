// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// How the service is. It says nothing of anyone's data but how much there is.
public struct AutofillStatus: Hashable, Sendable {
    /// The version of the service.
    public let version: String
    /// Whether everything is gone when it stops: a service for tests.
    public let isEphemeral: Bool
    /// Whether there is a vault, and whether it is open.
    public let vault: VaultState
    /// Credentials in the vault, while it is unlocked.
    public let credentials: Int?
    /// Strong passwords that wait to be accepted or declined, of all apps, while it is unlocked.
    public let pendingOffers: Int?
    /// The vault's file; nil for one in memory.
    public let vaultPath: String?
    /// The long work on the whole vault that is under way; nil where there is none.
    public let work: VaultWork?
    /// Whether what is secret is kept out of the swap space, but for what `isDerivationLocked` is about.
    public let isMemoryLocked: Bool
    /// Whether the memory in which a passphrase becomes a key is kept out of the swap space, too.
    public let isDerivationLocked: Bool
    /// The settings that decide about the app.
    public let settings: AutofillSettings
    /// The file of the user's settings.
    public let settingsPath: String
    /// Connections, this one included.
    public let clients: Int
    /// Apps that are registered.
    public let apps: Int
    /// Registrations with mistakes, one line each.
    public let problems: [String]

    /// How far long work on the whole vault has come.
    public struct VaultWork: Hashable, Sendable {
        /// The method that asked for it, `admin.vault.check`; nil for what the service does of itself.
        public let method: String?
        /// Records that are done.
        public let done: Int
        /// All records; 0 while that is not known.
        public let all: Int
    }

    init(_ answer: Status.Answer) {
        version = answer.version
        isEphemeral = answer.isEphemeral
        vault = VaultState(answer.vault)
        credentials = answer.credentials
        pendingOffers = answer.pendingOffers
        vaultPath = answer.vaultPath
        work = answer.work.map { VaultWork(method: $0.method, done: $0.done, all: $0.all) }
        isMemoryLocked = answer.isMemoryLocked
        isDerivationLocked = answer.isDerivationLocked
        settings = AutofillSettings(answer.settings)
        settingsPath = answer.settingsPath
        clients = answer.clients
        apps = answer.apps
        problems = answer.problems
    }
}
