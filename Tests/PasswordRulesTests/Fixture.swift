// SPDX-License-Identifier: Apache-2.0
import Foundation
import PasswordRules

/// Cases of the reference: a sample in this folder, and besides it the whole files in
/// `../shared` where they are present.
enum Fixture {
    struct ParserCase: Decodable {
        let id: String
        let rules: String
        let canonical: [CanonicalRule]
        let error: Bool
        let canonicalNext: [CanonicalRule]?
        let errorNext: Bool?

        enum CodingKeys: String, CodingKey {
            case id, rules, canonical, error
            case canonicalNext = "canonical_next"
            case errorNext = "error_next"
        }
    }

    struct EntropyCase: Decodable {
        let rules: String
        let length: Int
        let semantics: String
        let count: String
        let bits: Double?
    }

    struct CanonicalRule: Decodable, Hashable, CustomStringConvertible {
        enum Value: Decodable, Hashable {
            case number(Int)
            case classes([[String: String]])

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let number = try? container.decode(Int.self) {
                    self = .number(number)
                } else {
                    self = .classes(try container.decode([[String: String]].self))
                }
            }
        }

        let name: String
        let value: Value

        var description: String { "\(name): \(value)" }

        init(_ rule: PasswordRule) {
            func classes(_ characters: PasswordRule.CharacterClass) -> Value {
                .classes(
                    characters.items.map { item in
                        switch item {
                        case .named(let name): ["class": name]
                        case .custom(let characters): ["custom": characters]
                        }
                    })
            }
            switch rule {
            case .required(let characters): (name, value) = ("required", classes(characters))
            case .allowed(let characters): (name, value) = ("allowed", classes(characters))
            case .maxConsecutive(let number): (name, value) = ("max-consecutive", .number(Int(number)))
            case .maxRepeating(let number): (name, value) = ("max-repeating", .number(Int(number)))
            case .maxSequential(let number): (name, value) = ("max-sequential", .number(Int(number)))
            case .minLength(let number): (name, value) = ("minlength", .number(Int(number)))
            case .maxLength(let number): (name, value) = ("maxlength", .number(Int(number)))
            }
        }
    }

    private static let shared = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/fixtures")
    private static let sample = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    static func parserCases() throws -> [ParserCase] { try lines("password-rules/parser_cases.jsonl") }

    static func entropyCases() throws -> [EntropyCase] { try lines("password-rules/entropy_cases.jsonl") }

    private static func lines<Case: Decodable>(_ path: String) throws -> [Case] {
        let whole = shared.appending(path: path)
        let own = sample.appending(path: whole.lastPathComponent)
        let data =
            try Data(contentsOf: own) + ((try? Data(contentsOf: whole)).map { [UInt8(ascii: "\n")] + $0 } ?? Data())
        return try data.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Case.self, from: $0) }
    }
}
