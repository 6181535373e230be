// SPDX-License-Identifier: Apache-2.0
internal import Forms
package import Reasons

/// The decision: every condition of a purpose, held or not, with its evidence.
package struct Examination: Sendable {
    /// The purpose of the request.
    package enum Purpose: Sendable {
        /// A strong password, made and saved in one act.
        case strongPassword
        /// To save what the user typed.
        case save
        /// Something that was saved before.
        case savedCredential
        /// The app's own data: keychain items, verifiers, the signed-in user.
        case keychainItem
        /// To hand over a one-time code that the app received.
        case codeSource

        /// The conditions that count for it.
        package var conditions: [Condition] {
            switch self {
            case .keychainItem: return [.keychain, .identity, .registration, .vault]
            case .codeSource: return [.keychain, .autoFill, .identity, .registration]
            default: break
            }
            return Condition.allCases.filter { condition in
                switch condition {
                case .strongPasswords, .newPasswordField, .secureEntry, .usernameField, .passwordRules:
                    self == .strongPassword
                case .grant: self == .savedCredential
                default: true
                }
            }
        }
    }

    package let findings: [Finding]

    /// Judges all conditions of `purpose`; none is left out because an earlier one failed, except where it has no
    /// meaning, and that a caller that is not the app receives nothing of the app's registration.
    package init(of facts: AutofillFacts, for purpose: Purpose) {
        let all = purpose.conditions.compactMap { $0.finding(in: facts) }
        let isStranger = all.contains { $0.condition == .identity && $0.refusal != nil }
        findings = isStranger ? all.filter { !$0.condition.isOfRegistration } : all
    }

    /// What fails, in the order of the conditions; empty when AutoFill may act.
    package var refusals: [Refusal] { findings.compactMap(\.refusal) }

    package var isPermitted: Bool { refusals.isEmpty }
}
