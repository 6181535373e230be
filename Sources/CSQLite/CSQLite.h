// SPDX-License-Identifier: Apache-2.0
// SQLite of the distribution (libsqlite3-dev), and what of it Swift cannot reach: macros that calculate or cast, and
// variadic functions.
#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

static const int af_sqlite_readonly_moved = SQLITE_READONLY_DBMOVED;
static const int af_sqlite_short_read = SQLITE_IOERR_SHORT_READ;
static const int af_sqlite_corrupt_file_system = SQLITE_IOERR_CORRUPTFS;

/// Has SQLite keep no statistics of its memory: they take a lock at each allocation. Without effect after the first connection.
static inline void af_sqlite_count_no_memory(void) { (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// SQLITE_TRANSIENT: SQLite copies what is bound before the call returns.
static inline sqlite3_destructor_type af_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Has "text in double quotes" be a name and never a string. SQLITE_OK or an error code.
static inline int af_sqlite_refuse_quoted_strings(sqlite3 *connection) {
    int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
    return code != SQLITE_OK ? code : sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
}

#endif
