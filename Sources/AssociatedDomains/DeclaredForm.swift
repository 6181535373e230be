// SPDX-License-Identifier: Apache-2.0

/// A form as an app's registration describes it, Interface Builder's counterpart: the app names it instead of sending
/// its fields.
package struct DeclaredForm: Hashable, Sendable {
    /// Forms of an app, and fields of a form, at most.
    package static let limit = 32
    package static let fieldLimit = 64
    /// Bytes of a form's name, and of a field's.
    package static let nameLimit = 64
    package static let fieldNameLimit = 256
    /// Bytes of a content type and of a keyboard type: open sets, as on the wire; an unrecognised value has no effect.
    package static let typeLimit = 64
    /// Bytes of password rules and of autocomplete tokens.
    package static let rulesLimit = 16_384
    package static let autocompleteLimit = 256

    package struct Field: Hashable, Sendable {
        package enum Member: String, CaseIterable, Sendable {
            case id, contentType, secure, keyboardType, autocomplete, passwordRules, minlength, maxlength
        }

        package let id: String
        package var contentType: String?
        package var isSecure = false
        package var keyboardType: String?
        package var autocomplete: String?
        package var passwordRules: String?
        package var minimumLength: Int?
        package var maximumLength: Int?

        package init(id: String) { self.id = id }
    }

    package let name: String
    package let fields: [Field]

    package init(name: String, fields: [Field]) {
        self.name = name
        self.fields = fields
    }
}

extension DeclaredForm {
    /// Reads the member `forms`: an object whose members are the forms, by name.
    static func read(
        _ value: ConfigurationValue, at path: ConfigurationPath, _ findings: inout ConfigurationFindings
    ) -> [DeclaredForm] {
        guard case .object(let members) = value else {
            value.refuseKind(at: path, wanted: "an object", &findings)
            return []
        }
        guard members.count <= limit else {
            findings.refuse(path, "There are \(members.count) forms.", fix: "Keep it to \(limit) forms at most.")
            return []
        }
        var forms: [DeclaredForm] = []
        for member in members {
            let memberPath = path[member.name]
            if !(1...nameLimit).contains(member.name.utf8.count) {
                findings.refuse(memberPath, "A form's name has 1 to \(nameLimit) bytes.", fix: "Choose another name.")
            } else if forms.contains(where: { $0.name == member.name }) {
                findings.refuse(memberPath, "The form occurs twice.", fix: "Keep one of them.")
            }
            guard let object = ConfigurationObject(member.value, at: memberPath, knowing: ["fields"], &findings),
                let fields = object.required("fields", &findings)
            else { continue }
            forms.append(
                DeclaredForm(name: member.name, fields: read(fields: fields, at: memberPath["fields"], &findings)))
        }
        return forms
    }

    private static func read(
        fields value: ConfigurationValue, at path: ConfigurationPath, _ findings: inout ConfigurationFindings
    ) -> [Field] {
        var fields: [Field] = []
        for (path, element) in value.elements(atMost: fieldLimit, at: path, &findings) {
            guard let field = Field(element, at: path, &findings) else { continue }
            if fields.contains(where: { $0.id == field.id }) {
                findings.refuse(path["id"], "Another field has this id.", fix: "Use a different id for each field.")
            }
            fields.append(field)
        }
        return fields
    }
}

extension DeclaredForm.Field {
    fileprivate init?(
        _ value: ConfigurationValue, at path: ConfigurationPath, _ findings: inout ConfigurationFindings
    ) {
        let names = Member.allCases.map(\.rawValue)
        guard let object = ConfigurationObject(value, at: path, knowing: names, &findings),
            let id = object.required("id", &findings)?.string(at: path["id"], &findings)
        else { return nil }
        self.init(id: id)
        if !(1...DeclaredForm.fieldNameLimit).contains(id.utf8.count) {
            findings.refuse(
                path["id"], "A field's id has 1 to \(DeclaredForm.fieldNameLimit) bytes.", fix: "Choose another id.")
        }
        func text(_ member: Member, from least: Int = 0, atMost limit: Int) -> String? {
            let memberPath = path[member.rawValue]
            guard let text = object[member.rawValue]?.string(at: memberPath, &findings) else { return nil }
            if text.utf8.count < least {
                findings.refuse(memberPath, "The text is empty.", fix: "Remove the member.")
            } else if text.utf8.count > limit {
                findings.refuse(memberPath, "The text has more than \(limit) bytes.", fix: "Shorten it.")
            }
            return text
        }
        func length(_ member: Member, from least: Int) -> Int? {
            object[member.rawValue]?.integer(in: least...Int(Int32.max), at: path[member.rawValue], &findings)
        }
        contentType = text(.contentType, from: 1, atMost: DeclaredForm.typeLimit)
        isSecure = object[Member.secure.rawValue]?.bool(at: path[Member.secure.rawValue], &findings) ?? false
        keyboardType = text(.keyboardType, from: 1, atMost: DeclaredForm.typeLimit)
        autocomplete = text(.autocomplete, atMost: DeclaredForm.autocompleteLimit)
        passwordRules = text(.passwordRules, atMost: DeclaredForm.rulesLimit)
        minimumLength = length(.minlength, from: 0)
        maximumLength = length(.maxlength, from: 1)
    }
}
