// SPDX-License-Identifier: Apache-2.0

/// Why rules were refused.
public enum PasswordRulesRefusal: Error, Hashable, Sendable {
    /// The descriptor has more Unicode scalars than the limit.
    case descriptorTooLong(limit: Int)
    /// A custom class names a character that is not printable ASCII.
    case characterNotPrintable(Unicode.Scalar)
    /// No password meets these rules together. Each is written as the language has it.
    case conflict(rules: [String])
    /// Some password may meet the rules, but counting them all would pass a limit.
    case tooComplex(Complexity)

    /// The limit that rules passed.
    public enum Complexity: Hashable, Sendable {
        /// The least length asked for, over 256.
        case length(Int)
        /// More than 8 distinct required sets overlap one another.
        case overlappingSets(Int)
        /// The required rules have more than 20,000 states.
        case states
        /// Overlapping required sets, with their multiplicities, combine to more than 4,096 demands.
        case demands
        /// Finding the states of the required rules would need more than 6,000,000 steps.
        case matchingSteps
        /// The exact count would need more than 40,000,000 steps.
        case countingSteps
        /// Drawing needs tables over 32 MiB.
        case tableWords
    }

    /// The name on the command line and in JSON.
    public var code: String {
        switch self {
        case .descriptorTooLong: "rules-too-long"
        case .characterNotPrintable: "character-not-printable"
        case .conflict: "rules-conflict"
        case .tooComplex: "rules-too-complex"
        }
    }
}

extension PasswordRulesRefusal: CustomStringConvertible {
    /// One sentence: what is wrong.
    public var message: String {
        switch self {
        case .descriptorTooLong(let limit): "The descriptor has more than \(limit) characters"
        case .characterNotPrintable(let scalar):
            "U+\(hexadecimal(scalar.value)) is not a printable ASCII character, so no class can hold it"
        case .conflict(let rules): "No password can meet these rules together: \(rules.joined(separator: "; "))"
        case .tooComplex(let complexity): complexity.message
        }
    }

    /// The fix, one sentence.
    public var fix: String {
        switch self {
        case .descriptorTooLong(let limit): "Write the rules with named classes and at most \(limit) characters."
        case .characterNotPrintable: "Use characters from space to tilde only."
        case .conflict: "Loosen one of them."
        case .tooComplex(let complexity): complexity.fix
        }
    }

    /// Message and fix.
    public var description: String { "\(message). \(fix)" }

    private func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension PasswordRulesRefusal.Complexity {
    var message: String {
        switch self {
        case .length(let length):
            "The rules ask for \(length) characters; the limit is \(PasswordRulesLimits.length)"
        case .overlappingSets(let count):
            "\(count) distinct required sets overlap one another; the limit is \(PasswordRulesLimits.overlappingSets)"
        case .states: "The required rules have more than \(PasswordRulesLimits.states) states, which is the limit"
        case .demands:
            "Overlapping required rules combine to more than \(PasswordRulesLimits.latticePoints) demands, which is the limit"
        case .matchingSteps:
            "Following the required rules would need more than \(PasswordRulesLimits.matchingSteps) steps, which is the limit"
        case .countingSteps:
            "The exact count would need more than \(PasswordRulesLimits.countingSteps) steps, which is the limit"
        case .tableWords:
            "Counting or drawing would need tables of more than \(PasswordRulesLimits.tableWords) words, which is the limit"
        }
    }

    var fix: String {
        switch self {
        case .length: "Ask for at most \(PasswordRulesLimits.length) characters."
        case .overlappingSets, .states, .demands, .matchingSteps:
            "Use fewer required rules, or rules with classes that have no character in common."
        case .countingSteps, .tableWords: "Use fewer required rules, or a smaller minlength or max-consecutive."
        }
    }
}
