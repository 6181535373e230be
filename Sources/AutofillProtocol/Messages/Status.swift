// SPDX-License-Identifier: Apache-2.0

package struct Status: MethodCall {
    package static let declaration = MethodDeclaration(
        .status, "How the daemon is. Says nothing of anyone's data but how much there is.", .open, repeatable: true)

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
                version: try field("version", \.version, .string(1...64), "The daemon's, for people."),
                isEphemeral: try field(
                    "ephemeral", \.isEphemeral, .boolean, "Whether the vault is in memory only: a daemon for tests."),
                vault: try field(
                    "vault", \.vault, .word(Words.vaultStates, 1...64),
                    "`missing`, `locked`, `unlocked`, or the code of the reason why it cannot be opened."),
                vaultPath: try field(
                    nullable: "vaultPath", \.vaultPath, .string(0...4096), "The vault's file; null for one in memory."),
                credentials: try field(
                    nullable: "credentials", \.credentials, .integer(0...Int.max), "Known while the vault is unlocked."),
                pendingOffers: try field(
                    nullable: "pendingOffers", \.pendingOffers, .integer(0...Int.max),
                    "How many offers wait; null while the vault is not open."),
                clients: try field("clients", \.clients, .integer(0...Int.max), "How many connections there are."),
                apps: try field("apps", \.apps, .integer(0...Int.max), "How many registrations count."),
                problems: try field(
                    "problems", \.problems, .strings(), "What is wrong with registrations and settings, one line each."),
                isMemoryLocked: try field(
                    "memoryLocked", \.isMemoryLocked, .boolean,
                    "Whether all secrets lie in locked memory, but for what `derivationLocked` is about."),
                isDerivationLocked: try field(
                    "derivationLocked", \.isDerivationLocked, .boolean,
                    """
                    Whether the 128 MiB in which a passphrase becomes a key can be locked, too (half of the limit must hold \
                    them). They are kept out of core dumps and erased in any case.
                    """),
                settingsPath: try field("settingsPath", \.settingsPath, .string(0...4096), "The settings' file."),
                settings: try field("settings", \.settings, .object(), "The settings that decide about the app."),
                work: try field(
                    optional: "work", \.work, .object(),
                    "The long work on the vault that is under way; not written while there is none."),
                terminalProofSeconds: try field(
                    optional: "terminalProofSeconds", \.terminalProofSeconds, .integer(0...Int.max),
                    """
                    For how long a passphrase still holds that was typed at the caller's terminal; not written while none \
                    does.
                    """))
        }
    }

    /// How far long work on the whole vault has come.
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
                    "The method; null for what the daemon does of itself."),
                done: try field(
                    "done", \.done, .integer(0...Int.max),
                    "So many of so many records; `all` is 0 while that is not known."),
                all: try field("all", \.all, .integer(0...Int.max), "Of so many; 0 while that is not known."))
        }
    }
}
