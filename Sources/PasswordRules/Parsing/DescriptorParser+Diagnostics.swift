// SPDX-License-Identifier: Apache-2.0

extension DescriptorParser {
    /// Notes a finding; beyond the limit only the error flag is kept.
    mutating func note(
        _ finding: PasswordRulesDiagnostic.Finding, _ action: PasswordRulesDiagnostic.Action, _ range: Range<Int>,
        isError: Bool = true
    ) {
        hasErrors = hasErrors || isError
        // The finding that stops the parser is always kept: it replaces the last one.
        if diagnostics.count == PasswordRulesLimits.diagnostics {
            guard isError, finding != .hyphenNotFirst else { return }
            diagnostics.removeLast()
        }
        let text = String(decoding: UnsafeBufferPointer(rebasing: text[range]), as: UTF8.self)
        diagnostics.append(
            PasswordRulesDiagnostic(
                finding: finding, action: action, isError: isError, offset: scalarOffset(of: range.lowerBound),
                length: text.unicodeScalars.count,
                text: String(
                    String.UnicodeScalarView(text.unicodeScalars.prefix(PasswordRulesLimits.diagnosticScalars))),
                fix: fix(for: finding, text: text)))
    }

    /// Scalars before a byte at which one begins. Findings are nearly in the order of the text: counting continues from
    /// the last one.
    private mutating func scalarOffset(of byte: Int) -> Int {
        if byte < counted.bytes { counted = (0, 0) }
        counted.scalars += (counted.bytes..<byte).reduce(0) { $0 + (text[$1] & 0xC0 == 0x80 ? 0 : 1) }
        counted.bytes = byte
        return counted.scalars
    }

    private func fix(for finding: PasswordRulesDiagnostic.Finding, text: String) -> String {
        switch finding {
        case .unknownRule:
            DescriptorVocabulary.nearestRule(to: text).map { "Write \"\($0)\"." }
                ?? "Use one of \(DescriptorVocabulary.RuleName.allCases.map(\.rawValue).joined(separator: ", "))."
        case .missingColon: "Write \"\(text): \" and the value."
        case .unexpectedText:
            text.first == ";" ? "Remove this \";\"." : "Begin each rule with its name, and end it with \";\"."
        case .unknownClass:
            DescriptorVocabulary.nearestClass(to: text).map { "Write \"\($0)\"." }
                ?? "Use one of \(DescriptorVocabulary.classNames.joined(separator: ", ")), or [characters]."
        case .digits: "Write \"digit\"."
        case .missingClass:
            isAtRuleEnd ? "Remove the comma before it." : "Write a class's name, or the characters in brackets."
        case .missingSeparator: missingSeparatorFix(text)
        case .unclosedClass: "Close the class with \"]\"; a \"]\" of its own is last, as \"]]\"."
        case .hyphenNotFirst: hyphenFix(text)
        case .characterNotPrintable: "Remove it: a password of these rules is printable ASCII."
        case .emptyClass: "Remove the class, or write the characters it should hold."
        case .notAnInteger: "Write a whole number in the digits 0 to 9."
        case .textAfterInteger: "Write \"\(text.prefix { $0.isASCII && $0.isNumber });\"."
        case .integerTooLarge: "Write a length that a password can have."
        case .zero: "Remove the rule, or write a number from 1."
        case .emptyValue: "Write a value, or remove the rule."
        }
    }

    private func hyphenFix(_ text: String) -> String {
        switch text {
        case "a-z": "Write \"lower\" outside the brackets: the language has no ranges."
        case "A-Z": "Write \"upper\" outside the brackets: the language has no ranges."
        case "0-9": "Write \"digit\" outside the brackets: the language has no ranges."
        case "-": "Write \"-\" first in the class, or remove it."
        default: "Write \"-\" first, or every character of the range: the language has no ranges."
        }
    }

    private func missingSeparatorFix(_ text: String) -> String {
        if text.contains("]") { return "A \"]\" ends the class: as a character of its own it is last, as \"]]\"." }
        let word = text.prefix { $0.isLetter || $0 == "-" }
        if DescriptorVocabulary.RuleName(rawValue: String(word)) != nil { return "Write \";\" before \"\(word)\"." }
        if DescriptorVocabulary.classNames.contains(word.lowercased()) { return "Write \",\" before \"\(word)\"." }
        return "Write \",\" before another class, \";\" before another rule."
    }
}
