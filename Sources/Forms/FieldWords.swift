// SPDX-License-Identifier: Apache-2.0

/// The words of a field (its id, name, label and placeholder) in a form that can be compared across languages and
/// spellings: lower case, without accents, parted at case changes, digits and punctuation. Cyrillic letters that look
/// like Latin ones count as those, so that a word with one of them mixed in is still read.
struct FieldWords {
    let tokens: Set<String>
    /// The words of each source run together, the sources parted by a line feed.
    private let joined: [UInt8]
    /// The same without digits: what numbered fields have in common.
    let withoutDigits: String

    init(_ field: FormField) {
        self.init([field.id, field.name, field.label, field.placeholder].compactMap(\.self))
    }

    init(_ sources: [String]) {
        var tokens: Set<String> = []
        var joined = ""
        var withoutDigits = ""
        for source in sources {
            for word in Self.words(of: source) {
                tokens.insert(word)
                joined += word
                if !word.unicodeScalars.allSatisfy({ ("0"..."9").contains($0) }) { withoutDigits += word }
            }
            joined += "\n"
            withoutDigits += "\n"
        }
        self.tokens = tokens
        self.joined = Array(joined.utf8)
        self.withoutDigits = withoutDigits
    }

    /// The first of the topic's words that occurs.
    func find(_ topic: Vocabulary) -> String? {
        (topic.tokens.first { tokens.contains($0.folded) } ?? topic.stem(in: joined))?.written
    }

    static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var former = Kind.other
        for scalar in text.unicodeScalars {
            let kind = Kind(scalar)
            if kind == .mark { continue }
            let begins = kind != former && !(kind == .lower && former == .upper)
            if begins || kind == .other {
                if !word.isEmpty { words.append(word) }
                word = ""
            }
            if kind != .other { word += fold(scalar) }
            former = kind
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    /// How words are parted: where one of these meets another, but for a capital before small letters.
    private enum Kind {
        case upper, lower, digit, mark, other

        init(_ scalar: Unicode.Scalar) {
            self =
                switch scalar {
                case "0"..."9": .digit
                case "a"..."z": .lower
                case "A"..."Z": .upper
                case "\u{300}"..."\u{36F}": .mark
                case _ where scalar.isASCII: .other
                default:
                    scalar.properties.isUppercase ? .upper : scalar.properties.isAlphabetic ? .lower : .other
                }
        }
    }

    static func fold(_ text: String) -> String {
        var folded = ""
        for scalar in text.unicodeScalars where !("\u{300}"..."\u{36F}").contains(scalar) { folded += fold(scalar) }
        return folded
    }

    private static func fold(_ scalar: Unicode.Scalar) -> String {
        if scalar.isASCII { return Character(scalar).lowercased() }
        let lower = scalar.properties.lowercaseMapping
        guard let first = lower.unicodeScalars.first else { return lower }
        return switch first {
        case "à"..."å", "ā", "ă", "ą", "а": "a"
        case "ç", "ć", "č", "с": "c"
        case "ď", "đ": "d"
        case "è"..."ë", "ē", "ė", "ę", "ě", "е", "ё": "e"
        case "ğ", "ģ": "g"
        case "ì"..."ï", "ī", "į", "ı", "і": "i"
        case "й": "и"
        case "ł", "ľ", "ļ": "l"
        case "ñ", "ń", "ň": "n"
        case "ò"..."ö", "ø", "ő", "о": "o"
        case "р": "p"
        case "ř": "r"
        case "ś", "š", "ş", "ș": "s"
        case "ß": "ss"
        case "ť", "ţ", "ț": "t"
        case "ù"..."ü", "ū", "ů", "ű", "ų": "u"
        case "х": "x"
        case "ý", "ÿ", "у": "y"
        case "ź", "ż", "ž": "z"
        case "æ": "ae"
        default: lower
        }
    }
}
