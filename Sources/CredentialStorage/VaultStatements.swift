// SPDX-License-Identifier: Apache-2.0

/// Every statement that is run more than rarely, prepared once.
final class VaultStatements {
    let begin, commit, rollback: SQLStatement
    let recordByID, recordByLookup, recordsInScope, idsInScope, countScope, recordsOfKind: SQLStatement
    let recordsOfKindOutsideScope, tagsOfKind: SQLStatement
    let insertRecord, updateRecord, resealRecord, deleteRecord: SQLStatement
    let allRecords, allTags, nodes, node, putNode, deleteNodes: SQLStatement
    let insertReleases, releasesBefore, oldestReleases, deleteReleases, releaseBytes: SQLStatement
    let quarantineRecord, quarantineReleases, quarantine, quarantined: SQLStatement
    let quarantinedRecords, updateQuarantine: SQLStatement
    let recordNumbers, quarantineNumber, deleteNumber: SQLStatement
    let slots, slot, putSlot, deleteSlot, putSlotFailures: SQLStatement

    init(on connection: SQLConnection) throws(VaultError) {
        func prepare(_ sql: String) throws(VaultError) -> SQLStatement {
            try SQLStatement(sql, on: connection)
        }
        let row = "SELECT id, lookup, version, sealed FROM record"
        begin = try prepare("BEGIN IMMEDIATE")
        commit = try prepare("COMMIT")
        rollback = try prepare("ROLLBACK")

        recordByID = try prepare("\(row) WHERE id = ?1")
        recordByLookup = try prepare("\(row) WHERE lookup = ?1")
        recordsInScope = try prepare("\(row) WHERE lookup BETWEEN ?1 AND ?2 ORDER BY lookup, id")
        idsInScope = try prepare("SELECT id FROM record WHERE lookup BETWEEN ?1 AND ?2")
        countScope = try prepare("SELECT count(*) FROM record WHERE lookup BETWEEN ?1 AND ?2")
        recordsOfKind = try prepare("\(row) WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3")
        recordsOfKindOutsideScope = try prepare(
            "\(row) WHERE id > ?1 AND id <= ?2 AND lookup NOT BETWEEN ?4 AND ?5 ORDER BY id LIMIT ?3")
        tagsOfKind = try prepare(
            "SELECT id, version, substr(sealed, -16) FROM record WHERE id BETWEEN ?1 AND ?2 ORDER BY id")
        allRecords = try prepare(row)
        allTags = try prepare("SELECT id, version, substr(sealed, -16) FROM record")
        insertRecord = try prepare("INSERT INTO record (id, lookup, version, sealed) VALUES (?1, ?2, ?3, ?4)")
        updateRecord = try prepare("UPDATE record SET lookup = ?2, version = ?3, sealed = ?4 WHERE id = ?1")
        resealRecord = try prepare("UPDATE record SET version = ?3, sealed = ?4 WHERE id = ?1 AND lookup = ?2")
        deleteRecord = try prepare("DELETE FROM record WHERE id = ?1")

        nodes = try prepare("SELECT node FROM manifest")
        node = try prepare("SELECT sealed FROM manifest WHERE node = ?1")
        putNode = try prepare(
            "INSERT INTO manifest (node, sealed) VALUES (?1, ?2) ON CONFLICT (node) DO UPDATE SET sealed = ?2")
        deleteNodes = try prepare("DELETE FROM manifest")

        insertReleases = try prepare("INSERT INTO release (first, entries) VALUES (?1, ?2)")
        releasesBefore = try prepare("SELECT first, entries FROM release WHERE first < ?1 ORDER BY first DESC")
        oldestReleases = try prepare("SELECT first, entries FROM release WHERE first >= ?1 ORDER BY first")
        deleteReleases = try prepare("DELETE FROM release WHERE first = ?1")
        releaseBytes = try prepare("SELECT coalesce(sum(length(entries)), 0) FROM release")

        let slotColumns = "id, kind, salt, cost, wrapped, checksum, note, failures"
        slots = try prepare("SELECT \(slotColumns) FROM slot ORDER BY id")
        slot = try prepare("SELECT \(slotColumns) FROM slot WHERE id = ?1")
        putSlot = try prepare("REPLACE INTO slot (\(slotColumns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
        deleteSlot = try prepare("DELETE FROM slot WHERE id = ?1")
        quarantineRecord = try prepare(
            """
            INSERT INTO quarantine (source, fault, id, lookup, version, sealed)
            SELECT 'record', ?2, id, lookup, version, sealed FROM record WHERE id = ?1
            """)
        recordNumbers = try prepare("SELECT number, id FROM record NOT INDEXED")
        quarantineNumber = try prepare(
            """
            INSERT INTO quarantine (source, fault, id, lookup, version, sealed)
            SELECT 'record', ?2, id, lookup, version, sealed FROM record NOT INDEXED WHERE number = ?1
            """)
        deleteNumber = try prepare("DELETE FROM record WHERE number = ?1")
        quarantineReleases = try prepare(
            """
            INSERT INTO quarantine (source, fault, version, sealed)
            SELECT 'release', 'altered', first, entries FROM release WHERE first = ?1
            """)
        quarantine = try prepare(
            "INSERT INTO quarantine (source, fault, id, lookup, version, sealed) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
        quarantined = try prepare("SELECT source, fault, id, version FROM quarantine ORDER BY number")
        quarantinedRecords = try prepare(
            "SELECT number, id, lookup, version, sealed FROM quarantine WHERE source = 'record' AND sealed IS NOT NULL")
        updateQuarantine = try prepare("UPDATE quarantine SET lookup = ?2, sealed = ?3 WHERE number = ?1")
        putSlotFailures = try prepare("UPDATE slot SET failures = ?2 WHERE id = ?1")
    }
}
