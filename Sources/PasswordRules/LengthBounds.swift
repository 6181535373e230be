// SPDX-License-Identifier: Apache-2.0

/// The lengths that rules, field and caller admit together.
struct LengthBounds {
    /// From the least to the greatest, within the limit on lengths.
    let range: ClosedRange<Int>
    /// What sets the bounds, as the language has it; for a refusal.
    let sources: [String]

    init(_ rules: PasswordRules, _ options: PasswordGenerator.Options) throws(PasswordRulesRefusal) {
        var least = (value: 1, source: "")
        var greatest = (value: Int.max, source: "")
        func raise(_ value: Int?, _ source: String) {
            if let value, value > least.value { least = (value, source) }
        }
        func lower(_ value: Int?, _ source: String) {
            if let value, value < greatest.value { greatest = (value, source) }
        }
        raise(rules.minLength, "minlength: \(rules.minLength ?? 0)")
        raise(options.fieldMinLength, "the field's minlength: \(options.fieldMinLength ?? 0)")
        raise(options.length, "the length asked for: \(options.length ?? 0)")
        lower(rules.maxLength, "maxlength: \(rules.maxLength ?? 0)")
        lower(options.fieldMaxLength, "the field's maxlength: \(options.fieldMaxLength ?? 0)")
        lower(options.length, "the length asked for: \(options.length ?? 0)")
        guard least.value <= greatest.value else { throw .conflict(rules: [least.source, greatest.source]) }

        let demanded = RequiredSets(rules).total
        guard demanded <= greatest.value else {
            throw .conflict(rules: LengthBounds.required(rules) + [greatest.source])
        }
        if demanded > least.value { least = (demanded, "") }
        guard least.value <= PasswordRulesLimits.length else { throw .tooComplex(.length(least.value)) }
        range = least.value...min(greatest.value, PasswordRulesLimits.length)
        sources = [least.source, greatest.source].filter { !$0.isEmpty }
    }

    /// The required rules that ask for something, each once, with their number.
    static func required(_ rules: PasswordRules) -> [String] {
        var texts: [(text: String, count: Int)] = []
        for required in rules.required where !required.characters.isEmpty {
            let text = PasswordRule.required(required).description
            if let index = texts.firstIndex(where: { $0.text == text }) {
                texts[index].count += 1
            } else {
                texts.append((text, 1))
            }
        }
        return texts.map { $0.count == 1 ? $0.text : "\($0.text) (\($0.count) times)" }
    }
}
