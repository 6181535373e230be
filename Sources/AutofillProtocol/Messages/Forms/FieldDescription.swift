// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// One field of a form, as the app describes it.
package struct FieldDescription: Message {
    package var id: String
    package var contentType: String?
    package var isSecure: Bool
    package var keyboardType: String?
    package var autocomplete: String?
    package var passwordRules: String?
    package var minimumLength: Int?
    package var maximumLength: Int?
    package var type: String?
    package var name: String?
    package var label: String?
    package var placeholder: String?
    package var pattern: String?
    package var isHidden: Bool
    package var value: SecretBytes?

    package init(
        id: String, contentType: String? = nil, isSecure: Bool = false, keyboardType: String? = nil,
        autocomplete: String? = nil, passwordRules: String? = nil, minimumLength: Int? = nil, maximumLength: Int? = nil,
        type: String? = nil, name: String? = nil, label: String? = nil, placeholder: String? = nil,
        pattern: String? = nil, isHidden: Bool = false, value: SecretBytes? = nil
    ) {
        (self.id, self.contentType, self.isSecure, self.keyboardType) = (id, contentType, isSecure, keyboardType)
        (self.autocomplete, self.passwordRules, self.minimumLength) = (autocomplete, passwordRules, minimumLength)
        (self.maximumLength, self.type, self.name, self.label) = (maximumLength, type, name, label)
        (self.placeholder, self.pattern, self.isHidden, self.value) = (placeholder, pattern, isHidden, value)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let id = try field(
            "id", \.id, .string(1...Limits.fieldIDBytes), "The app's own name for the field, unique in the form.")
        let contentType = try field(
            optional: "contentType", \.contentType, .string(1...64),
            "Apple's raw value, or its Swift name; with an unknown value nothing is filled.")
        let type = try field(optional: "type", \.type, .string(1...64), "HTML's input type.")
        let isSecure = try field(
            optional: "secure", { $0.isSecure || $0.type == "password" ? $0.isSecure : nil }, .boolean,
            "Whether its text is hidden now; where it is absent, whether its type is `password`.")
        let keyboardType = try field(
            optional: "keyboardType", \.keyboardType, .string(1...64),
            "Apple's name; an unknown value is ignored.")
        let autocomplete = try field(
            optional: "autocomplete", \.autocomplete, .string(0...256), "HTML's tokens, separated by white space.")
        let passwordRules = try field(
            optional: "passwordRules", \.passwordRules, .string(0...4 * Limits.rulesScalars), "Apple's password rules.")
        let minimumLength = try field(
            optional: "minlength", \.minimumLength, .integer(0...Int(Int32.max)), "The length in characters.")
        let maximumLength = try field(
            optional: "maxlength", \.maximumLength, .integer(1...Int(Int32.max)), "The length in characters.")
        return Self(
            id: id, contentType: contentType, isSecure: isSecure ?? (type == "password"), keyboardType: keyboardType,
            autocomplete: autocomplete, passwordRules: passwordRules, minimumLength: minimumLength,
            maximumLength: maximumLength, type: type,
            name: try field(optional: "name", \.name, .string(0...Limits.fieldIDBytes), "HTML's name."),
            label: try field(
                optional: "label", \.label, .string(0...Limits.fieldWordsBytes), "The label beside it."),
            placeholder: try field(
                optional: "placeholder", \.placeholder, .string(0...Limits.fieldWordsBytes),
                "Its placeholder."),
            pattern: try field(optional: "pattern", \.pattern, .string(0...Limits.fieldWordsBytes), "HTML's pattern."),
            isHidden: try field(
                "hidden", \.isHidden, .boolean, absent: false, "Whether the user cannot see the field at all."),
            value: try field(
                optional: "value", \.value, .secret(0...Limits.passwordBytes),
                "Its value now. Only `autofill.submit` stores it."))
    }
}
