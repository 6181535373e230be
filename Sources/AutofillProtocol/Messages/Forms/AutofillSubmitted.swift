// SPDX-License-Identifier: Apache-2.0

package struct AutofillSubmitted: MethodCall, InteractingCall {
    package static let declaration = MethodDeclaration(
        .autofillSubmitted,
        """
        Reports that the site accepted what the user typed: it is saved, or the user is prompted whether it \
        should be.
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
        package let outcome: String
        package let credential: String?
        package let changed: Bool

        package init(outcome: String, credential: String?, changed: Bool) {
            (self.outcome, self.credential, self.changed) = (outcome, credential, changed)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                outcome: try field("outcome", \.outcome, .word(Words.submissionOutcomes, 1...32), "The result."),
                credential: try field(nullable: "credential", \.credential, .id, "The credential, if one is saved."),
                changed: try field.changed(\.changed))
        }
    }
}
