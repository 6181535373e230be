// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Forms
internal import PasswordRules
internal import Reasons
internal import SecretMemory
internal import Settings

/// Whether a form's rules can be met, and what draws passwords that meet them.
enum StrongPassword {
    case ready(Ready)
    case refused(PasswordRulesRefusal, field: String)

    struct Ready {
        let generator: PasswordGenerator
        let rules: PasswordRules
        /// Those that the fields accept.
        let lengths: ClosedRange<Int>
        let diagnostics: [String]

        var strength: Strength {
            Strength(
                count: generator.count.description, bits: generator.bits.hundredths, style: generator.format.rawValue,
                diagnostics: diagnostics)
        }
    }

    /// How many passwords may be drawn, as the answer has it.
    struct Strength: Sendable {
        let count, bits, style: String
        let diagnostics: [String]
    }

    var fact: AutofillFacts.Rules {
        switch self {
        case .ready(let ready): .satisfiable(ready.rules.description)
        case .refused(.conflict(let rules), let field):
            .unsatisfiable(field: field, detail: PasswordRulesRefusal.conflict(rules: rules).message)
        case .refused(let refusal, let field): .tooComplex(field: field, detail: refusal.message)
        }
    }
}

/// Reads which strong passwords forms accept.
struct StrongPasswords {
    private let sites: Sites
    private let generators: PasswordGenerators
    private let settings: SettingReader

    init(_ sites: Sites, _ generators: PasswordGenerators, _ settings: SettingReader) {
        (self.sites, self.generators, self.settings) = (sites, generators, settings)
    }

    /// Reads the rules of the new password's field, or those that are stored for the site where the field gives none; nil
    /// where the form has no such field.
    func strongPassword(for form: RequestedForm, style: String?) throws(Unsettled) -> StrongPassword? {
        guard let field = form.analysis.ruledField(of: form.fields) else { return nil }
        let bounds = form.analysis.lengthBounds(of: form.fields)
        let inForce = settings.effective
        let isRandom = (style ?? inForce.strongPasswordStyle.rawValue) == "random"
        var rules: PasswordRules
        var diagnostics: [String]
        do throws(PasswordRulesRefusal) {
            let stored = field.passwordRules == nil ? sites.rules(on: form.service) : nil
            let parsed = try PasswordRules.parse(field.passwordRules ?? stored?.descriptor ?? "", as: .lenient)
            diagnostics = stored.map { ["The field gives no rules; these are known for \($0.of)"] } ?? []
            diagnostics += parsed.diagnostics.map(\.message)
            rules = parsed.rules
            for (field, text) in form.analysis.patterns(of: form.fields) {
                if let pattern = FieldPattern(text) {
                    rules = try rules.narrowed(to: pattern)
                } else {
                    diagnostics.append("The pattern of \(field) requires more than rules can express; it is ignored")
                }
            }
        } catch {
            return .refused(error, field: field.id)
        }
        let options = PasswordGenerator.Options(
            style: isRandom ? .random : .readable, targetBits: Double(inForce.strongPasswordBits),
            fieldMinLength: bounds.minimum, fieldMaxLength: bounds.maximum, length: nil)
        switch try generators.generator(for: PasswordGenerators.Key(rules, options)) {
        case .success(let generator):
            let least = bounds.minimum ?? 0
            return .ready(
                StrongPassword.Ready(
                    generator: generator, rules: rules, lengths: least...max(least, bounds.maximum ?? .max),
                    diagnostics: diagnostics + generator.notes.map(\.message)))
        case .failure(let refusal): return .refused(refusal, field: field.id)
        }
    }
}

extension Double {
    /// With two decimals, rounded down: strength is never overstated.
    fileprivate var hundredths: String {
        let hundredths = Int((self * 100).rounded(.down))
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
