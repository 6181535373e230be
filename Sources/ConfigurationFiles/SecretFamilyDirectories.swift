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

/// The directories in which an administrator names the families; only root can write them.
package struct SecretFamilyDirectories: Sendable {
    private var directories: ConfigurationDirectories
    /// In the order of their names.
    package private(set) var families: [SecretFamily] = []
    /// The files, and directories, that were refused.
    private(set) var problems: [ConfigurationFileProblem] = []

    /// Reads them all.
    ///
    /// - Parameters:
    ///   - paths: a later directory overrides an earlier one; a directory that is missing is an empty one.
    ///   - now: nanoseconds since 1970, by the clock that stamps files.
    package init(
        _ paths: [String] = StandardPaths.systemSecretFamilies,
        now: @escaping @Sendable () -> Int64 = RegistrationDirectories.fileClock
    ) {
        directories = ConfigurationDirectories(paths, userID: 0, now: now)
        load()
    }

    /// Reads them again if anything in them has changed.
    mutating func reloadIfChanged() { if !directories.isUnchanged { load() } }

    private mutating func load() {
        let reading = directories.read { file, owner, stem throws(ConfigurationFileProblem) in
            guard owner == .root else { throw .notRootsAlone(file.path, "/etc/autofilld/secret-families") }
            return try SecretFamily(file, name: stem)
        }
        let taken = reading.lastOfEachName
        families = taken.values.compactMap { $0 }.sorted { $0.name < $1.name }
        problems = (reading.problems + reading.refused).sorted { $0.file < $1.file }
    }
}
