// SPDX-License-Identifier: Apache-2.0
internal import CSQLite

/// How many pages of the write-ahead log are not written back into the database, counted at each commit. A log that is found on opening counts from
/// the first commit on.
///
/// SQLite would write the log back in the commit that makes it long, and so make the event loop wait for two syncs more. Here another
/// thread does it, when `isDue` says so; a commit does it only where that thread has not done it for long.
final class LogLength {
    /// How many pages of 4 KiB the log has when another thread writes it back; SQLite's own default.
    static let writtenBackPages = 1000
    /// The commit that makes the log this long writes it back itself: 32 MiB.
    static let mostPages = 8000

    private(set) var pages = 0
    /// Ends what another thread reads, while nothing but the log is written, at any length.
    var endReading: (() -> Void)?
    /// nil for a vault in memory.
    private let log: LogFile?
    /// Pages at which it is to be written back.
    private var due = LogLength.writtenBackPages

    var isDue: Bool { endReading == nil && pages >= due }

    init(of log: LogFile?) { self.log = log }

    /// All was written back, or, where that failed, it is tried again when the log has grown as much once more.
    ///
    /// - Parameter code: what SQLite has returned.
    func noteWrittenBack(_ code: Int32) {
        if code == SQLITE_OK { pages = 0 }
        noteSync(code)
        due = pages + LogLength.writtenBackPages
    }

    /// A commit, or what writes the log back, has ended with this extended code: a sync of it that failed has left a hole in the log, like
    /// one in the background.
    func noteSync(_ code: Int32) {
        // SQLITE_IOERR_FSYNC, a macro that calculates.
        if code == SQLITE_IOERR | (4 << 8) { log?.noteFailure() }
    }

    /// Counts the commits of this connection from now on. The object must live as long as the connection.
    func observe(_ connection: SQLConnection) {
        sqlite3_wal_hook(
            connection.handle,
            { context, handle, _, pages in
                guard let context, let handle else { return SQLITE_OK }
                let length = Unmanaged<LogLength>.fromOpaque(context).takeUnretainedValue()
                length.pages = Int(pages)
                if length.isDue, length.pages >= LogLength.mostPages {
                    length.noteWrittenBack(sqlite3_wal_checkpoint(handle, nil))
                }
                // The commit is valid, whatever became of the rest.
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
