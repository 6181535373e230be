// SPDX-License-Identifier: Apache-2.0

/// The findings in one file so far: reading continues after a mistake, so that one check lists all.
package struct ConfigurationFindings: Sendable {
    /// How many mistakes are listed; of the rest only the number is reported.
    package static let limit = 64

    package private(set) var mistakes: [ConfigurationMistake] = []
    /// Notes, which refuse nothing.
    package private(set) var notes: [ConfigurationMistake] = []
    private var unlisted = 0

    package init() {}

    package mutating func refuse(_ path: ConfigurationPath, _ reason: String, fix: String) {
        guard mistakes.count < Self.limit else { return unlisted += 1 }
        mistakes.append(ConfigurationMistake(path: path, reason: reason, fix: fix))
    }

    package mutating func refuse(_ path: ConfigurationPath, _ refusal: some Explained) {
        refuse(path, refusal.reason, fix: refusal.fix)
    }

    package mutating func note(_ path: ConfigurationPath, _ reason: String, fix: String) {
        guard notes.count < Self.limit else { return }
        notes.append(ConfigurationMistake(path: path, reason: reason, fix: fix))
    }

    /// The value that was read, unless it has mistakes. A reader returns nil only with a finding.
    package func accept<Value>(_ value: Value?) throws(ConfigurationMistakes) -> Value {
        if let value, mistakes.isEmpty { return value }
        guard unlisted > 0 else { throw ConfigurationMistakes(mistakes: mistakes) }
        let rest = ConfigurationMistake(
            reason: "\(unlisted) more mistakes are not listed.", fix: "Fix these first, then check again.")
        throw ConfigurationMistakes(mistakes: mistakes + [rest])
    }
}
