// SPDX-License-Identifier: Apache-2.0

/// The site took what the person typed: it is saved, or the person is asked whether it should be.
package struct AutofillSubmitted: MethodCall {
    package static let method = Method.autofillSubmitted
    package let service: ServiceIdentifier
    package let form: String?
    package let declaredForm: String?
    /// With their values.
    package let fields: [FieldDescription]
    package let interaction: Interaction

    package init(
        service: ServiceIdentifier, form: String? = nil, declaredForm: String? = nil, fields: [FieldDescription],
        interaction: Interaction = .allow
    ) {
        self.service = service
        self.form = form
        self.declaredForm = declaredForm
        self.fields = fields
        self.interaction = interaction
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.value("service")
        form = try members.optionalString("form", bytes: 1...64)
        (declaredForm, fields) = try members.declaredFormAndFields()
        interaction = try members.interaction()
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("service", service)
        if let form { writer.member("form", form) }
        if let declaredForm { writer.member("declaredForm", declaredForm) }
        writer.member("fields", fields)
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
    }

    package struct Answer: WireValue, Hashable {
        /// What came of it: `saved` (a new credential), `updated` (another password), `unchanged` (all was there),
        /// `nothing` (the form held no password, or nobody whose it is).
        package let outcome: String
        /// Where something is saved.
        package let credential: String?
        package let changed: Bool

        package init(outcome: String, credential: String?, changed: Bool) {
            self.outcome = outcome
            self.credential = credential
            self.changed = changed
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            outcome = try members.string("outcome", bytes: 1...32)
            credential = try members.optionalString("credential", bytes: 1...64)
            changed = try members.bool("changed")
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("outcome", outcome)
            writer.member("credential", orNull: credential)
            writer.member("changed", changed)
        }
    }
}
