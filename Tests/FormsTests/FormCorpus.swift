import Forms
// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A real form, and what people say that each of its fields is: a line of `shared/fixtures/forms/forms.jsonl`.
struct CorpusForm: Decodable, Sendable {
    struct Field: Decodable, Sendable {
        let id: String
        let type, name, label, placeholder, autocomplete, pattern, passwordRules: String?
        let maxlength, minlength: Int?
        let hidden: Bool?
    }

    let source: String
    let kind: String?
    let fields: [Field]
    /// The corpus's word for a field; nothing for fields of no interest.
    let expected: [String: String]

    /// The part of `source` after the corpus's folder.
    var name: String { source.split(separator: "/").last.map(String.init) ?? source }

    /// All forms; none where the fixture is not on this machine.
    static func all() throws -> [CorpusForm] {
        let file =
            "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
            + "/shared/fixtures/forms/forms.jsonl"
        guard let data = FileManager.default.contents(atPath: file) else { return [] }
        return try data.split(separator: 10).map { try JSONDecoder().decode(CorpusForm.self, from: $0) }
    }

    var read: FormAnalysis {
        FormAnalysis(
            of: fields.map { field in
                FormField(
                    id: field.id, isSecure: field.type == "password",
                    autocomplete: (field.autocomplete ?? "").lowercased().split(whereSeparator: \.isWhitespace)
                        .map(String.init),
                    passwordRules: field.passwordRules, minimumLength: field.minlength, maximumLength: field.maxlength,
                    type: field.type, name: field.name, label: field.label, placeholder: field.placeholder,
                    pattern: field.pattern, isHidden: field.hidden ?? false)
            })
    }

    /// Whether a role is what the corpus's word means. Its `password` says neither current nor new.
    static func isRight(_ role: FieldFinding.Role, for word: String) -> Bool {
        switch word {
        case "username", "emailAddress", "username OR emailAddress": role == .username || role == .emailAddress
        case "password.current": role == .password
        case "password.new": role == .newPassword || role == .confirmation
        case "password": role == .password || role == .newPassword || role == .confirmation
        case "totp": role == .oneTimeCode
        default:
            ![.username, .emailAddress, .password, .newPassword, .confirmation, .oneTimeCode].contains(role)
        }
    }
}
