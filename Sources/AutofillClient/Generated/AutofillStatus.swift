// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
import AutofillProtocol

/// The state of the service: to an app without a registration, or in a sandbox, that of the vault alone.
public struct AutofillStatus: Hashable, Sendable {
    /// The protocol version of the connection.
    public let protocolVersion: Int
    /// `missing`, `locked`, `unlocked`, or the code of the reason why it cannot be opened.
    public let vault: VaultState
    /// The rest; absent for an app without a registration, and for one in a sandbox.
    public let daemon: Daemon?

    init(_ report: Status.Answer) {
        protocolVersion = report.protocolVersion
        vault = VaultState(report.vault)
        daemon = report.daemon.map(Daemon.init)
    }
}

extension AutofillStatus {
    /// It shows how much data there is, and none of the data.
    public struct Daemon: Hashable, Sendable {
        /// The version of the daemon, for people.
        public let version: String
        /// Whether the vault is in memory only: a daemon for tests.
        public let isEphemeral: Bool
        /// The number of credentials in the vault; nil if it is not unlocked.
        public let credentials: Int?
        /// The number of pending offers of all apps; nil if the vault is not unlocked.
        public let pendingOffers: Int?
        /// The vault's file; nil if it is in memory.
        public let vaultPath: String?
        /// The long work on the vault that is in progress; nil if there is none.
        public let work: VaultWork?
        /// Whether all secrets are in locked memory, except for what `derivationLocked` is about.
        public let isMemoryLocked: Bool
        /// Whether the 128 MiB for the derivation of a key from a passphrase can be locked, too (half of the limit must
        /// hold them). They are kept out of core dumps and erased in any case.
        public let isDerivationLocked: Bool
        /// The file of the user's settings.
        public let settingsPath: String
        /// The number of connections, this one included.
        public let clients: Int
        /// The number of registered apps.
        public let apps: Int
        /// Mistakes in registrations, settings, and what the administrator declares, one line each.
        public let problems: [String]

        init(_ report: DaemonState) {
            version = report.version
            isEphemeral = report.isEphemeral
            credentials = report.credentials
            pendingOffers = report.pendingOffers
            vaultPath = report.vaultPath
            work = report.work.map(VaultWork.init)
            isMemoryLocked = report.isMemoryLocked
            isDerivationLocked = report.isDerivationLocked
            settingsPath = report.settingsPath
            clients = report.clients
            apps = report.apps
            problems = report.problems
        }
    }
}

extension AutofillStatus {
    /// The progress of long work on the whole vault.
    public struct VaultWork: Hashable, Sendable {
        /// The method that started it; nil if the daemon did.
        public let method: String?
        /// The number of records processed.
        public let done: Int
        /// The number of all records; 0 while it is unknown.
        public let all: Int

        init(_ report: Status.VaultWork) {
            method = report.method
            done = report.done
            all = report.all
        }
    }
}
