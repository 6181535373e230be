// SPDX-License-Identifier: Apache-2.0

package struct AutofillSuggest: MethodCall {
    package static let declaration = MethodDeclaration(
        .autofillSuggest, "Returns what can be filled into the form that the app shows.", .own, app: .associated,
        vault: .open,
        repeatable: true)
    package let service: ServiceIdentifier
    package let form: FormDescription
    package let style: String?

    package init(service: ServiceIdentifier, form: FormDescription, style: String? = nil) {
        (self.service, self.form, self.style) = (service, form, style)
    }

    package static var acceptsContext: Bool { true }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            service: try field.service(\.service), form: try field.form(\.form),
            style: try field(
                optional: "style", \.style, .oneOf(Words.askedStyles),
                "The style of the password; the user's setting if it is absent."))
    }

    package struct Answer: Message, Hashable {
        package let formKind: String
        package let grounds: [String]
        package let roles: [FieldRole]
        package let strongPassword: StrongPasswordSuggestion?
        package let savedCredentials: SavedCredentialsSuggestion?
        package let oneTimeCode: OneTimeCodeSuggestion?
        package let withheld: [Withheld]
        package let site: SiteReport?

        package init(
            formKind: String, grounds: [String] = [], roles: [FieldRole] = [],
            strongPassword: StrongPasswordSuggestion?, savedCredentials: SavedCredentialsSuggestion?,
            oneTimeCode: OneTimeCodeSuggestion? = nil, withheld: [Withheld], site: SiteReport? = nil
        ) {
            self.roles = roles
            (self.formKind, self.grounds, self.site, self.strongPassword) = (formKind, grounds, site, strongPassword)
            (self.savedCredentials, self.oneTimeCode, self.withheld) = (savedCredentials, oneTimeCode, withheld)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            let formKind = try field(
                "formKind", \.formKind, .word(Words.formKinds, 1...32), "The kind of the form.")
            let grounds = try field(
                "grounds", \.grounds, .strings(),
                "The reasons for kind and roles: a sentence about the form, then one for each field.")
            let roles = try field("roles", \.roles, .objects(), "The role of every field, in the form's order.")
            let suggestions = try field(
                "suggestions", { Suggestions($0) }, SuggestionsType(), "What can be filled, each kind at most once.")
            return Self(
                formKind: formKind, grounds: grounds, roles: roles, strongPassword: suggestions.strongPassword,
                savedCredentials: suggestions.savedCredentials, oneTimeCode: suggestions.oneTimeCode,
                withheld: try field("withheld", \.withheld, .objects(), "What is withheld, and why."),
                site: try field(
                    optional: "site", \.site, .object(), "Public knowledge about the site, if there is any."))
        }
    }
}

/// What is withheld, and why.
package struct Withheld: Message, Hashable {
    package let type: String
    package let reasons: [ReasonReport]

    package init(type: String, reasons: [ReasonReport]) { (self.type, self.reasons) = (type, reasons) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            type: try field(
                "type", \.type, .word(Words.suggestions, 1...64),
                "`strongPassword`, `savedCredentials` or `oneTimeCode`."),
            reasons: try field("reasons", \.reasons, .objects(), "Why it is withheld."))
    }
}

/// What can be filled, as an array of objects with different `type`s.
struct Suggestions: Sendable {
    var strongPassword: StrongPasswordSuggestion?
    var savedCredentials: SavedCredentialsSuggestion?
    var oneTimeCode: OneTimeCodeSuggestion?
}

extension Suggestions {
    init(_ answer: AutofillSuggest.Answer) {
        self.init(
            strongPassword: answer.strongPassword, savedCredentials: answer.savedCredentials,
            oneTimeCode: answer.oneTimeCode)
    }
}

/// A reader ignores suggestions of an unknown type.
struct SuggestionsType: WireType {
    var schema: ValueSchema {
        let kinds = [
            StrongPasswordSuggestion.schema(), SavedCredentialsSuggestion.schema(), OneTimeCodeSuggestion.schema(),
        ]
        return .array(of: .any(kinds.map { .object($0) }, expected: "a suggestion"), limit: nil)
    }
    var sample: Suggestions { Suggestions() }

    func read(
        _ value: JSONValue, _ name: StaticString, of members: inout MemberReader
    ) throws(ProtocolProblem) -> Suggestions {
        guard let values = try? value.elements() else { throw members.invalid(name, "an array of objects") }
        var suggestions = Suggestions()
        var count = 0
        for value in values {
            guard value.kind == .object else { throw members.invalid(name, "an array of objects") }
            var nested = MemberReader(value, in: members, name, at: count)
            count += 1
            switch try nested.string("type", bytes: 1...64) {
            case "strongPassword": suggestions.strongPassword = try StrongPasswordSuggestion(from: &nested)
            case "savedCredentials": suggestions.savedCredentials = try SavedCredentialsSuggestion(from: &nested)
            case "oneTimeCode": suggestions.oneTimeCode = try OneTimeCodeSuggestion(from: &nested)
            default: continue
            }
        }
        return suggestions
    }

    func write(_ suggestions: Suggestions, to writer: inout JSONWriter) {
        writer.array { writer in
            if let suggestion = suggestions.strongPassword { writer.object(suggestion) }
            if let suggestion = suggestions.savedCredentials { writer.object(suggestion) }
            if let suggestion = suggestions.oneTimeCode { writer.object(suggestion) }
        }
    }
}
