// SPDX-License-Identifier: Apache-2.0
internal import PasswordRules

/// Generators that were made lately: making one costs more than the rest of a suggestion, and a form asks again and again.
/// They hold no secret.
struct RecentGenerators {
    private struct Key: Hashable {
        let rules: PasswordRules
        let options: PasswordGenerator.Options
    }

    private static let limit = 16
    private var generators: [Key: PasswordGenerator] = [:]

    /// Throws as making one does.
    mutating func generator(
        for rules: PasswordRules, _ options: PasswordGenerator.Options
    ) throws(PasswordRulesRefusal) -> PasswordGenerator {
        let key = Key(rules: rules, options: options)
        if let known = generators[key] { return known }
        let made = try PasswordGenerator(rules: rules, options: options)
        if made.isSmall {
            if generators.count >= Self.limit { generators.removeAll() }
            generators[key] = made
        }
        return made
    }
}
