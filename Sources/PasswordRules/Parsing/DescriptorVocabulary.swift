// SPDX-License-Identifier: Apache-2.0

/// The names of the language, and what was probably meant by one that is not among them.
enum DescriptorVocabulary {
    enum RuleName: String, CaseIterable {
        case required, allowed
        case maxConsecutive = "max-consecutive"
        case maxRepeating = "max-repeating"
        case maxSequential = "max-sequential"
        case minLength = "minlength"
        case maxLength = "maxlength"
    }

    static let classNames = ["upper", "lower", "digit", "special", "ascii-printable", "unicode"]

    /// A rule's name is case-sensitive.
    static func ruleName(_ text: UnsafeBufferPointer<UInt8>) -> RuleName? {
        switch text.count {
        case 7: equal(text, "allowed") ? .allowed : nil
        case 8: equal(text, "required") ? .required : nil
        case 9: equal(text, "minlength") ? .minLength : equal(text, "maxlength") ? .maxLength : nil
        case 13: equal(text, "max-repeating") ? .maxRepeating : nil
        case 14: equal(text, "max-sequential") ? .maxSequential : nil
        case 15: equal(text, "max-consecutive") ? .maxConsecutive : nil
        default: nil
        }
    }

    /// A class's name is not case-sensitive.
    static func characterClass(_ text: UnsafeBufferPointer<UInt8>) -> PasswordRule.CharacterClass? {
        switch text.count {
        case 5:
            equalIgnoringCase(text, "upper")
                ? .upper : equalIgnoringCase(text, "lower") ? .lower : equalIgnoringCase(text, "digit") ? .digit : nil
        case 7:
            equalIgnoringCase(text, "special") ? .special : equalIgnoringCase(text, "unicode") ? .unicode : nil
        case 15: equalIgnoringCase(text, "ascii-printable") ? .asciiPrintable : nil
        default: nil
        }
    }

    static func isDigits(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.count == 6 && equalIgnoringCase(text, "digits")
    }

    private static func equal(_ text: UnsafeBufferPointer<UInt8>, _ name: StaticString) -> Bool {
        for index in 0..<text.count where text[index] != name.utf8Start[index] { return false }
        return true
    }

    private static func equalIgnoringCase(_ text: UnsafeBufferPointer<UInt8>, _ name: StaticString) -> Bool {
        for index in 0..<text.count {
            let byte = text[index]
            let small = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
            if small != name.utf8Start[index] { return false }
        }
        return true
    }

    /// The rule that was probably meant.
    static func nearestRule(to text: String) -> String? { nearest(to: text, in: RuleName.allCases.map(\.rawValue)) }

    /// The class that was probably meant.
    static func nearestClass(to text: String) -> String? {
        let plain = plain(text)
        let synonyms = [
            "numeric": "digit", "number": "digit", "numbers": "digit", "symbol": "special", "symbols": "special",
            "punctuation": "special", "ascii": "ascii-printable", "any": "ascii-printable", "all": "ascii-printable",
            "alpha": "upper, lower", "letter": "upper, lower", "letters": "upper, lower",
            "alphanumeric": "upper, lower, digit",
        ]
        return synonyms[plain] ?? nearest(to: text, in: classNames)
    }

    private static func nearest(to text: String, in names: [String]) -> String? {
        let wanted = plain(text)
        guard wanted.utf8.count >= 3 else { return nil }
        return names.map { name in (name, distance(wanted, plain(name))) }.filter { name, distance in
            distance <= 2 || wanted.hasPrefix(plain(name))
        }.min { $0.1 < $1.1 }?.0
    }

    private static func plain(_ text: String) -> String { text.lowercased().filter { $0 != "-" && $0 != "_" } }

    /// The edits from one short word to another; large where their lengths are far apart.
    private static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.utf8), right = Array(right.utf8)
        guard abs(left.count - right.count) <= 2 else { return .max }
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let replaced = diagonal + (a == b ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
