// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// Every statement that is run more than rarely, prepared once, when it is first run; by the tables that they work on.
package final class VaultStatements {
    package let transaction: Transaction
    package let records: Records
    /// nil in the first format.
    package private(set) var lookups: Lookups?
    package let manifest: Manifest
    package let releases: Releases
    package let quarantine: Quarantine
    package let slots: Slots

    package init(on connection: SQLConnection) throws(VaultError) {
        transaction = Transaction(on: connection)
        records = Records(on: connection)
        lookups = try VaultSchema.hasLookups(connection) ? Lookups(on: connection) : nil
        manifest = Manifest(on: connection)
        releases = Releases(on: connection)
        quarantine = Quarantine(on: connection)
        slots = Slots(on: connection)
    }

    /// All slots in the order of their ids.
    package func slotRows() throws(VaultError) -> [SlotRow] {
        try slots.rows.all { row throws(VaultError) in SlotRow(row) }
    }

    /// Once the table was made.
    package func prepareLookups(on connection: SQLConnection) { lookups = Lookups(on: connection) }

    /// The table was made in a transaction that was undone.
    package func forgetLookups() { lookups = nil }

    package struct Transaction {
        package let begin, commit, rollback: SQLStatement

        init(on connection: SQLConnection) {
            begin = connection.prepare("BEGIN IMMEDIATE")
            commit = connection.prepare("COMMIT")
            rollback = connection.prepare("ROLLBACK")
        }
    }

    package struct Records {
        package let rows, byID, byNumber, byLookup, inScope, shortInScope, inScopeAfter, ofKind: SQLStatement
        package let ofKindOutsideScope, idsInScope, countInScope, tags, tagsOfKind, numbers, numbered: SQLStatement
        package let insert, update, reseal, rename, delete, deleteNumber: SQLStatement

        init(on connection: SQLConnection) {
            let row = "SELECT id, lookup, version, sealed, number FROM record"
            rows = connection.prepare(row)
            byID = connection.prepare("\(row) WHERE id = ?1")
            byNumber = connection.prepare("\(row) WHERE number = ?1")
            byLookup = connection.prepare("\(row) WHERE lookup = ?1")
            inScope = connection.prepare("\(row) WHERE lookup BETWEEN ?1 AND ?2 ORDER BY lookup, id")
            shortInScope = connection.prepare(
                "\(row) WHERE lookup BETWEEN ?1 AND ?2 AND length(sealed) <= ?3 ORDER BY lookup, id")
            inScopeAfter = connection.prepare("\(row) WHERE lookup > ?1 AND lookup <= ?2 ORDER BY lookup")
            ofKind = connection.prepare("\(row) WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3")
            ofKindOutsideScope = connection.prepare(
                "\(row) WHERE id > ?1 AND id <= ?2 AND lookup NOT BETWEEN ?3 AND ?4 ORDER BY id")
            idsInScope = connection.prepare("SELECT id FROM record WHERE lookup BETWEEN ?1 AND ?2")
            countInScope = connection.prepare("SELECT count(*) FROM record WHERE lookup BETWEEN ?1 AND ?2")
            tags = connection.prepare("SELECT id, version, substr(sealed, -16) FROM record")
            tagsOfKind = connection.prepare(
                "SELECT id, version, substr(sealed, -16) FROM record WHERE id BETWEEN ?1 AND ?2 ORDER BY id")
            numbers = connection.prepare("SELECT number, id FROM record NOT INDEXED")
            numbered = connection.prepare("\(row) NOT INDEXED")
            rename = connection.prepare(
                "UPDATE OR IGNORE record SET id = ?2, lookup = ?3, version = ?4 WHERE number = ?1")
            insert = connection.prepare("INSERT INTO record (id, lookup, version, sealed) VALUES (?1, ?2, ?3, ?4)")
            update = connection.prepare("UPDATE record SET lookup = ?2, version = ?3, sealed = ?4 WHERE id = ?1")
            reseal = connection.prepare("UPDATE record SET version = ?3, sealed = ?4 WHERE id = ?1 AND lookup = ?2")
            delete = connection.prepare("DELETE FROM record WHERE id = ?1")
            deleteNumber = connection.prepare("DELETE FROM record WHERE number = ?1")
        }
    }

    package struct Lookups {
        package let put, remove, delete, clear, next, ids, rows, rowsOfRecords: SQLStatement

        init(on connection: SQLConnection) {
            put = connection.prepare("INSERT OR IGNORE INTO lookup (tag, id) VALUES (?1, ?2)")
            remove = connection.prepare("DELETE FROM lookup WHERE tag = ?1 AND id = ?2")
            delete = connection.prepare("DELETE FROM lookup WHERE id = ?1")
            clear = connection.prepare("DELETE FROM lookup")
            next = connection.prepare("SELECT id FROM lookup WHERE tag = ?1 AND id >= ?2 ORDER BY id LIMIT 1")
            ids = connection.prepare("SELECT id FROM lookup WHERE tag = ?1 ORDER BY id")
            rows = connection.prepare("SELECT id, tag FROM lookup ORDER BY id, tag")
            rowsOfRecords = connection.prepare(
                "SELECT id, tag FROM lookup WHERE id BETWEEN ?1 AND ?2 ORDER BY id, tag")
        }
    }

    package struct Manifest {
        package let nodes, node, putNode, deleteNodes: SQLStatement

        init(on connection: SQLConnection) {
            nodes = connection.prepare("SELECT node FROM manifest")
            node = connection.prepare("SELECT sealed FROM manifest WHERE node = ?1")
            putNode = connection.prepare(
                "INSERT INTO manifest (node, sealed) VALUES (?1, ?2) ON CONFLICT (node) DO UPDATE SET sealed = ?2")
            deleteNodes = connection.prepare("DELETE FROM manifest")
        }
    }

    package struct Releases {
        package let insert, before, oldest, from, delete, bytes: SQLStatement

        init(on connection: SQLConnection) {
            insert = connection.prepare("INSERT INTO release (first, entries) VALUES (?1, ?2)")
            before = connection.prepare("SELECT first, entries FROM release WHERE first < ?1 ORDER BY first DESC")
            oldest = connection.prepare("SELECT first, entries FROM release WHERE first >= ?1 ORDER BY first")
            from = connection.prepare(
                """
                SELECT first, entries FROM release
                WHERE first >= coalesce((SELECT max(first) FROM release WHERE first <= ?1), ?1) ORDER BY first
                """)
            delete = connection.prepare("DELETE FROM release WHERE first = ?1")
            bytes = connection.prepare("SELECT coalesce(sum(length(entries)), 0) FROM release")
        }
    }

    package struct Quarantine {
        package let rows, records: SQLStatement
        package let put, putRecord, putNumber, putReleases, updateRecord, delete: SQLStatement

        init(on connection: SQLConnection) {
            rows = connection.prepare("SELECT source, fault, id, version, number FROM quarantine ORDER BY number")
            records = connection.prepare(
                "SELECT number, id, lookup, version, sealed FROM quarantine WHERE source = 'record' AND sealed IS NOT NULL"
            )
            put = connection.prepare(
                "INSERT INTO quarantine (source, fault, id, lookup, version, sealed) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
            putRecord = connection.prepare(
                """
                INSERT INTO quarantine (source, fault, id, lookup, version, sealed)
                SELECT 'record', ?2, id, lookup, version, sealed FROM record WHERE id = ?1
                """)
            putNumber = connection.prepare(
                """
                INSERT INTO quarantine (source, fault, id, lookup, version, sealed)
                SELECT 'record', ?2, id, lookup, version, sealed FROM record NOT INDEXED WHERE number = ?1
                """)
            putReleases = connection.prepare(
                """
                INSERT INTO quarantine (source, fault, version, sealed)
                SELECT 'release', 'altered', first, entries FROM release WHERE first = ?1
                """)
            delete = connection.prepare("DELETE FROM quarantine WHERE number = ?1")
            updateRecord = connection.prepare("UPDATE quarantine SET lookup = ?2, sealed = ?3 WHERE number = ?1")
        }
    }

    package struct Slots {
        package let rows, put, putFailures, delete: SQLStatement

        init(on connection: SQLConnection) {
            let columns = "id, kind, salt, cost, wrapped, checksum, note, failures"
            rows = connection.prepare("SELECT \(columns) FROM slot ORDER BY id")
            put = connection.prepare("REPLACE INTO slot (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
            putFailures = connection.prepare("UPDATE slot SET failures = ?2 WHERE id = ?1")
            delete = connection.prepare("DELETE FROM slot WHERE id = ?1")
        }
    }
}

extension SQLConnection {
    fileprivate func prepare(_ sql: String) -> SQLStatement { SQLStatement(sql, on: self) }
}
