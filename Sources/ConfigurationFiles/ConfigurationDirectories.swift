// SPDX-License-Identifier: Apache-2.0
import Glibc
import PathInspection

/// Directories of JSON files, which are read again when something in them has changed.
struct ConfigurationDirectories: Sendable {
    private let paths: [String]
    private let trust: FileTrust
    private let now: @Sendable () -> Int64
    private var directories: [ConfigurationDirectory]?
    /// Whether a file may have changed again, in the file system's same tick, after it was read, or was not read for a
    /// reason that may have ceased.
    private var isUnsettled = false

    /// - Parameters:
    ///   - paths: a directory that is missing is an empty one.
    ///   - userID: the user whose files are accepted besides root's.
    ///   - now: nanoseconds since 1970, by the clock that stamps files.
    init(_ paths: [String], userID: UInt32, now: @escaping @Sendable () -> Int64) {
        self.paths = paths
        self.now = now
        trust = FileTrust(userID: userID)
    }

    /// Whether nothing has changed since they were read. It costs a few calls of stat a file.
    var isUnchanged: Bool { !isUnsettled && directories?.allSatisfy { $0.isUnchanged() } == true }

    /// Reads all of them.
    mutating func read<Content>(_ decode: ConfigurationDirectory.Decode<Content>) -> ConfigurationReading<Content> {
        let now = now()
        var reading = ConfigurationReading<Content>()
        let directories = paths.map { ConfigurationDirectory(reading: $0, trusting: trust, into: &reading, decode) }
        isUnsettled =
            reading.mayPass
            || directories.contains { $0.isIncomplete || $0.changed.isWithin(FileFacts.timeStep, of: now) }
        self.directories = directories
        return reading
    }

    /// The clock that stamps files: nanoseconds since 1970.
    static func fileClock() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension Int64 {
    /// Whether it is less than `distance` from `other`, at whatever ends both are.
    fileprivate func isWithin(_ distance: Int64, of other: Int64) -> Bool {
        let (difference, isBeyond) = subtractingReportingOverflow(other)
        return !isBeyond && difference.magnitude < distance.magnitude
    }
}
