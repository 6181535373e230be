// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Forms

extension AutofillBroker {
    /// The fields of a request as the core knows them.
    func formFields(_ fields: [FieldDescription]) throws(RefusedRequest) -> [FormField] {
        var result: [FormField] = []
        for (index, field) in fields.enumerated() {
            let member = "fields[\(index)]"
            if result.contains(where: { $0.id == field.id }) {
                throw .invalid("\(member).id", "an id of its own for each field")
            }
            var contentType: ContentType?
            if let name = field.contentType {
                guard let known = ContentType(rawValue: name) else {
                    throw .invalid(
                        "\(member).contentType",
                        "one of " + ContentType.allCases.map(\.rawValue).joined(separator: ", "))
                }
                contentType = known
            }
            var keyboardType: KeyboardType?
            if let name = field.keyboardType {
                guard let known = KeyboardType(rawValue: name) else {
                    throw .invalid(
                        "\(member).keyboardType",
                        "one of " + KeyboardType.allCases.map(\.rawValue).joined(separator: ", "))
                }
                keyboardType = known
            }
            let tokens = (field.autocomplete ?? "").lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
            result.append(
                FormField(
                    id: field.id, contentType: contentType, isSecure: field.isSecure, keyboardType: keyboardType,
                    autocomplete: tokens, passwordRules: field.passwordRules, minimumLength: field.minimumLength,
                    maximumLength: field.maximumLength))
        }
        return result
    }
}
