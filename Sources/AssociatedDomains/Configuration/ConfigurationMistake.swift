// SPDX-License-Identifier: Apache-2.0

/// One mistake in a configuration file (or, as a note, a hint): its position, the reason and the fix.
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

    /// - Parameter position: the position in a file that is not JSON, so that there are no members yet: `line 3, column
    ///   7`.
    package init(position: String, reason: String, fix: String) {
        path = position
        self.reason = reason
        self.fix = fix
    }

    package var description: String { (path.isEmpty ? "" : "\(path): ") + "\(reason) \(fix)" }
}

/// Everything wrong with one file, in the order of the file as far as it has one. Never empty.
package struct ConfigurationMistakes: Error, Hashable, Sendable {
    package let mistakes: [ConfigurationMistake]
}
