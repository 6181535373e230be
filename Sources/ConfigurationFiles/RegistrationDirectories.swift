// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Glibc

/// The directories of registrations, read, and read again when something in them has changed. A value: whoever keeps it
/// sees to it that one task at a time asks it.
package struct RegistrationDirectories: Sendable {
    private let paths: [String]
    private let trust: FileTrust
    private let suffixList: String
    private let now: @Sendable () -> Int64
    private var directories: [RegistrationDirectory] = []
    /// Whether a file may have changed again, in the file system's same tick, after it was read.
    private var isUnsettled = false

    package private(set) var catalog = RegistrationCatalog()

    /// Reads them all.
    ///
    /// - Parameters:
    ///   - paths: a later directory comes before an earlier one; a directory that is missing is an empty one.
    ///   - userID: the user whose files are taken besides root's.
    ///   - suffixList: the public suffix list; read along with the registrations, and not kept.
    ///   - now: nanoseconds since 1970, by the clock that stamps files.
    package init(
        _ paths: [String], userID: UInt32, suffixList: String = PublicSuffixList.standardPath,
        now: @escaping @Sendable () -> Int64 = RegistrationDirectories.fileClock
    ) {
        self.paths = paths
        self.now = now
        self.suffixList = suffixList
        trust = FileTrust(userID: userID)
        load()
    }

    /// Reads them again if anything in them has changed. Where nothing has it costs a few calls of stat a file.
    ///
    /// - Returns: whether the catalog is another now.
    package mutating func reloadIfChanged() -> Bool {
        if !isUnsettled, directories.allSatisfy({ $0.isUnchanged() }) { return false }
        let old = catalog
        load()
        return catalog != old
    }

    private mutating func load() {
        let now = now()
        var reading = RegistrationCatalog.Reading()
        let suffixes = PublicSuffixList.installed(at: suffixList)
        directories = paths.map {
            RegistrationDirectory(reading: $0, trusting: trust, refusing: suffixes, into: &reading)
        }
        isUnsettled = directories.contains { $0.changed.isWithin(Self.tick, of: now) }
        catalog = RegistrationCatalog(reading)
    }

    /// Nanoseconds; twice the coarsest tick that Linux stamps files with (100 a second).
    private static let tick: Int64 = 20_000_000

    /// The clock that stamps files: nanoseconds since 1970.
    package static func fileClock() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return time.nanoseconds
    }
}

extension Int64 {
    /// Whether it is less than `distance` from `other`, at whatever ends both are.
    fileprivate func isWithin(_ distance: Int64, of other: Int64) -> Bool {
        let (difference, isBeyond) = subtractingReportingOverflow(other)
        return !isBeyond && difference.magnitude < distance.magnitude
    }
}
