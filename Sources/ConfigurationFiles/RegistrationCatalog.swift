// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains

/// All registrations that count, and what became of the other files. A plain value.
package struct RegistrationCatalog: Hashable, Sendable {
    /// A valid or refused file that another of the same bundle ID shadows.
    package struct Shadowed: Hashable, Sendable {
        package let bundleID: BundleIdentifier
        package let file: String
        /// The file that counts instead.
        package let by: String
    }

    /// The notes on a valid file.
    package struct Note: Hashable, Sendable {
        package let file: String
        package let note: ConfigurationMistake
    }

    private var byBundleID: [BundleIdentifier: Registration] = [:]
    package private(set) var shadowed: [Shadowed] = []
    /// The files, and directories, that were refused.
    package private(set) var problems: [ConfigurationFileProblem] = []
    package private(set) var notes: [Note] = []

    package subscript(bundleID: BundleIdentifier) -> Registration? { byBundleID[bundleID] }

    /// In the order of their bundle IDs.
    package var registrations: [Registration] { byBundleID.values.sorted { $0.bundleID < $1.bundleID } }
}

extension RegistrationCatalog {
    /// Puts the files of all directories in order: root's before the user's, and of one owner's those of a later
    /// directory first. A refused file of root's holds its bundle ID all the same, so that breaking it cannot bring a
    /// lesser one to power; a refused one of the user's holds nothing.
    init(_ reading: ConfigurationReading<Registration.Checked>) {
        problems = reading.problems
        var holders: [BundleIdentifier: String] = [:]
        let latestFirst = reading.files.reversed()
        for file in latestFirst.filter({ $0.owner == .root }) + latestFirst.filter({ $0.owner != .root }) {
            if case .failure(let problem) = file.content { self.problems.append(problem) }
            guard let bundleID = try? BundleIdentifier(file.stem), let owner = file.owner else { continue }
            if let holder = holders[bundleID] {
                shadowed.append(Shadowed(bundleID: bundleID, file: file.path, by: holder))
                continue
            }
            switch file.content {
            case .success(let checked):
                holders[bundleID] = file.path
                byBundleID[bundleID] = checked.registration
                notes += checked.notes.map { Note(file: file.path, note: $0) }
            case .failure:
                if owner == .root { holders[bundleID] = file.path }
            }
        }
        self.problems.sort { $0.file < $1.file }
        shadowed.sort { $0.file < $1.file }
        notes.sort { $0.file < $1.file }
    }
}
