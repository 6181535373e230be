// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import ConfigurationFiles
internal import Forms
internal import SecretMemory

extension Modules {
    /// The fields of a request: those of the form that the app's registration declares under that name, and those that it
    /// sends, which take the place of declared ones with the same id.
    func descriptions(
        declared name: String?, _ sent: [FieldDescription], _ session: Session
    ) throws(RefusedRequest) -> [FieldDescription] {
        guard let name else { return sent }
        let forms = apps.registration(of: session)?.forms ?? []
        guard let form = forms.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            let names = forms.map(\.name)
            guard !names.isEmpty else {
                throw .invalid(
                    "declaredForm", because: "The app's registration declares no form.",
                    fix: "Add the form to the registration, or send its fields")
            }
            throw .invalid("declaredForm", "one of the registration's forms: " + names.joined(separator: ", "))
        }
        var fields = form.fields.map(FieldDescription.init)
        for field in sent {
            if let index = fields.firstIndex(where: { $0.id == field.id }) {
                fields[index] = field
            } else {
                fields.append(field)
            }
        }
        return fields
    }
}

/// A form as an app describes it: its fields, and the words around them.
struct DescribedForm {
    let fields: [FieldDescription]
    let words: FormWords

    init(_ fields: [FieldDescription], _ words: FormWords) { (self.fields, self.words) = (fields, words) }

    func analysis(for session: Session) throws(RefusedRequest) -> FormAnalysis {
        session.memory.forms.analysis(of: try fields.formFields(), words.surroundings)
    }
}

extension FormWords {
    /// The words as the core knows them.
    var surroundings: FormSurroundings {
        FormSurroundings(heading: heading, submitLabels: submitLabels, action: action)
    }
}

extension [FieldDescription] {
    /// The fields as the core knows them.
    func formFields() throws(RefusedRequest) -> [FormField] {
        var result: [FormField] = []
        result.reserveCapacity(count)
        for (index, field) in enumerated() {
            let member = "fields[\(index)]"
            if result.contains(where: { $0.id == field.id }) {
                throw .invalid("\(member).id", "an id of its own for each field")
            }
            let tokens = (field.autocomplete ?? "").lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
            result.append(
                FormField(
                    id: field.id, contentType: field.contentType.map(ContentType.init(named:)),
                    isSecure: field.isSecure,
                    keyboardType: field.keyboardType.flatMap(KeyboardType.init),
                    autocomplete: tokens, passwordRules: field.passwordRules, minimumLength: field.minimumLength,
                    maximumLength: field.maximumLength, type: field.type?.lowercased(), name: field.name,
                    label: field.label, placeholder: field.placeholder, pattern: field.pattern,
                    isHidden: field.isHidden, valueMark: mark(of: index)))
        }
        return result
    }

    /// The place of the first field with the same value; nil where the value is empty or not told.
    private func mark(of index: Int) -> Int? {
        guard let value = self[index].value, value.count > 0 else { return nil }
        return firstIndex { $0.value?.equals(value) ?? false }
    }
}

extension FieldDescription {
    init(_ field: DeclaredForm.Field) {
        self.init(
            id: field.id, contentType: field.contentType, isSecure: field.isSecure, keyboardType: field.keyboardType,
            autocomplete: field.autocomplete, passwordRules: field.passwordRules, minimumLength: field.minimumLength,
            maximumLength: field.maximumLength)
    }

    /// Without what stands in the field.
    var withoutValue: FieldDescription {
        var field = self
        field.value = nil
        return field
    }
}
