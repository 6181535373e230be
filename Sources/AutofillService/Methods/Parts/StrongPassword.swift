// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import Credentials
internal import Forms
internal import PasswordRules
internal import Settings

/// Whether a form's rules can be met, and what draws passwords that meet them.
enum StrongPassword {
    /// The lengths are those that the fields take.
    case ready(PasswordGenerator, rules: PasswordRules, lengths: ClosedRange<Int>, diagnostics: [String])
    case refused(PasswordRulesRefusal, field: String)

    var fact: AutofillFacts.Rules {
        switch self {
        case .ready(_, let rules, _, _): .satisfiable(rules.description)
        case .refused(.conflict(let rules), let field):
            .unsatisfiable(field: field, detail: PasswordRulesRefusal.conflict(rules: rules).message)
        case .refused(let refusal, let field): .tooComplex(field: field, detail: refusal.message)
        }
    }
}

extension Modules {
    /// Reads the rules of the new password's field, or those that are known for the site where the field gives none; nil
    /// where the form has no such field.
    func strongPassword(
        for form: FormAnalysis, of fields: [FormField], style: String?, on service: Service?
    ) throws(RefusedRequest) -> StrongPassword? {
        guard let field = form.ruledField(of: fields) else { return nil }
        let bounds = form.lengthBounds(of: fields)
        let inForce = settings.effective
        let isRandom = (style ?? inForce.strongPasswordStyle.rawValue) == "random"
        var rules: PasswordRules
        var diagnostics: [String]
        do throws(PasswordRulesRefusal) {
            let known = field.passwordRules == nil ? apps.knownRules(on: service) : nil
            let parsed = try PasswordRules.parse(field.passwordRules ?? known?.descriptor ?? "", as: .lenient)
            diagnostics = known.map { ["The field gives no rules; these are known for \($0.of)"] } ?? []
            diagnostics += parsed.diagnostics.map(\.message)
            rules = parsed.rules
            for (field, text) in form.patterns(of: fields) {
                if let pattern = FieldPattern(text) {
                    rules = try rules.narrowed(to: pattern)
                } else {
                    diagnostics.append("The pattern of \(field) says more than rules can; it is passed over")
                }
            }
        } catch {
            return .refused(error, field: field.id)
        }
        let options = PasswordGenerator.Options(
            style: isRandom ? .random : .readable, targetBits: Double(inForce.strongPasswordBits),
            fieldMinLength: bounds.minimum, fieldMaxLength: bounds.maximum, length: nil)
        switch try generators.generator(for: PasswordGenerators.Key(rules: rules, options: options)) {
        case .success(let generator):
            let least = bounds.minimum ?? 0
            return .ready(
                generator, rules: rules, lengths: least...max(least, bounds.maximum ?? .max),
                diagnostics: diagnostics + generator.notes.map(\.message))
        case .failure(let refusal): return .refused(refusal, field: field.id)
        }
    }
}
