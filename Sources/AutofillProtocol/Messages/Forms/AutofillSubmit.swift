// SPDX-License-Identifier: Apache-2.0

package struct AutofillSubmit: MethodCall, InteractingCall {
    package static let declaration = MethodDeclaration(
        .autofillSubmit,
        """
        Reports that a form was sent. Nothing is saved before `autofill.confirm`, which reports that the site \
        accepted it.
        """, .own, app: .associated, vault: .open, repeatable: true)
    package let service: ServiceIdentifier
    package let form: FormDescription
    package let interaction: Interaction

    package init(
        service: ServiceIdentifier, form: FormDescription, interaction: Interaction = .allow
    ) {
        (self.service, self.form, self.interaction) = (service, form, interaction)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            service: try field.service(\.service), form: try field.form(\.form),
            interaction: try field.interaction(\.interaction))
    }

    package struct Answer: Message, Hashable {
        package let submission: String?
        package let expires: String?

        package init(submission: String? = nil, expires: String? = nil) {
            (self.submission, self.expires) = (submission, expires)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                submission: try field(
                    optional: "submission", \.submission, .id, "The submission; absent if the form has no password."),
                expires: try field(
                    optional: "expires", \.expires, .instant, "When it counts as withdrawn."))
        }
    }
}
