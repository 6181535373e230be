// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
package import AutofillProtocol
internal import ConfigurationFiles
package import Forms
internal import SecretMemory

/// A form with the fields of its declaration: all its fields, and the texts around them.
package struct DescribedForm: Sendable {
    package let fields: [FieldDescription]
    package let words: FormWords

    package static let empty = DescribedForm([], FormWords())

    package init(_ fields: [FieldDescription], _ words: FormWords) { (self.fields, self.words) = (fields, words) }
}

extension FormWords {
    /// The words as the form analysis reads them.
    var context: FormContext {
        FormContext(heading: heading, submitLabels: submitLabels, action: action)
    }
}

extension [FieldDescription] {
    /// The fields as the form analysis reads them.
    package func formFields() throws(Unsettled) -> [FormField] {
        var result: [FormField] = []
        result.reserveCapacity(count)
        for (index, field) in enumerated() {
            let member = "form.fields[\(index)]"
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

    /// The index of the first field with the same value; nil where the value is empty or not given.
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

    /// Without the value of the field.
    package var withoutValue: FieldDescription {
        var field = self
        field.value = nil
        return field
    }
}
