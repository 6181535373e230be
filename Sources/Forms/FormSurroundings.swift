// SPDX-License-Identifier: Apache-2.0

/// The words around a form's fields: what people read above it and on its buttons, and where it is sent. They tell a sign-up
/// from a sign-in where the fields are the same. All may be absent.
package struct FormSurroundings: Hashable, Sendable {
    /// The heading over the form, or the page's title: “Create your account”.
    package let heading: String?
    /// The words on the buttons that send the form: “Sign in”.
    package let submitLabels: [String]
    /// The address that the form is sent to, absolute or not: “/users/sign_up”. Only its path is read.
    package let action: String?

    package init(heading: String? = nil, submitLabels: [String] = [], action: String? = nil) {
        self.heading = heading
        self.submitLabels = submitLabels
        self.action = action
    }
}
