// SPDX-License-Identifier: Apache-2.0

/// A finding: text of a descriptor that was not read as written.
public struct PasswordRulesDiagnostic: Hashable, Sendable {
    /// What was found.
    public enum Finding: String, CaseIterable, Sendable {
        /// A rule's name is not one of the seven.
        case unknownRule = "unknown-rule"
        /// No `:` directly follows a rule's name.
        case missingColon = "missing-colon"
        /// A rule should start here.
        case unexpectedText = "unexpected-text"
        /// A class's name is not one of the six.
        case unknownClass = "unknown-class"
        /// `digits`, which the language spells `digit`.
        case digits = "digits"
        /// A class is expected here, between or after commas.
        case missingClass = "missing-class"
        /// Neither `,` nor `;` follows a class.
        case missingSeparator = "missing-separator"
        /// A custom class is not closed by `]`.
        case unclosedClass = "unclosed-class"
        /// A `-` that is not the first character of a custom class.
        case hyphenNotFirst = "hyphen-not-first"
        /// A character of a custom class that is not printable ASCII.
        case characterNotPrintable = "character-not-printable"
        /// A class with no characters.
        case emptyClass = "empty-class"
        /// An integer is expected here.
        case notAnInteger = "not-an-integer"
        /// Something other than `;` follows an integer.
        case textAfterInteger = "text-after-integer"
        /// An integer over 2^53 − 1.
        case integerTooLarge = "integer-too-large"
        /// The integer 0, which has no effect.
        case zero = "zero"
        /// A rule without a value.
        case emptyValue = "empty-value"
    }

    /// What the parser did about it.
    public enum Action: String, CaseIterable, Sendable {
        /// Read as what was probably meant.
        case readAsMeant = "read-as-meant"
        /// This item was left out; the rule is kept.
        case itemDropped = "item-dropped"
        /// This rule was left out; the others are kept.
        case ruleDropped = "rule-dropped"
        /// The rules before it are kept; it and all that follows were left out.
        case restDropped = "rest-dropped"
        /// Every rule was left out, those before it too.
        case everythingDropped = "everything-dropped"
    }

    /// What was found.
    public let finding: Finding
    /// What was done about it.
    public internal(set) var action: Action
    /// True where Apple's parser reports an error; false where it is silent.
    public let isError: Bool
    /// Where the text begins, in Unicode scalars from 0.
    public let offset: Int
    /// How long the text is, in Unicode scalars.
    public let length: Int
    /// The text concerned; cut after 40 scalars.
    public let text: String
    /// The probable fix.
    public let fix: String
}

extension PasswordRulesDiagnostic: CustomStringConvertible {
    /// What was found and what was done, in one sentence without the fix.
    public var message: String { "\(found): \(done)" }

    /// Position, message and fix on one line.
    public var description: String { "offset \(offset): \(message). \(fix)" }

    private var found: String {
        switch finding {
        case .unknownRule: "\"\(text)\" is not a rule"
        case .missingColon: "no \":\" directly after the rule's name"
        case .unexpectedText: "a rule should start here"
        case .unknownClass: "\"\(text)\" is not a character class"
        case .digits: "the class is spelled \"digit\""
        case .missingClass: "a character class is expected here"
        case .missingSeparator: "\",\" or \";\" is expected here"
        case .unclosedClass: "the custom class is not closed"
        case .hyphenNotFirst: "\"-\" is not the first character of the class"
        case .characterNotPrintable: "not a printable ASCII character"
        case .emptyClass: "the class has no characters"
        case .notAnInteger: "an integer is expected here"
        case .textAfterInteger: "only \";\" may follow an integer, directly"
        case .integerTooLarge: "an integer over 2^53 − 1"
        case .zero: "0 has no effect"
        case .emptyValue: "the rule has no value"
        }
    }

    private var done: String {
        switch action {
        case .readAsMeant:
            switch finding {
            case .digits: "read as \"digit\""
            case .integerTooLarge: "read as 2^53 − 1"
            default: "read without it"
            }
        case .itemDropped: "it was left out"
        case .ruleDropped: "the rule was left out"
        case .restDropped: "it and all that follows were left out"
        case .everythingDropped: "all rules were left out"
        }
    }
}
