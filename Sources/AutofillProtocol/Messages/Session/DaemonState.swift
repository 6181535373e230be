// SPDX-License-Identifier: Apache-2.0

/// The state of the daemon, for programs that may know how the user has set it up and how much is saved.
package struct DaemonState: Message, Hashable {
    package let version: String
    package let isEphemeral: Bool
    package let vaultPath: String?
    package let credentials: Int?
    package let pendingOffers: Int?
    package let clients: Int
    package let apps: Int
    package let problems: [String]
    package let isMemoryLocked: Bool
    package let isDerivationLocked: Bool
    package let settingsPath: String
    package let work: Status.VaultWork?
    package let terminalProofSeconds: Int?

    package init(
        version: String, isEphemeral: Bool, vaultPath: String?, credentials: Int?, pendingOffers: Int?, clients: Int,
        apps: Int, problems: [String], isMemoryLocked: Bool, isDerivationLocked: Bool, settingsPath: String,
        work: Status.VaultWork? = nil, terminalProofSeconds: Int? = nil
    ) {
        (self.version, self.isEphemeral, self.vaultPath) = (version, isEphemeral, vaultPath)
        (self.credentials, self.pendingOffers) = (credentials, pendingOffers)
        (self.clients, self.apps, self.problems, self.isMemoryLocked) = (clients, apps, problems, isMemoryLocked)
        (self.isDerivationLocked, self.settingsPath) = (isDerivationLocked, settingsPath)
        (self.work, self.terminalProofSeconds) = (work, terminalProofSeconds)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            version: try field("daemonVersion", \.version, .string(1...64), "The version of the daemon, for people."),
            isEphemeral: try field(
                "ephemeral", \.isEphemeral, .boolean, "Whether the vault is in memory only: a daemon for tests."),
            vaultPath: try field(
                optional: "vaultPath", \.vaultPath, .string(0...4096), "The vault's file; absent if it is in memory."),
            credentials: try field(
                optional: "credentials", \.credentials, .integer(0...Int.max),
                "The number of credentials in the vault; absent if it is not unlocked."),
            pendingOffers: try field(
                optional: "pendingOffers", \.pendingOffers, .integer(0...Int.max),
                "The number of pending offers of all apps; absent if the vault is not unlocked."),
            clients: try field(
                "clients", \.clients, .integer(0...Int.max), "The number of connections, this one included."),
            apps: try field("apps", \.apps, .integer(0...Int.max), "The number of registered apps."),
            problems: try field(
                "problems", \.problems, .strings(),
                "Mistakes in registrations, settings, and what the administrator declares, one line each."),
            isMemoryLocked: try field(
                "memoryLocked", \.isMemoryLocked, .boolean,
                "Whether all secrets are in locked memory, except for what `derivationLocked` is about."),
            isDerivationLocked: try field(
                "derivationLocked", \.isDerivationLocked, .boolean,
                """
                Whether the 128 MiB for the derivation of a key from a passphrase can be locked, too (half of the limit \
                must hold them). They are kept out of core dumps and erased in any case.
                """),
            settingsPath: try field(
                "settingsPath", \.settingsPath, .string(0...4096), "The file of the user's settings."),
            work: try field(
                optional: "work", \.work, .object(),
                "The long work on the vault that is in progress; absent if there is none."),
            terminalProofSeconds: try field(
                optional: "terminalProofSeconds", \.terminalProofSeconds, .integer(0...Int.max),
                """
                For how long a passphrase that was typed at the caller's terminal is still valid; absent if none \
                is.
                """))
    }
}
