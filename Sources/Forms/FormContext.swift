// SPDX-License-Identifier: Apache-2.0

/// The words around a form's fields: the visible text above it and on its buttons, and its action URL. They distinguish
/// a sign-up from a sign-in with the same fields. All may be absent.
package struct FormContext: Hashable, Sendable {
    /// The heading above the form, or the page's title: “Create your account”.
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
