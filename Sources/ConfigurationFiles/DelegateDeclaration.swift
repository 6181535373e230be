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

    /// The members of the file. `$schema` is for editors and has no meaning here.
    private enum Member: String, CaseIterable {
        case schema = "$schema"
        case executables
    }

    /// Reads a file strictly. All mistakes are reported at once.
    init(_ source: ConfigurationFile, name: String) throws(ConfigurationFileProblem) {
        let value = try ConfigurationValue(json: source.bytes, file: source.path)
        var findings = ConfigurationFindings()
        let object = ConfigurationObject(value, knowing: Member.allCases.map(\.rawValue), &findings)
        _ = object?[Member.schema.rawValue]?.string(at: .file[Member.schema.rawValue], &findings)
        let executables = object?.required(Member.executables.rawValue, &findings)?
            .executables(at: .file[Member.executables.rawValue], &findings)
        do {
            self.executables = try findings.accept(executables)
        } catch {
            throw ConfigurationFileProblem(file: source.path, mistakes: error.mistakes)
        }
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
