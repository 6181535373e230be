// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains

/// The directories in which an administrator declares something, one file each, read, and read again when something in
/// them has changed. A value: its owner makes sure that one task at a time uses it.
package struct AdministratorDirectories<Declaration: Sendable>: Sendable {
    /// Decodes a file, given its name without `.json`.
    typealias Decode = @Sendable (ConfigurationFile, String) throws(ConfigurationFileProblem) -> Declaration

    private var directories: ConfigurationDirectories
    private let own: String
    private let decode: Decode

    /// In the order of their names.
    package private(set) var declarations: [Declaration] = []
    /// The files, and directories, that were refused.
    package private(set) var problems: [ConfigurationFileProblem] = []

    /// Reads them all.
    ///
    /// - Parameters:
    ///   - paths: a later directory overrides an earlier one; a directory that is missing is an empty one.
    ///   - own: the one that the fix of a file names which others than root could have written.
    ///   - now: nanoseconds since 1970, by the clock that stamps files.
    init(_ paths: [String], own: String, now: @escaping @Sendable () -> Int64, decode: @escaping Decode) {
        directories = ConfigurationDirectories(paths, userID: 0, now: now)
        self.own = own
        self.decode = decode
        load()
    }

    /// Reads them again if anything in them has changed. Where nothing has, it costs a few calls of stat a file.
    package mutating func reloadIfChanged() { if !directories.isUnchanged { load() } }

    /// Of each name the file of the last directory counts. One of root's that was refused holds its name all the same,
    /// so that breaking it cannot bring a lesser one to power.
    private mutating func load() {
        let (own, decode) = (own, decode)
        let reading = directories.read { file, owner, stem throws(ConfigurationFileProblem) in
            guard owner == .root else { throw .notRootsAlone(file.path, own) }
            return try decode(file, stem)
        }
        declarations = reading.lastOfEachName.sorted { $0.key < $1.key }.compactMap(\.value)
        problems = (reading.problems + reading.refused).sorted { $0.file < $1.file }
    }
}

extension ConfigurationFile {
    /// Reads a declaration strictly: an object with `executables`, which are returned, and `$schema`, which is for editors and
    /// has no meaning here. All mistakes are reported at once.
    ///
    /// - Parameters:
    ///   - others: the further members.
    ///   - read: reads them.
    func declaration(
        with others: [String] = [],
        _ read: (ConfigurationObject?, inout ConfigurationFindings) -> Void = { _, _ in }
    ) throws(ConfigurationFileProblem) -> [AbsolutePath] {
        let (schema, executables) = ("$schema", "executables")
        let value = try ConfigurationValue(json: bytes, file: path)
        var findings = ConfigurationFindings()
        let object = ConfigurationObject(value, knowing: [schema] + others + [executables], &findings)
        _ = object?[schema]?.string(at: .file[schema], &findings)
        read(object, &findings)
        let programs = object?.required(executables, &findings)?.executables(at: .file[executables], &findings)
        do {
            return try findings.accept(programs)
        } catch {
            throw ConfigurationFileProblem(file: path, mistakes: error.mistakes)
        }
    }
}

extension ConfigurationReading {
    /// Of each name the file of the last directory, where it is root's; nil for one that was refused.
    var lastOfEachName: [String: Content?] {
        var taken: [String: Content?] = [:]
        for file in files.reversed() where file.owner == .root && taken[file.stem] == nil {
            taken.updateValue(try? file.content.get(), forKey: file.stem)
        }
        return taken
    }

    /// The problems of the files.
    var refused: [ConfigurationFileProblem] {
        files.compactMap { if case .failure(let problem) = $0.content { problem } else { nil } }
    }
}

extension ConfigurationFileProblem {
    static func notRootsAlone(_ path: String, _ directory: String) -> ConfigurationFileProblem {
        ConfigurationFileProblem(
            file: path, reason: "Others than root could have put it there.",
            fix: "Put it into a directory that root alone can change, such as \(directory).")
    }
}
