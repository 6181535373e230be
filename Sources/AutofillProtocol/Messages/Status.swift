// SPDX-License-Identifier: Apache-2.0

/// How the daemon is. Says nothing of anyone's data but how much there is.
package struct Status: MethodCall {
    package static let method = Method.status

    package init() {}
    package init(from members: inout MemberReader) throws(ProtocolProblem) {}
    package func write(to writer: inout JSONWriter) {}

    package struct Answer: WireValue, Hashable {
        package let version: String
        package let isEphemeral: Bool
        /// `missing`, `locked`, `unlocked`, or the code of the reason why it cannot be opened.
        package let vault: String
        package let vaultPath: String?
        /// Known while the vault is unlocked.
        package let credentials: Int?
        package let pendingOffers: Int?
        package let clients: Int
        package let apps: Int
        /// Registrations with mistakes, one line each.
        package let problems: [String]
        package let isMemoryLocked: Bool
        package let settingsPath: String
        package let settings: AppSettings
        /// The long work on the vault that is under way; not written while there is none.
        package let work: VaultWork?

        package init(
            version: String, isEphemeral: Bool, vault: String, vaultPath: String?, credentials: Int?,
            pendingOffers: Int?, clients: Int, apps: Int, problems: [String], isMemoryLocked: Bool,
            settingsPath: String,
            settings: AppSettings, work: VaultWork? = nil
        ) {
            self.work = work
            self.version = version
            self.isEphemeral = isEphemeral
            self.vault = vault
            self.vaultPath = vaultPath
            self.credentials = credentials
            self.pendingOffers = pendingOffers
            self.clients = clients
            self.apps = apps
            self.problems = problems
            self.isMemoryLocked = isMemoryLocked
            self.settingsPath = settingsPath
            self.settings = settings
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            version = try members.string("version", bytes: 1...64)
            isEphemeral = try members.bool("ephemeral")
            vault = try members.string("vault", bytes: 1...64)
            vaultPath = try members.optionalString("vaultPath", bytes: 0...4096)
            credentials = try members.optionalInteger("credentials", in: 0...Int.max)
            pendingOffers = try members.optionalInteger("pendingOffers", in: 0...Int.max)
            clients = try members.integer("clients", in: 0...Int.max)
            apps = try members.integer("apps", in: 0...Int.max)
            problems = try members.strings("problems")
            isMemoryLocked = try members.bool("memoryLocked")
            settingsPath = try members.string("settingsPath", bytes: 0...4096)
            settings = try members.value("settings")
            work = try members.optionalValue("work")
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("version", version)
            writer.member("ephemeral", isEphemeral)
            writer.member("vault", vault)
            writer.member("vaultPath", orNull: vaultPath)
            writer.member("credentials", orNull: credentials)
            writer.member("pendingOffers", orNull: pendingOffers)
            writer.member("clients", clients)
            writer.member("apps", apps)
            writer.member("problems", problems)
            writer.member("memoryLocked", isMemoryLocked)
            writer.member("settingsPath", settingsPath)
            writer.member("settings", settings)
            if let work { writer.member("work", work) }
        }
    }

    /// How far long work on the whole vault has come.
    package struct VaultWork: WireValue, Hashable {
        /// The method; nil for what the daemon does of itself.
        package let method: String?
        /// So many of so many records; `all` is 0 while that is not known.
        package let done: Int
        package let all: Int

        package init(method: String?, done: Int, all: Int) {
            self.method = method
            self.done = done
            self.all = all
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            method = try members.optionalString("method", bytes: 1...64)
            done = try members.integer("done", in: 0...Int.max)
            all = try members.integer("all", in: 0...Int.max)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("method", orNull: method)
            writer.member("done", done)
            writer.member("all", all)
        }
    }
}
