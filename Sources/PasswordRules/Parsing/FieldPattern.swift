// SPDX-License-Identifier: Apache-2.0

/// The `pattern` of a password field (HTML, 4.10.5.3.6) where it states no more than password rules can: one class of
/// characters with its number, behind conditions on what must occur.
///
///     [A-Za-z0-9]{8,16}
///     (?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,}
///     ^(?!.*\s)(?=.*[^\w]).{10,}$
///
/// A class is `.`, `\d`, `\w`, `\s`, one of their opposites, or a list in brackets; its number is `*`, `+`, `{m}`,
/// `{m,}` or `{m,n}`. A condition is `(?=.*CLASS)`, `(?!.*CLASS)` or `(?=.{m,})`. Only the printable ASCII of a class
/// is kept, from which passwords are drawn.
package struct FieldPattern: Hashable, Sendable {
    /// What all characters must be.
    private(set) var allowed: PrintableSet
    /// Sets of which one character each must occur; the same one may serve several.
    private(set) var required: [PrintableSet] = []
    private(set) var minimum: Int
    private(set) var maximum: Int?

    /// nil for every other pattern, also one that no regular expression is.
    package init?(_ text: String) {
        var reader = PatternReader(text)
        reader.skip("^")
        var forbidden = PrintableSet()
        var least = 0
        while reader.skip("(?") {
            let isWanted = reader.skip("=.")
            guard isWanted || reader.skip("!.") else { return nil }
            if isWanted, let number = reader.number() {
                guard number.maximum == nil, reader.skip(")") else { return nil }
                least = max(least, number.minimum)
            } else {
                guard reader.skip("*") else { return nil }
                reader.skip("?")
                guard let found = reader.characterClass(), reader.skip(")") else { return nil }
                if isWanted { required.append(found) } else { forbidden.formUnion(found) }
            }
        }
        guard let all = reader.characterClass(), let number = reader.anyNumber() else { return nil }
        reader.skip("$")
        guard reader.isAtEnd else { return nil }
        allowed = all.subtracting(forbidden)
        minimum = max(least, number.minimum)
        maximum = number.maximum
    }
}

extension PasswordRules {
    /// These rules for a field that accepts only what also matches a pattern: all that they admit matches it.
    ///
    /// - Throws: ``PasswordRulesRefusal/conflict(rules:)`` where nothing is left.
    package func narrowed(to pattern: FieldPattern) throws(PasswordRulesRefusal) -> PasswordRules {
        let source = "the field's pattern"
        let rest = allowed.characters.intersection(pattern.allowed)
        var rules: [PasswordRule] = []
        var demands: [PrintableSet] = []
        for former in required where !former.characters.isEmpty {
            let narrowed = former.narrowed(to: pattern.allowed)
            guard !narrowed.characters.isEmpty else {
                throw .conflict(rules: [PasswordRule.required(former).description, source])
            }
            rules.append(.required(narrowed))
            demands.append(narrowed.characters)
        }
        guard !rest.isEmpty else { throw .conflict(rules: [PasswordRule.allowed(allowed).description, source]) }
        for wanted in pattern.required {
            let narrowed = wanted.intersection(rest)
            guard !narrowed.isEmpty else {
                throw .conflict(rules: [PasswordRule.allowed(allowed).description, source])
            }
            // One rule is enough where its character serves both.
            if demands.contains(where: { $0.isSubset(of: narrowed) }) { continue }
            rules.append(.required(PasswordRule.CharacterClass(narrowed)))
            demands.append(narrowed)
        }
        if let maxLength, maxLength < pattern.minimum { throw .conflict(rules: ["maxlength: \(maxLength)", source]) }
        if let minLength, let most = pattern.maximum, most < minLength {
            throw .conflict(rules: ["minlength: \(minLength)", source])
        }
        rules.append(.allowed(allowed.narrowed(to: pattern.allowed)))
        rules += numericRules + [.minLength(UInt(pattern.minimum))]
        if let most = pattern.maximum { rules.append(.maxLength(UInt(most))) }
        return try PasswordRules(rules: rules)
    }
}

extension PasswordRule.CharacterClass {
    fileprivate func narrowed(to set: PrintableSet) -> PasswordRule.CharacterClass {
        characters.isSubset(of: set) ? self : PasswordRule.CharacterClass(characters.intersection(set))
    }
}
