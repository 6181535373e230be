// SPDX-License-Identifier: Apache-2.0
import Forms
import Foundation

/// A real form, and the roles that were assigned to its fields by hand: a line of `shared/fixtures/forms/forms.jsonl`.
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
    /// The corpus's label of a field's role; none for fields of no interest.
    let expected: [String: String]

    /// The path of `source` below the corpus's folder.
    var name: String { source.split(separator: "/").last.map(String.init) ?? source }

    /// Whether it belongs to the half that the rules are developed with; the other half measures them on unseen forms. By
    /// a hash of its source (FNV-1a).
    var isOfFirstHalf: Bool {
        let hash = source.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return hash >> 32 & 1 == 0
    }

    /// All forms; none where the fixture is not on this machine.
    static func all() throws -> [CorpusForm] {
        let file =
            "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
            + "/shared/fixtures/forms/forms.jsonl"
        guard let data = FileManager.default.contents(atPath: file) else { return [] }
        return try data.split(separator: 10).map { try JSONDecoder().decode(CorpusForm.self, from: $0) }
    }

    /// Information that a page may omit.
    enum Source: String, CaseIterable {
        case labels, placeholders, autocomplete, names, lengths
    }

    var read: FormAnalysis { read(without: nil) }

    /// The form as it is read without one kind of information. Without names its fields' ids are numbers.
    func read(without source: Source?) -> FormAnalysis {
        let fields = fields.enumerated().map { index, field in
            let tokens = (field.autocomplete ?? "").lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
            return FormField(
                id: source == .names ? "\(index)" : field.id, isSecure: field.type == "password",
                autocomplete: source == .autocomplete ? [] : tokens, passwordRules: field.passwordRules,
                minimumLength: source == .lengths ? nil : field.minlength,
                maximumLength: source == .lengths ? nil : field.maxlength, type: field.type,
                name: source == .names ? nil : field.name, label: source == .labels ? nil : field.label,
                placeholder: source == .placeholders ? nil : field.placeholder, pattern: field.pattern,
                isHidden: field.hidden ?? false)
        }
        return FormAnalysis(of: fields)
    }

    /// Whether a role is that of the corpus's label. Its `password` means current or new.
    static func isMatch(_ role: FieldFinding.Role, for label: String) -> Bool {
        switch label {
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
