// SPDX-License-Identifier: Apache-2.0

package struct Status: MethodCall {
    package static let declaration = MethodDeclaration(
        .status, "Returns the state of the daemon. It shows how much data there is, and none of the data.", .open,
        repeatable: true)

    package init() {}
    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self()
    }

    package struct Answer: Message, Hashable {
        package let version: String
        package let isEphemeral: Bool
        package let vault: String
        package let vaultPath: String?
        package let credentials: Int?
        package let pendingOffers: Int?
        package let clients: Int
        package let apps: Int
        package let problems: [String]
        package let isMemoryLocked: Bool
        package let isDerivationLocked: Bool
        package let settingsPath: String
        package let settings: AppSettings
        package let work: VaultWork?
        package let terminalProofSeconds: Int?

        package init(
            version: String, isEphemeral: Bool, vault: String, vaultPath: String?, credentials: Int?,
            pendingOffers: Int?, clients: Int, apps: Int, problems: [String], isMemoryLocked: Bool,
            isDerivationLocked: Bool,
            settingsPath: String,
            settings: AppSettings, work: VaultWork? = nil, terminalProofSeconds: Int? = nil
        ) {
            self.terminalProofSeconds = terminalProofSeconds
            (self.work, self.version, self.isEphemeral, self.vault) = (work, version, isEphemeral, vault)
            (self.vaultPath, self.credentials, self.pendingOffers) = (vaultPath, credentials, pendingOffers)
            (self.clients, self.apps, self.problems, self.isMemoryLocked) = (clients, apps, problems, isMemoryLocked)
            self.isDerivationLocked = isDerivationLocked
            (self.settingsPath, self.settings) = (settingsPath, settings)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                version: try field("version", \.version, .string(1...64), "The version of the daemon, for people."),
                isEphemeral: try field(
                    "ephemeral", \.isEphemeral, .boolean, "Whether the vault is in memory only: a daemon for tests."),
                vault: try field(
                    "vault", \.vault, .word(Words.vaultStates, 1...64),
                    "`missing`, `locked`, `unlocked`, or the code of the reason why it cannot be opened."),
                vaultPath: try field(
                    nullable: "vaultPath", \.vaultPath, .string(0...4096), "The vault's file; null for one in memory."),
                credentials: try field(
                    nullable: "credentials", \.credentials, .integer(0...Int.max),
                    "The number of credentials in the vault; null while it is not unlocked."),
                pendingOffers: try field(
                    nullable: "pendingOffers", \.pendingOffers, .integer(0...Int.max),
                    "The number of pending offers of all apps; null while the vault is not unlocked."),
                clients: try field(
                    "clients", \.clients, .integer(0...Int.max), "The number of connections, this one included."),
                apps: try field("apps", \.apps, .integer(0...Int.max), "The number of registered apps."),
                problems: try field(
                    "problems", \.problems, .strings(), "Mistakes in registrations and settings, one line each."),
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
                settings: try field("settings", \.settings, .object(), "The settings that decide about the app."),
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

    /// The progress of long work on the whole vault.
    package struct VaultWork: Message, Hashable {
        package let method: String?
        package let done: Int
        package let all: Int

        package init(method: String?, done: Int, all: Int) {
            (self.method, self.done, self.all) = (method, done, all)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                method: try field(
                    nullable: "method", \.method, .word(Words.methods, 1...64),
                    "The method that started it; null for work that the daemon started."),
                done: try field(
                    "done", \.done, .integer(0...Int.max),
                    "The number of records processed."),
                all: try field("all", \.all, .integer(0...Int.max), "The number of all records; 0 while it is unknown.")
            )
        }
    }
}
