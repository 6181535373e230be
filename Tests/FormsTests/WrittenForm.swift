// SPDX-License-Identifier: Apache-2.0
import Forms

/// A form as a site or an app writes it, and the expected analysis.
struct WrittenForm: Sendable, CustomStringConvertible {
    let title: String
    /// HTML's `input` elements, or an app's fields in the same way: `contentType`, `secure`, `keyboard`. Before them
    /// there may be a `form` with `heading`, `submit` (buttons, separated by `|`) and `action`. Nothing else is read.
    let source: String
    let kind: FormAnalysis.Kind
    /// The role of each field, in order.
    let roles: String
    /// Whether a strong password would be offered.
    let offered: Bool
    /// A substring of one of the grounds.
    let because: String

    init(
        _ title: String, _ source: String, _ kind: FormAnalysis.Kind, _ roles: String, offered: Bool = false,
        because: String
    ) {
        self.title = title
        self.source = source
        self.kind = kind
        self.roles = roles
        self.offered = offered
        self.because = because
    }

    var description: String { title }

    /// The fields, as a bridge from a browser would describe them: hidden text for `type=password`.
    var fields: [FormField] {
        var marks: [String: Int] = [:]
        let tags = source.split(separator: "<").filter { !$0.hasPrefix("form") }
        return tags.enumerated().map { index, tag in
            let attributes = Self.attributes(tag.prefix { $0 != ">" })
            let type = attributes["type"]?.lowercased()
            let mark = attributes["value"].flatMap { value -> Int? in
                if value.isEmpty { return nil }
                marks[value] = marks[value] ?? marks.count
                return marks[value]
            }
            return FormField(
                id: attributes["id"] ?? attributes["name"] ?? "field\(index)",
                contentType: attributes["contenttype"].map(ContentType.init(named:)),
                isSecure: attributes["secure"] != nil || type == "password",
                keyboardType: attributes["keyboard"].flatMap(KeyboardType.init),
                autocomplete: (attributes["autocomplete"] ?? "").lowercased().split(separator: " ").map(String.init),
                passwordRules: attributes["passwordrules"], minimumLength: attributes["minlength"].flatMap { Int($0) },
                maximumLength: attributes["maxlength"].flatMap { Int($0) }, type: type, name: attributes["name"],
                label: attributes["label"], placeholder: attributes["placeholder"], pattern: attributes["pattern"],
                isHidden: attributes["hidden"] != nil, valueMark: mark)
        }
    }

    /// The context of the fields.
    var context: FormContext {
        guard let tag = source.split(separator: "<").first(where: { $0.hasPrefix("form") }) else { return .init() }
        let attributes = Self.attributes(tag.prefix { $0 != ">" })
        return FormContext(
            heading: attributes["heading"],
            submitLabels: attributes["submit"]?.split(separator: "|").map(String.init) ?? [],
            action: attributes["action"])
    }

    private static func attributes(_ tag: Substring) -> [String: String] {
        var attributes: [String: String] = [:]
        var rest = tag.drop { !$0.isWhitespace }.drop { $0.isWhitespace }
        while !rest.isEmpty {
            let name = rest.prefix { $0 != "=" && !$0.isWhitespace }
            rest = rest.dropFirst(name.count)
            var value = Substring()
            if rest.first == "=" {
                rest = rest.dropFirst()
                if rest.first == "\"" {
                    value = rest.dropFirst().prefix { $0 != "\"" }
                    rest = rest.dropFirst(value.count + 2)
                } else {
                    value = rest.prefix { !$0.isWhitespace }
                    rest = rest.dropFirst(value.count)
                }
            }
            attributes[name.lowercased()] = String(value)
            rest = rest.drop { $0.isWhitespace }
        }
        return attributes
    }
}
