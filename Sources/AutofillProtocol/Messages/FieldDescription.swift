// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// One field of a form, as the app describes it.
package struct FieldDescription: WireValue {
    package var id: String
    /// Apple's raw value: `username`, `emailAddress`, `password`, `newPassword`, `oneTimeCode`.
    package var contentType: String?
    /// Whether its text is hidden at this moment.
    package var isSecure: Bool
    /// `default`, `emailAddress`, `numberPad`, `phonePad`, `asciiCapable`.
    package var keyboardType: String?
    /// The web's tokens, separated by white space.
    package var autocomplete: String?
    package var passwordRules: String?
    /// In characters.
    package var minimumLength: Int?
    package var maximumLength: Int?
    /// HTML's input type; `password` hides the text where `secure` says nothing.
    package var type: String?
    package var name: String?
    /// What people read beside the field, and in it while it is empty.
    package var label: String?
    package var placeholder: String?
    /// HTML's pattern.
    package var pattern: String?
    /// Whether the person cannot see the field at all.
    package var isHidden: Bool
    /// What stands in it now. Only `autofill.submitted` keeps it; else it is looked at and forgotten.
    package var value: SecretBytes?

    package init(
        id: String, contentType: String? = nil, isSecure: Bool = false, keyboardType: String? = nil,
        autocomplete: String? = nil, passwordRules: String? = nil, minimumLength: Int? = nil, maximumLength: Int? = nil,
        type: String? = nil, name: String? = nil, label: String? = nil, placeholder: String? = nil,
        pattern: String? = nil, isHidden: Bool = false, value: SecretBytes? = nil
    ) {
        self.id = id
        self.contentType = contentType
        self.isSecure = isSecure
        self.keyboardType = keyboardType
        self.autocomplete = autocomplete
        self.passwordRules = passwordRules
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.type = type
        self.name = name
        self.label = label
        self.placeholder = placeholder
        self.pattern = pattern
        self.isHidden = isHidden
        self.value = value
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        id = try members.string("id", bytes: 1...Limits.fieldIDBytes)
        contentType = try members.optionalString("contentType", bytes: 1...64)
        type = try members.optionalString("type", bytes: 1...64)
        isSecure = try members.optionalBool("secure") ?? (type == "password")
        keyboardType = try members.optionalString("keyboardType", bytes: 1...64)
        autocomplete = try members.optionalString("autocomplete", bytes: 0...256)
        passwordRules = try members.optionalString("passwordRules", bytes: 0...4 * Limits.rulesScalars)
        minimumLength = try members.optionalInteger("minlength", in: 0...Int(Int32.max))
        maximumLength = try members.optionalInteger("maxlength", in: 1...Int(Int32.max))
        name = try members.optionalString("name", bytes: 0...Limits.fieldIDBytes)
        label = try members.optionalString("label", bytes: 0...Limits.fieldWordsBytes)
        placeholder = try members.optionalString("placeholder", bytes: 0...Limits.fieldWordsBytes)
        pattern = try members.optionalString("pattern", bytes: 0...Limits.fieldWordsBytes)
        isHidden = try members.optionalBool("hidden") ?? false
        value = try members.optionalSecret("value", bytes: 0...Limits.passwordBytes)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("id", id)
        if let contentType { writer.member("contentType", contentType) }
        if let type { writer.member("type", type) }
        if isSecure || type == "password" { writer.member("secure", isSecure) }
        if let keyboardType { writer.member("keyboardType", keyboardType) }
        if let autocomplete { writer.member("autocomplete", autocomplete) }
        if let passwordRules { writer.member("passwordRules", passwordRules) }
        if let minimumLength { writer.member("minlength", minimumLength) }
        if let maximumLength { writer.member("maxlength", maximumLength) }
        if let name { writer.member("name", name) }
        if let label { writer.member("label", label) }
        if let placeholder { writer.member("placeholder", placeholder) }
        if let pattern { writer.member("pattern", pattern) }
        if isHidden { writer.member("hidden", true) }
        if let value { writer.member("value", value) }
    }
}
