// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import PasswordRules
internal import SecretMemory

/// What the page sends: rules, and the input element that they are for, if they are for a web page.
///
///     {"rules": "…", "style": "readable", "length": 20, "field": {"minlength": 8, "maxlength": 20, "pattern": "…"},
///      "password": "…", "search": "…"}
///
/// Every member may be missing.
struct RulesRequest {
    let rules: String
    let style: PasswordGenerator.Style
    let length: Int?
    let field: Field
    let password: SecretBytes?
    let search: String

    struct Field {
        var minLength: Int?
        var maxLength: Int?
        var pattern: String?
    }

    static func read(_ body: UnsafeRawBufferPointer) throws(HTTPStatus) -> RulesRequest {
        var scanner = JSONScanner(maximumDepth: 4)
        do throws(JSONError) {
            return try scanner.scan(body) { value throws(JSONError) in try RulesRequest(value) }
        } catch {
            throw .badRequest
        }
    }

    private init(_ value: JSONValue) throws(JSONError) {
        func length(_ value: JSONValue?) throws(JSONError) -> Int? {
            guard let value, value.kind != .null else { return nil }
            return Int(try value.integer(in: 1...Int64(UInt32.max)))
        }
        rules = try value.member("rules")?.string() ?? ""
        style = try value.member("style")?.choice() ?? .readable
        self.length = try length(value.member("length"))
        var field = Field()
        if let element = try value.member("field"), element.kind != .null {
            field.minLength = try length(element.member("minlength"))
            field.maxLength = try length(element.member("maxlength"))
            if let pattern = try element.member("pattern"), pattern.kind != .null {
                field.pattern = try pattern.string()
            }
        }
        self.field = field
        password = try value.member("password")?.secret(maximumBytes: PlaygroundLimits.passwordBytes)
        search = try value.member("search")?.string(maximumBytes: PlaygroundLimits.searchBytes) ?? ""
    }
}

extension RulesRequest {
    /// The rules and the pattern of the field together.
    func narrowed(_ rules: PasswordRules) throws(PasswordRulesRefusal) -> PasswordRules {
        guard let pattern = field.pattern.flatMap(FieldPattern.init) else { return rules }
        return try rules.narrowed(to: pattern)
    }

    /// The same with the field's lengths as rules.
    func bounded(_ rules: PasswordRules) throws(PasswordRulesRefusal) -> PasswordRules {
        let bounds = [
            field.minLength.map { "minlength: \($0)" }, field.maxLength.map { "maxlength: \($0)" },
        ].compactMap(\.self)
        let narrowed = try narrowed(rules)
        guard !bounds.isEmpty else { return narrowed }
        return try PasswordRules(descriptor: narrowed.description + bounds.joined(separator: "; "))
    }

    /// Whether the field has a pattern that rules cannot express. It is ignored.
    var hasForeignPattern: Bool { field.pattern.map { FieldPattern($0) == nil } ?? false }

    func generator(_ rules: PasswordRules) throws(PasswordRulesRefusal) -> PasswordGenerator {
        try PasswordGenerator(
            rules: try narrowed(rules),
            options: PasswordGenerator.Options(
                style: style, fieldMinLength: field.minLength, fieldMaxLength: field.maxLength, length: length))
    }
}
