// SPDX-License-Identifier: Apache-2.0

/// One thing wrong with a configuration file (or, as a note, one thing worth knowing): where, what, and what mends it.
package struct ConfigurationMistake: Explained, Hashable {
    /// The member's path, as `ConfigurationPath` writes it; empty for the whole file.
    package let path: String
    package let reason: String
    package let fix: String

    package init(path: ConfigurationPath = .file, reason: String, fix: String) {
        self.path = path.description
        self.reason = reason
        self.fix = fix
    }

    /// - Parameter place: where the file is no JSON, so that there are no members yet: `line 3, column 7`.
    package init(place: String, reason: String, fix: String) {
        path = place
        self.reason = reason
        self.fix = fix
    }

    package var description: String { (path.isEmpty ? "" : "\(path): ") + "\(reason) \(fix)" }
}

/// Everything wrong with one file, in the order of the file as far as it has one. Never empty.
package struct ConfigurationMistakes: Error, Hashable, Sendable {
    package let mistakes: [ConfigurationMistake]
}
