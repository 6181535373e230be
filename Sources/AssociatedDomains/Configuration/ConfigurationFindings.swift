// SPDX-License-Identifier: Apache-2.0

/// What the reading of one file has found so far: the reading goes on past a mistake, so that one look shows them all.
package struct ConfigurationFindings: Sendable {
    /// So many mistakes are listed; of the rest only the number is told.
    package static let limit = 64

    package private(set) var mistakes: [ConfigurationMistake] = []
    /// What is worth knowing but refuses nothing.
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

    /// The value that was read, unless something was found wrong with it. A reader gives nil only with a finding.
    package func accept<Value>(_ value: Value?) throws(ConfigurationMistakes) -> Value {
        if let value, mistakes.isEmpty { return value }
        guard unlisted > 0 else { throw ConfigurationMistakes(mistakes: mistakes) }
        let rest = ConfigurationMistake(
            reason: "\(unlisted) more mistakes are not listed.", fix: "Mend these first, then check again.")
        throw ConfigurationMistakes(mistakes: mistakes + [rest])
    }
}
