// SPDX-License-Identifier: Apache-2.0

package struct Diagnose: MethodCall {
    package static let declaration = MethodDeclaration(
        .diagnose, "Lists every condition of AutoFill for the calling app, met or not, with evidence and fix.", .open,
        repeatable: true)
    package let service: ServiceIdentifier?
    package let form: FormDescription?

    package init(service: ServiceIdentifier? = nil, form: FormDescription? = nil) {
        (self.service, self.form) = (service, form)
    }

    package static var acceptsContext: Bool { true }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            service: try field(
                optional: "service", \.service, .object(), "The site; without it the conditions about it are left out."),
            form: try field(
                optional: "form", \.form, .object(), "The form; without it the conditions about it are left out."))
    }

    package struct Answer: Message, Hashable {
        package let strongPassword: Bool
        package let savedCredentials: Bool
        package let conditions: [ConditionReport]

        package init(strongPassword: Bool, savedCredentials: Bool, conditions: [ConditionReport]) {
            (self.strongPassword, self.savedCredentials) = (strongPassword, savedCredentials)
            self.conditions = conditions
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                strongPassword: try field(
                    "strongPassword", \.strongPassword, .boolean,
                    "Whether a strong password would be offered, as far as the request shows."),
                savedCredentials: try field(
                    "savedCredentials", \.savedCredentials, .boolean, "Whether saved credentials would be filled."),
                conditions: try field(
                    "conditions", \.conditions, .objects(),
                    "Every condition, in the order in which failures are listed."))
        }
    }
}

/// One condition, as `diagnose` and `autofillctl explain` return it.
package struct ConditionReport: Message, Hashable {
    package let condition: String
    package let title: String
    package let isHeld: Bool?
    package let evidence: String
    package let reason: ReasonReport?

    package init(condition: String, title: String, isHeld: Bool?, evidence: String, reason: ReasonReport?) {
        (self.condition, self.title, self.isHeld, self.evidence) = (condition, title, isHeld, evidence)
        self.reason = reason
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            condition: try field("condition", \.condition, .string(1...64), "The name of the condition."),
            title: try field("title", \.title, .string(0...1024), "The condition in a few words, for people."),
            isHeld: try field(
                optional: "held", \.isHeld, .boolean, "Whether it is met; absent if that cannot be decided yet."),
            evidence: try field(
                "evidence", \.evidence, .string(0...65536),
                "The evidence, for people: the file, domain or field concerned."),
            reason: try field(optional: "reason", \.reason, .object(), "Why it is not met, with the fix."))
    }
}
