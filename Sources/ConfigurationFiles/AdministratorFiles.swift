// SPDX-License-Identifier: Apache-2.0

/// What only an administrator declares, as it was read: the delegates, and the families of programs that share secrets.
/// A value: its owner makes sure that one task at a time uses it.
package struct AdministratorFiles: Sendable {
    private var delegates: DelegateDirectories
    private var families: SecretFamilyDirectories

    /// Reads them all.
    ///
    /// - Parameters:
    ///   - delegates: directories; a later one overrides an earlier one, and one that is missing is empty.
    ///   - families: the same.
    ///   - now: nanoseconds since 1970, by the clock that stamps files.
    package init(
        delegates: [String] = StandardPaths.systemDelegates, families: [String] = StandardPaths.systemSecretFamilies,
        now: @escaping @Sendable () -> Int64 = RegistrationDirectories.fileClock
    ) {
        self.delegates = DelegateDirectories(delegates, now: now)
        self.families = SecretFamilyDirectories(families, now: now)
    }

    /// The files, and directories, that were refused.
    package var problems: [ConfigurationFileProblem] { delegates.problems + families.problems }

    /// Reads again what has changed. Where nothing has, it costs a few calls of stat a file.
    package mutating func reloadIfChanged() {
        delegates.reloadIfChanged()
        families.reloadIfChanged()
    }
}
