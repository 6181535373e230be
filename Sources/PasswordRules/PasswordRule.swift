// SPDX-License-Identifier: Apache-2.0

/// One rule of Apple's password rules language.
///
/// See "Customizing Password AutoFill rules" in Apple's documentation. A value of 0 has no effect, as in Apple's
/// parser.
public enum PasswordRule: Hashable, Sendable {
    /// At least one character of the class. Several `required` rules need distinct characters of the password:
    /// `[.required(.digit), .required(.digit)]` requires two digits.
    case required(CharacterClass)
    /// Characters that may occur besides the required ones. Without it, only the required ones;
    /// without either, printable ASCII.
    case allowed(CharacterClass)
    /// At most this many equal characters in a row, and at most this many in ascending or descending order.
    /// Apple deprecated it in September 2026 for ``maxRepeating(_:)`` and ``maxSequential(_:)``.
    case maxConsecutive(UInt)
    /// At most this many equal characters in a row.
    case maxRepeating(UInt)
    /// At most this many characters in a row that ascend or descend within a–z, A–Z or 0–9.
    case maxSequential(UInt)
    /// The least length, in characters.
    case minLength(UInt)
    /// The greatest length, in characters.
    case maxLength(UInt)
}

extension PasswordRule: CustomStringConvertible {
    /// The rule in the language, without a semicolon: `required: upper`.
    public var description: String { spelling(colon: ": ", separator: ", ") }

    func spelling(colon: String, separator: String) -> String {
        switch self {
        case .required(let characters): "required\(colon)\(characters.spelling(separator: separator))"
        case .allowed(let characters): "allowed\(colon)\(characters.spelling(separator: separator))"
        case .maxConsecutive(let value): "max-consecutive\(colon)\(value)"
        case .maxRepeating(let value): "max-repeating\(colon)\(value)"
        case .maxSequential(let value): "max-sequential\(colon)\(value)"
        case .minLength(let value): "minlength\(colon)\(value)"
        case .maxLength(let value): "maxlength\(colon)\(value)"
        }
    }
}
