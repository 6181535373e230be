// SPDX-License-Identifier: Apache-2.0

/// The tables and their migrations. Migrations are append-only: one that was shipped is never changed.
package enum VaultSchema {
    /// `PRAGMA application_id` of a vault: "AFvt".
    static let applicationID: Int32 = 0x4146_7674

    /// A step from one version of the schema to the next: its name in `grdb_migrations`, a number that counts up, and what it
    /// runs.
    struct Migration {
        let name: String
        let statements: [String]
    }

    /// All of them, the first one first.
    static let migrations = [
        Migration(name: "1", statements: ["PRAGMA application_id = \(applicationID)"] + firstTables),
        // The rows of the other tables are sealed again: that needs the keys. See `Vault.migrate`.
        Migration(name: "2", statements: secondTables),
    ]

    /// That of a vault in which sync was started: it makes no table, but older programs refuse the file, as they cannot read the
    /// records of the kind `sync`. A vault without sync does not have it.
    static let syncMigration = "3"

    /// The names of the migrations that a file has seen. Name and definition are those of the library that once ran them, and
    /// a part of the format.
    static let migrationTable = "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"

    /// The tables and their columns; the first is the integer key. One is left out, which follows from the records.
    package static let columns: [(table: String, columns: [String])] = [
        ("slot", ["id", "kind", "salt", "cost", "wrapped", "checksum", "note", "failures"]),
        ("record", ["number", "id", "lookup", "version", "sealed"]),
        ("manifest", ["node", "sealed"]),
        ("release", ["first", "entries"]),
        ("quarantine", ["number", "source", "fault", "id", "lookup", "version", "sealed"]),
    ]

    /// The table that follows from the records, and its columns. Not in the first format.
    package static let lookups = (table: "lookup", columns: ["tag", "id"])

    private static let secondTables = [
        """
        CREATE TABLE lookup (
          tag BLOB NOT NULL,
          id BLOB NOT NULL,
          PRIMARY KEY (tag, id)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX lookup_id ON lookup(id)",
    ]

    // What the columns hold, byte for byte, is in Vault-format.md.
    private static let firstTables = [
        """
        CREATE TABLE slot (
          id INTEGER PRIMARY KEY,
          kind INTEGER NOT NULL,
          salt BLOB NOT NULL,
          cost BLOB NOT NULL,
          wrapped BLOB NOT NULL,
          checksum BLOB NOT NULL,
          note BLOB NOT NULL,
          failures BLOB NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE record (
          number INTEGER PRIMARY KEY,
          id BLOB NOT NULL UNIQUE,
          lookup BLOB NOT NULL,
          version INTEGER NOT NULL,
          sealed BLOB NOT NULL
        ) STRICT
        """,
        "CREATE INDEX record_lookup ON record(lookup)",
        """
        CREATE TABLE manifest (
          node INTEGER PRIMARY KEY,
          sealed BLOB NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE release (
          first INTEGER PRIMARY KEY,
          entries BLOB NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE quarantine (
          number INTEGER PRIMARY KEY,
          source TEXT NOT NULL,
          fault TEXT NOT NULL,
          id BLOB,
          lookup BLOB,
          version INTEGER,
          sealed BLOB
        ) STRICT
        """,
    ]
}
