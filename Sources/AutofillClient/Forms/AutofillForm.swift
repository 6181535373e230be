// SPDX-License-Identifier: Apache-2.0

import AutofillProtocol
import SecretMemory

/// A form that the app shows: for sign-up, sign-in or a change of the password.
///
/// Keep one value for as long as the form is on the screen, and change its fields with the fields shown: a request
/// with the same `id` returns the same strong password, not another.
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
    /// The id of this form, 1 to 64 bytes.
    public let id: String
    /// The site that the account is for.
    public var service: CredentialServiceIdentifier
    /// The name of this form in the app's registration, if it is declared there.
    public var declaredForm: String?
    /// Its fields in the order of the screen, at most 64; of a declared form those that differ now.
    public var fields: [FormField]
    /// The heading above it.
    public var heading: String?
    /// The labels of its buttons, at most 8.
    public var submitLabels: [String]
    /// The URL that it is sent to, or the path of the URL, for a form of a web page.
    public var action: String?

    /// - Parameters:
    ///   - service: the site.
    ///   - id: an id that no other form has had; nil for a random UUID.
    ///   - declaredForm: the name of the form in the app's registration; then `fields` may be empty.
    ///   - fields: the fields in the order of the screen.
    ///   - heading: the heading above it. It, the labels and the URL determine the kind of a form if its fields do not.
    ///   - submitLabels: the labels of its buttons, at most 8.
    ///   - action: the URL that it is sent to, or the path of the URL.
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

extension FormDescription {
    init(_ form: AutofillForm, values: [FormField.ID: String] = [:], focus: FormField.ID? = nil) {
        let fields = form.fields.map { field in
            var description = FieldDescription(field)
            description.value = values[field.id].map { SecretBytes(utf8: $0) }
            return description
        }
        self.init(
            fields, id: form.id, declared: form.declaredForm,
            words: FormWords(heading: form.heading, submitLabels: form.submitLabels, action: form.action), focus: focus)
    }
}
