// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains

/// An administrator's statement that some programs may act for others: `NAME.json` with the member `executables`.
package struct DelegateDeclaration: Hashable, Sendable {
    /// The file's name without `.json`.
    package let name: String
    /// The file.
    package let file: String
    /// The programs. None: a packaged declaration of this name is cancelled.
    package let executables: [AbsolutePath]

    init(_ source: ConfigurationFile, name: String) throws(ConfigurationFileProblem) {
        executables = try source.declaration()
        self.name = name
        file = source.path
    }
}

package typealias DelegateDirectories = AdministratorDirectories<DelegateDeclaration>

extension DelegateDirectories {
    package init(
        _ paths: [String] = StandardPaths.systemDelegates,
        now: @escaping @Sendable () -> Int64 = RegistrationDirectories.fileClock
    ) {
        self.init(paths, own: "/etc/autofilld/delegates", now: now, decode: DelegateDeclaration.init)
    }
}
