// SPDX-License-Identifier: Apache-2.0

package struct AutofillConfirm: MethodCall, InteractingCall {
    package static let declaration = MethodDeclaration(
        .autofillConfirm,
        """
        Reports that the site accepted a form that was sent: what the user typed is saved, or the user is prompted \
        whether it should be.
        """, .own, app: .associated, vault: .open, repeatable: false)
    package let submission: String
    package let interaction: Interaction

    package init(submission: String, interaction: Interaction = .allow) {
        (self.submission, self.interaction) = (submission, interaction)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            submission: try field("submission", \.submission, .id, "What `autofill.submit` returned."),
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
                credential: try field(optional: "credential", \.credential, .id, "The credential, if one is saved."),
                changed: try field.changed(\.changed))
        }
    }
}
