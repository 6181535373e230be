// SPDX-License-Identifier: Apache-2.0

/// Rules as text, and as HTML and Swift source.
package struct RulesText {
    private let rules: PasswordRules

    package init(_ rules: PasswordRules) { self.rules = rules }

    /// Bits with two decimals, rounded down.
    package static func bits(_ bits: Double) -> String {
        let hundredths = Int(bits * 100)
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    /// The requirements of the rules, one sentence each.
    package var requirements: [String] {
        var requirements: [String] = []
        var counted: [(required: PasswordRule.CharacterClass, count: Int)] = []
        for required in rules.required where !required.items.isEmpty {
            if let index = counted.firstIndex(where: { $0.required == required }) {
                counted[index].count += 1
            } else {
                counted.append((required, 1))
            }
        }
        for (required, count) in counted {
            requirements.append("at least \(count == 1 ? "one" : "\(count)") of \(text(required, joinedBy: "or"))")
        }
        if counted.reduce(0, { $0 + $1.count }) > 1 { requirements.append("each of these by a character of its own") }
        requirements.append("nothing but \(text(rules.allowed, joinedBy: "and"))")
        if let limit = rules.maxConsecutive {
            requirements.append(
                "at most \(limit) equal characters in a row, and at most \(limit) in sequence (abc, 321)")
        }
        if let limit = rules.maxRepeating { requirements.append("at most \(limit) equal characters in a row") }
        if let limit = rules.maxSequential { requirements.append("at most \(limit) characters in sequence (abc, 321)") }
        switch (rules.minLength, rules.maxLength) {
        case (let least?, let greatest?): requirements.append("\(least) to \(greatest) characters")
        case (let least?, nil): requirements.append("at least \(least) characters")
        case (nil, let greatest?): requirements.append("at most \(greatest) characters")
        case (nil, nil): requirements.append("any length")
        }
        return requirements
    }

    /// Improvements for the author of the rules.
    package var advice: [String] {
        var advice: [String] = []
        if let greatest = rules.maxLength, greatest < PasswordRulesLimits.permittedLength {
            advice.append(
                "Raise maxlength to \(PasswordRulesLimits.permittedLength) or more: NIST SP 800-63B requires that so many "
                    + "characters be permitted.")
        }
        if (rules.minLength ?? 0) < PasswordRulesLimits.soleFactorLength {
            advice.append(
                "Set minlength to \(PasswordRulesLimits.soleFactorLength), or to \(PasswordRulesLimits.floorLength) where "
                    + "there is a second factor: NIST SP 800-63B's floors.")
        }
        if rules.maxConsecutive != nil {
            advice.append(
                "Write max-repeating or max-sequential instead of max-consecutive: Apple deprecated it as ambiguous in "
                    + "September 2026. Both limits are applied here.")
        }
        if rules.required.contains(where: \.items.isEmpty) {
            advice.append("Remove the required rule without characters: it has no effect.")
        }
        return advice
    }

    /// The attribute of an input element.
    package var html: String {
        let escaped = rules.description.map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&#39;"
            default: String(character)
            }
        }.joined()
        return "passwordrules=\"\(escaped)\""
    }

    /// The rules in a Swift program.
    package var swift: String {
        let escaped = rules.description.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }.joined()
        return "let rules = try PasswordRules(descriptor: \"\(escaped)\")"
    }

    private func text(_ characters: PasswordRule.CharacterClass, joinedBy last: String) -> String {
        let names = characters.items.map { item in
            switch item {
            case .named("upper"): "A–Z"
            case .named("lower"): "a–z"
            case .named("digit"): "0–9"
            case .named("special"): "special characters (including space)"
            case .named("ascii-printable"): "printable ASCII"
            case .named("unicode"): "any Unicode character"
            case .named(let name): name
            case .custom(let characters):
                characters.map { $0 == " " ? "space" : String($0) }.joined(separator: " ")
            }
        }
        guard let end = names.last, names.count > 1 else { return names.first ?? "nothing" }
        return names.dropLast().joined(separator: ", ") + " \(last) " + end
    }
}
