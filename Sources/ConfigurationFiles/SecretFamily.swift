// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains

/// An administrator's statement that some programs share what they store through Secret Service: `NAME.json` with the
/// members `schemas` and `executables`.
package struct SecretFamily: Hashable, Sendable {
    /// The file's name without `.json`.
    package let name: String
    /// Values of the attribute `xdg:schema`.
    package let schemas: [String]
    /// The programs. None: a packaged family of this name is cancelled.
    package let executables: [AbsolutePath]

    /// Schemas of one family at most.
    package static let schemaLimit = 64

    /// The members of the file. `$schema` is for editors and has no meaning here.
    private enum Member: String, CaseIterable {
        case schema = "$schema"
        case schemas, executables
    }

    /// Reads a file strictly. All mistakes are reported at once.
    init(_ source: ConfigurationFile, name: String) throws(ConfigurationFileProblem) {
        let value = try ConfigurationValue(json: source.bytes, file: source.path)
        var findings = ConfigurationFindings()
        let object = ConfigurationObject(value, knowing: Member.allCases.map(\.rawValue), &findings)
        _ = object?[Member.schema.rawValue]?.string(at: .file[Member.schema.rawValue], &findings)
        var schemas: [String] = []
        if let list = object?.required(Member.schemas.rawValue, &findings) {
            let path = ConfigurationPath.file[Member.schemas.rawValue]
            for (elementPath, element) in list.elements(atMost: Self.schemaLimit, at: path, &findings) {
                if let schema = element.string(at: elementPath, &findings) { schemas.append(schema) }
            }
        }
        let executables = object?.required(Member.executables.rawValue, &findings)?
            .executables(at: .file[Member.executables.rawValue], &findings)
        do {
            self.executables = try findings.accept(executables)
        } catch {
            throw ConfigurationFileProblem(file: source.path, mistakes: error.mistakes)
        }
        self.schemas = schemas
        self.name = name
    }
}

package typealias SecretFamilyDirectories = AdministratorDirectories<SecretFamily>

extension SecretFamilyDirectories {
    package init(
        _ paths: [String] = StandardPaths.systemSecretFamilies,
        now: @escaping @Sendable () -> Int64 = RegistrationDirectories.fileClock
    ) {
        self.init(paths, own: "/etc/autofilld/secret-families", now: now, decode: SecretFamily.init)
    }
}
