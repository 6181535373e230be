// SPDX-License-Identifier: Apache-2.0

/// Every condition of AutoFill for the calling app, held or not, with evidence and fix.
package struct Diagnose: MethodCall {
    package static let method = Method.diagnose
    package let service: ServiceIdentifier?
    package let fields: [FieldDescription]?

    package init(service: ServiceIdentifier? = nil, fields: [FieldDescription]? = nil) {
        self.service = service
        self.fields = fields
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.optionalValue("service")
        fields = try members.optionalValues("fields", limit: Limits.formFields)
    }

    package func write(to writer: inout JSONWriter) {
        if let service { writer.member("service", service) }
        if let fields { writer.member("fields", fields) }
    }

    package struct Answer: WireValue, Hashable {
        /// Whether a strong password would be offered, as far as it was asked.
        package let strongPassword: Bool
        /// Whether what is saved would be filled.
        package let savedCredentials: Bool
        package let conditions: [ConditionReport]

        package init(strongPassword: Bool, savedCredentials: Bool, conditions: [ConditionReport]) {
            self.strongPassword = strongPassword
            self.savedCredentials = savedCredentials
            self.conditions = conditions
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            strongPassword = try members.bool("strongPassword")
            savedCredentials = try members.bool("savedCredentials")
            conditions = try members.values("conditions")
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("strongPassword", strongPassword)
            writer.member("savedCredentials", savedCredentials)
            writer.member("conditions", conditions)
        }
    }
}

/// One condition, as `diagnose` and `autofillctl explain` tell it.
package struct ConditionReport: WireValue, Hashable {
    package let condition: String
    package let title: String
    /// nil when it cannot be told yet.
    package let isHeld: Bool?
    package let evidence: String
    package let reason: ReasonReport?

    package init(condition: String, title: String, isHeld: Bool?, evidence: String, reason: ReasonReport?) {
        self.condition = condition
        self.title = title
        self.isHeld = isHeld
        self.evidence = evidence
        self.reason = reason
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        condition = try members.string("condition", bytes: 1...64)
        title = try members.string("title", bytes: 0...1024)
        isHeld = try members.optionalBool("held")
        evidence = try members.string("evidence", bytes: 0...65536)
        reason = try members.optionalValue("reason")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("condition", condition)
        writer.member("title", title)
        writer.member("held", orNull: isHeld)
        writer.member("evidence", evidence)
        if let reason { writer.member("reason", reason) }
    }
}
