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

    init(_ source: ConfigurationFile, name: String) throws(ConfigurationFileProblem) {
        let member = "schemas"
        var schemas: [String] = []
        executables = try source.declaration(with: [member]) { object, findings in
            guard let list = object?.required(member, &findings) else { return }
            for (path, element) in list.elements(atMost: Self.schemaLimit, at: .file[member], &findings) {
                if let schema = element.string(at: path, &findings) { schemas.append(schema) }
            }
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
