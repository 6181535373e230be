// SPDX-License-Identifier: Apache-2.0

package struct AutofillWithdraw: MethodCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .autofillWithdraw, "Reports that the site refused a form that was sent. Nothing of it is saved.", .own,
        repeatable: true)
    package let submission: String

    package init(submission: String) { self.submission = submission }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(submission: try field("submission", \.submission, .id, "What `autofill.submit` returned."))
    }
}
