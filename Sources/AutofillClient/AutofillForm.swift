// SPDX-License-Identifier: Apache-2.0

import AutofillProtocol

/// A form that the app shows: where a user signs up, signs in or changes the password.
///
/// Keep one value for as long as the form is on the screen, and change its fields with the fields shown: asking again
/// with the same `id` gives the same strong password, not another.
///
/// ```swift
/// var form = AutofillForm(for: .domain("shop.example.com"), fields: [
///     FormField("mail", .username, keyboardType: .emailAddress),
///     FormField("pass", .newPassword, isSecureTextEntry: true,
///               passwordRules: try PasswordRules(descriptor: "required: upper; required: digit; minlength: 12")),
///     FormField("again", .newPassword, isSecureTextEntry: true),
/// ])
/// ```
public struct AutofillForm: Hashable, Sendable {
    /// The name of this form, at random; 1 to 64 bytes.
    public let id: String
    /// The site that the account is for.
    public var service: CredentialServiceIdentifier
    /// The name of this form in the app's registration, where it is described there.
    public var declaredForm: String?
    /// Its fields in the order of the screen, 64 at most; of a declared form those that differ now.
    public var fields: [FormField]
    /// What people read above it.
    public var heading: String?
    /// What people read on its buttons, 8 at most.
    public var submitLabels: [String]
    /// The address that it is sent to, or its path, where it came from the web.
    public var action: String?

    /// - Parameters:
    ///   - service: the site.
    ///   - id: a name that no other form has had; at random where it is left out.
    ///   - declaredForm: the name of the form in the app's registration; then `fields` may be empty.
    ///   - fields: the fields in the order of the screen.
    ///   - heading: what people read above it. It, the buttons and the address say what a form is for where its fields do not.
    ///   - submitLabels: what people read on its buttons, 8 at most.
    ///   - action: the address that it is sent to, or its path.
    public init(
        for service: CredentialServiceIdentifier, id: String? = nil, declaredForm: String? = nil,
        fields: [FormField] = [], heading: String? = nil, submitLabels: [String] = [], action: String? = nil
    ) {
        (self.heading, self.submitLabels, self.action) = (heading, submitLabels, action)
        self.id = id ?? Self.randomID()
        self.service = service
        self.declaredForm = declaredForm
        self.fields = fields
    }

    var words: FormWords { FormWords(heading: heading, submitLabels: submitLabels, action: action) }

    /// A UUID, version 4 (RFC 9562, 5.4).
    static func randomID() -> String {
        var text = ""
        for index in 0..<16 {
            var byte = UInt8.random(in: .min ... .max)
            if index == 6 { byte = byte & 0x0F | 0x40 }
            if index == 8 { byte = byte & 0x3F | 0x80 }
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text
    }
}
