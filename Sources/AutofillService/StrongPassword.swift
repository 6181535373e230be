// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import Credentials
internal import Forms
internal import PasswordRules
internal import Settings

/// Whether a form's rules can be met, and what draws passwords that meet them.
enum StrongPassword {
    case ready(PasswordGenerator, rules: PasswordRules, diagnostics: [String])
    case refused(PasswordRulesRefusal, field: String)

    var fact: AutofillFacts.Rules {
        switch self {
        case .ready(_, let rules, _): .satisfiable(rules.description)
        case .refused(.conflict(let rules), let field):
            .unsatisfiable(field: field, detail: PasswordRulesRefusal.conflict(rules: rules).message)
        case .refused(let refusal, let field): .tooComplex(field: field, detail: refusal.message)
        }
    }
}

extension AutofillBroker {
    /// Reads the rules of the new password's field, or those that are known for the site where the field gives none; nil
    /// where the form has no such field.
    func strongPassword(
        for form: FormAnalysis, of fields: [FormField], style: String?, on service: Service?
    ) -> StrongPassword? {
        guard let field = form.ruledField(of: fields) else { return nil }
        let bounds = form.lengthBounds(of: fields)
        let settings = configuration.settings
        let isRandom = (style ?? settings.strongPasswordStyle.rawValue) == "random"
        do throws(PasswordRulesRefusal) {
            let known = field.passwordRules == nil ? knownRules(on: service) : nil
            let parsed = try PasswordRules.parse(field.passwordRules ?? known?.descriptor ?? "", as: .lenient)
            let generator = try PasswordGenerator(
                rules: parsed.rules,
                options: .init(
                    style: isRandom ? .random : .readable, targetBits: Double(settings.strongPasswordBits),
                    fieldMinLength: bounds.minimum, fieldMaxLength: bounds.maximum, length: nil))
            return .ready(
                generator, rules: parsed.rules,
                diagnostics: (known.map { ["The field gives no rules; these are known for \($0.of)"] } ?? [])
                    + parsed.diagnostics.map(\.message) + generator.notes.map(\.message))
        } catch {
            return .refused(error, field: field.id)
        }
    }
}
