// SPDX-License-Identifier: Apache-2.0
internal import VaultFormat

extension VaultDirectory {
    /// The automatic backups, the oldest first.
    var automaticBackups: [String] {
        let names = Self.names(in: backups)
        return names.filter { $0.hasSuffix(".sqlite") }
            .compactMap { name in Self.number(of: name).map { ($0, backups + "/" + name) } }
            .sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// What may be another vault beside this one: backups, those that were replaced, and one in the making.
    var copies: [String] {
        [path, backups, replaced].flatMap { folder in Self.names(in: folder).map { folder + "/" + $0 } }
            .filter { $0 != database && !$0.hasSuffix("-wal") && !$0.hasSuffix(".releases") && !$0.hasSuffix(".lock") }
            .sorted()
    }
}
