// SPDX-License-Identifier: Apache-2.0

/// One field of a form, as the app describes it.
package struct FieldDescription: WireValue, Hashable {
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

    package init(
        id: String, contentType: String? = nil, isSecure: Bool = false, keyboardType: String? = nil,
        autocomplete: String? = nil, passwordRules: String? = nil, minimumLength: Int? = nil, maximumLength: Int? = nil
    ) {
        self.id = id
        self.contentType = contentType
        self.isSecure = isSecure
        self.keyboardType = keyboardType
        self.autocomplete = autocomplete
        self.passwordRules = passwordRules
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        id = try members.string("id", bytes: 1...Limits.fieldIDBytes)
        contentType = try members.optionalString("contentType", bytes: 1...64)
        isSecure = try members.optionalBool("secure") ?? false
        keyboardType = try members.optionalString("keyboardType", bytes: 1...64)
        autocomplete = try members.optionalString("autocomplete", bytes: 0...256)
        passwordRules = try members.optionalString("passwordRules", bytes: 0...4 * Limits.rulesScalars)
        minimumLength = try members.optionalInteger("minlength", in: 0...Int(Int32.max))
        maximumLength = try members.optionalInteger("maxlength", in: 1...Int(Int32.max))
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("id", id)
        if let contentType { writer.member("contentType", contentType) }
        if isSecure { writer.member("secure", true) }
        if let keyboardType { writer.member("keyboardType", keyboardType) }
        if let autocomplete { writer.member("autocomplete", autocomplete) }
        if let passwordRules { writer.member("passwordRules", passwordRules) }
        if let minimumLength { writer.member("minlength", minimumLength) }
        if let maximumLength { writer.member("maxlength", maximumLength) }
    }
}
