// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains

/// The directories of registrations, read, and read again when something in them has changed. A value: its owner makes
/// sure that one task at a time uses it.
package struct RegistrationDirectories: Sendable {
    private let suffixList: String
    private var directories: ConfigurationDirectories

    package private(set) var catalog = RegistrationCatalog()
    /// The public suffix list, kept while an app is registered that may ask for any site; nil where none is installed.
    package private(set) var suffixes: PublicSuffixList?

    /// Reads them all.
    ///
    /// - Parameters:
    ///   - paths: a later directory comes before an earlier one; a directory that is missing is an empty one.
    ///   - userID: the user whose files are accepted besides root's.
    ///   - suffixList: the public suffix list; read along with the registrations.
    ///   - now: nanoseconds since 1970, by the clock that stamps files.
    package init(
        _ paths: [String], userID: UInt32, suffixList: String = PublicSuffixList.standardPath,
        now: @escaping @Sendable () -> Int64 = RegistrationDirectories.fileClock
    ) {
        self.suffixList = suffixList
        directories = ConfigurationDirectories(paths, userID: userID, now: now)
        load()
    }

    /// Reads them again if anything in them has changed. Where nothing has it costs a few calls of stat a file.
    ///
    /// - Returns: whether the catalog is another now.
    package mutating func reloadIfChanged() -> Bool {
        if directories.isUnchanged { return false }
        let old = catalog
        load()
        return catalog != old
    }

    private mutating func load() {
        let suffixes = PublicSuffixList.installed(at: suffixList)
        catalog = RegistrationCatalog(
            directories.read { file, owner, stem throws(ConfigurationFileProblem) in
                try RegistrationFile.decode(file, as: owner, stem: stem, refusing: suffixes)
            })
        let isNeeded = catalog.registrations.contains {
            $0.entitlements.isWebBrowser || $0.entitlements.isCredentialHelper
        }
        self.suffixes = isNeeded ? suffixes : nil
    }

    /// The clock that stamps files: nanoseconds since 1970.
    package static func fileClock() -> Int64 { ConfigurationDirectories.fileClock() }
}
