// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import VaultFormat

extension VaultDirectory {
    /// The automatic backups, the oldest first. A file with another name was put there by the user.
    var automaticBackups: [String] {
        Self.names(in: backups).compactMap { name in Self.number(of: name).map { (number: $0, name: name) } }
            .filter { ["vault-\($0.number).sqlite", "vault-\($0.number)\(Self.migrating)"].contains($0.name) }
            .sorted { $0.number < $1.number }.map { backups + "/" + $0.name }
    }

    /// The ending of the backup that a migration makes, until it is done: of attempts that fail only the last one is kept.
    private static let migrating = ".migrating.sqlite"

    /// The backups of migrations that were not done: at most one.
    var backupsBeforeMigration: [String] {
        Self.names(in: backups).filter { $0.hasSuffix(Self.migrating) && Self.number(of: $0) != nil }
            .map { backups + "/" + $0 }
    }

    var freshBackupBeforeMigration: String {
        String(Self.freshName(in: backups).dropLast(".sqlite".count)) + Self.migrating
    }

    /// Gives the backup of a migration that is done the name of the others, where that is possible; its path.
    static func keep(backupBeforeMigration path: String) -> String {
        let name = String(path.dropLast(migrating.count)) + ".sqlite"
        do throws(VaultError) { try publish(path, as: name) } catch { return path }
        try? synchronize(parent(of: path))
        return name
    }

    /// What may be another vault beside this one: backups, those that were replaced, and one in the making.
    var copies: [String] {
        [path, backups, replaced].flatMap { folder in Self.names(in: folder).map { folder + "/" + $0 } }
            .filter { $0 != database && !$0.hasSuffix("-wal") && !$0.hasSuffix(".releases") && !$0.hasSuffix(".lock") }
            .sorted()
    }
}
