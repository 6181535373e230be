// SPDX-License-Identifier: Apache-2.0

extension PasswordRules: CustomStringConvertible {
    /// A descriptor that parses back to the same rules: `required: upper; minlength: 8;`.
    public var description: String {
        canonicalText(limit: PasswordRulesLimits.descriptorScalars)
            ?? spelling(colon: ":", separator: ",", semicolon: ";")
    }

    /// The descriptor, spaced where that fits into the limit. Nil where it cannot fit: no such rules are let in.
    func canonicalText(limit: Int) -> String? {
        let spaced = spelling(colon: ": ", separator: ", ", semicolon: "; ")
        if spaced.utf8.count < limit { return spaced.isEmpty ? "" : spaced + ";" }
        let dense = spelling(colon: ":", separator: ",", semicolon: ";")
        return dense.utf8.count <= limit ? dense : nil
    }

    private func spelling(colon: String, separator: String, semicolon: String) -> String {
        spelledRules.map { $0.spelling(colon: colon, separator: separator) }.joined(separator: semicolon)
    }

    /// The rules that must be written out. `allowed` is left out where the others imply it, and is first where it would
    /// otherwise not override a required `unicode` or `ascii-printable`.
    private var spelledRules: [PasswordRule] {
        let required = required.map(PasswordRule.required)
        var implied = RulesDraft()
        for rule in required { implied.add(rule) }
        if PasswordRules(implied).allowed == allowed { return required + numericRules }
        implied.add(.allowed(allowed))
        return PasswordRules(implied).allowed == allowed
            ? required + [.allowed(allowed)] + numericRules
            : [.allowed(allowed)] + required + numericRules
    }
}
