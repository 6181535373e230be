// SPDX-License-Identifier: Apache-2.0

/// A text in a form that can be compared across languages and spellings: lower case, without accents, its words
/// concatenated. Word boundaries are at case changes, digits and punctuation. Cyrillic letters that resemble Latin ones
/// count as those, so that a word with a mixed-in one is still recognised.
struct FoldedText {
    /// A word of the vocabulary, and its position.
    struct Hit {
        let word: Int
        let topic: Topic
        let start: Int
        let end: Int
    }

    /// UTF-8, with a line feed where a clause ends.
    private(set) var bytes: [UInt8] = []
    /// For each byte, and for the end, whether a word begins or a clause ends there.
    private(set) var begins: [Bool] = []

    /// A text in which a clause ends at a full stop, a bracket and similar characters if it `isProse`. `dropping` some
    /// words leaves out what all fields of a form begin with.
    init(_ text: String, isProse: Bool, dropping count: Int = 0) {
        bytes.reserveCapacity(text.utf8.count)
        begins.reserveCapacity(text.utf8.count + 1)
        var former = Kind.other
        var (wordCount, wordBytes) = (0, 0)
        for scalar in text.unicodeScalars {
            let kind = Kind(scalar)
            if kind == .mark { continue }
            let isNew = kind != former && !(kind == .lower && former == .upper)
            former = kind
            if kind == .other {
                if isProse, Self.clauseEnds.contains(scalar), bytes.last ?? 10 != 10 {
                    // “No.” and “El.” are abbreviations.
                    if scalar != "." || wordBytes > 3 { append(10, beginning: true) }
                }
                continue
            }
            if isNew { (wordCount, wordBytes) = (wordCount + 1, 0) }
            wordBytes += 1
            if wordCount <= count { continue }
            var isFirst = isNew
            if scalar.isASCII {
                append(kind == .upper ? UInt8(scalar.value) | 0x20 : UInt8(scalar.value), beginning: isFirst)
            } else {
                guard Self.hasCase(scalar) else {
                    for byte in UTF8.encode(Self.foldUncased(scalar)) ?? UTF8.encodedReplacementCharacter {
                        append(byte, beginning: isFirst)
                        isFirst = false
                    }
                    continue
                }
                for byte in Self.fold(scalar).utf8 {
                    append(byte, beginning: isFirst)
                    isFirst = false
                }
            }
        }
        begins.append(true)
    }

    private mutating func append(_ byte: UInt8, beginning: Bool) {
        bytes.append(byte)
        begins.append(beginning || bytes.count > 1 && bytes[bytes.count - 2] == 10)
    }

    /// The end of the clause that contains a position, and how many words it has.
    func clause(around position: Int) -> (end: Int, words: Int) {
        var (end, words) = (position, 0)
        while end > 0, bytes[end - 1] != 10 { end -= 1 }
        while end < bytes.count, bytes[end] != 10 {
            if begins[end] { words += 1 }
            end += 1
        }
        return (end, words)
    }

    /// The folded words one by one.
    static func words(of text: String) -> [String] {
        let folded = FoldedText(text, isProse: false)
        let starts = folded.bytes.indices.filter { folded.begins[$0] } + [folded.bytes.count]
        return zip(starts, starts.dropFirst()).map { String(decoding: folded.bytes[$0..<$1], as: UTF8.self) }
    }

    private static let clauseEnds: Set<Unicode.Scalar> = [
        ".", "?", "!", ";", ":", ",", "(", ")", "[", "]", "/", "|", "\n", "。", "、", "，", "？", "！", "（", "）", "：", "；",
        "／", "・",
        "؟", "،",
    ]

    /// Word boundaries: where one of these is next to another, except for a capital before small letters.
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
                    FoldedText.hasCase(scalar) && scalar.properties.isUppercase
                        ? .upper : scalar.properties.isAlphabetic ? .lower : .other
                }
        }
    }

    /// Whether a scalar's script may have capitals. Most that do are before Hebrew; the rest are Latin and Greek with
    /// more accents, Georgian, Cherokee and the full-width letters.
    private static func hasCase(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x590, 0x1C80..<0x2190, 0x2C00..<0x2E00, 0xA640..<0xAC00, 0xFB00..<0xFB20, 0xFF00..<0xFF60, 0x10000...:
            true
        default: false
        }
    }

    /// Letters of Arabic and Persian that are written with one or the other sign.
    private static func foldUncased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "ي": "ی"
        case "ك": "ک"
        case "أ", "إ", "آ": "ا"
        default: scalar
        }
    }

    private static func fold(_ scalar: Unicode.Scalar) -> String {
        let lower = scalar.properties.lowercaseMapping
        guard let first = lower.unicodeScalars.first else { return lower }
        return switch first {
        case "à"..."å", "ā", "ă", "ą", "а", "ạ"..."ặ": "a"
        case "ç", "ć", "č", "с": "c"
        case "ď", "đ": "d"
        case "è"..."ë", "ē", "ė", "ę", "ě", "е", "ё", "ə", "ẹ"..."ệ": "e"
        case "ğ", "ģ": "g"
        case "ì"..."ï", "ī", "į", "ı", "і", "ỉ", "ị": "i"
        case "й": "и"
        case "ł", "ľ", "ļ": "l"
        case "ñ", "ń", "ň": "n"
        case "ò"..."ö", "ø", "ő", "о", "ơ", "ọ"..."ợ": "o"
        case "р": "p"
        case "ř": "r"
        case "ś", "š", "ş", "ș": "s"
        case "ß": "ss"
        case "ť", "ţ", "ț": "t"
        case "ù"..."ü", "ū", "ů", "ű", "ų", "ư", "ụ"..."ự": "u"
        case "х": "x"
        case "ý", "ÿ", "у", "ỳ"..."ỹ": "y"
        case "ź", "ż", "ž": "z"
        case "æ": "ae"
        case "ά": "α"
        case "έ": "ε"
        case "ή": "η"
        case "ί", "ϊ", "ΐ": "ι"
        case "ό": "ο"
        case "ύ", "ϋ", "ΰ": "υ"
        case "ώ": "ω"
        case "ς": "σ"
        default: lower
        }
    }
}
