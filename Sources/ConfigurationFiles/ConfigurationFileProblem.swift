// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
import PathInspection

/// Why a configuration file was refused: all its mistakes.
package struct ConfigurationFileProblem: Error, Hashable, Sendable {
    /// The file, or the directory, as it was named.
    package let file: String
    /// Never empty. Where the text is no JSON the path is the position in it, `line 3, column 7`.
    package let mistakes: [ConfigurationMistake]

    /// Whether the file is just not there.
    package let isMissing: Bool
    /// Whether it may cease without a change of the file.
    let mayPass: Bool

    init(file: String, mistakes: [ConfigurationMistake], isMissing: Bool = false, mayPass: Bool = false) {
        self.file = file
        self.mistakes = mistakes
        self.isMissing = isMissing
        self.mayPass = mayPass
    }

    init(file: String, _ refusal: some Explained) {
        self.init(file: file, reason: refusal.reason, fix: refusal.fix)
    }

    package init(file: String, reason: String, fix: String) {
        self.init(file: file, mistakes: [ConfigurationMistake(reason: reason, fix: fix)])
    }

    /// - Parameter verb: what was to be done, as in "It cannot be written".
    init(file: String, cannotBe verb: String, _ failure: SystemCallFailure) {
        let mistake = ConfigurationMistake(reason: "It cannot be \(verb): \(failure.message).", fix: failure.fix)
        self.init(file: file, mistakes: [mistake], isMissing: failure.isMissing, mayPass: failure.mayPass)
    }
}

extension ConfigurationFileProblem: CustomStringConvertible {
    /// A line for each mistake.
    package var description: String {
        mistakes.map { "\(file): \($0)" }.joined(separator: "\n")
    }
}
