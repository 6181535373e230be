// SPDX-License-Identifier: Apache-2.0

/// One rule that a password breaks, and where. It has positions and numbers, never a character of the password.
package struct PasswordViolation: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case tooShort = "too-short"
        case tooLong = "too-long"
        case notAllowed = "not-allowed"
        case repeating = "repeating"
        case sequential = "sequential"
        case required = "required"
        case notText = "not-text"
    }

    package let kind: Kind
    /// The rule as the language has it; empty for bytes that are not UTF-8.
    package let rule: String
    /// Where, in Unicode scalars from 0: the characters that are not allowed, the whole of a run that is too long, what
    /// exceeds the greatest length. Nil for what is missing.
    package let position: Range<Int>?
    /// How many characters are missing; 0 elsewhere.
    package let missing: Int

    init(_ kind: Kind, _ rule: String, position: Range<Int>? = nil, missing: Int = 0) {
        self.kind = kind
        self.rule = rule
        self.position = position
        self.missing = missing
    }

    /// One sentence.
    package var message: String {
        switch kind {
        case .tooShort: "\(characters(missing)) too short for \(rule)"
        case .tooLong: "\(characters(position?.count ?? 0)) too long for \(rule)"
        case .notAllowed: "\(characters(position?.count ?? 0)) at \(position?.lowerBound ?? 0) not of \(rule)"
        case .repeating:
            "\(position?.count ?? 0) equal characters in a row at \(position?.lowerBound ?? 0) break \(rule)"
        case .sequential: "\(position?.count ?? 0) characters in sequence at \(position?.lowerBound ?? 0) break \(rule)"
        case .required: "\(characters(missing)) short of \(rule)"
        case .notText: "The password is not UTF-8"
        }
    }

    private func characters(_ count: Int) -> String { count == 1 ? "1 character" : "\(count) characters" }
}
