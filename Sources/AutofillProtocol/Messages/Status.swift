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

        package init(
            version: String, isEphemeral: Bool, vault: String, vaultPath: String?, credentials: Int?,
            pendingOffers: Int?, clients: Int, apps: Int, problems: [String], isMemoryLocked: Bool,
            settingsPath: String,
            settings: AppSettings
        ) {
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
        }
    }
}
