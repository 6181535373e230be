// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The columns of a terminal that it occupies: two for East Asian wide characters and emoji, none for combining
    /// marks.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// Itself, or its beginning and `…` in that many columns.
    func cut(toColumns limit: Int) -> String {
        guard columns > limit else { return self }
        var text = ""
        var used = 1
        for character in self {
            guard used + character.columns <= limit else { break }
            text.append(character)
            used += character.columns
        }
        return text + "…"
    }

    /// Itself, with all control characters, line ends and bidirectional marks escaped as `\u{…}`.
    var printable: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse:
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Character {
    var columns: Int {
        guard let first = unicodeScalars.first, !isASCII else { return 1 }
        if first.properties.isEmojiPresentation { return 2 }
        // The blocks that Unicode's EastAsianWidth.txt lists as W or F, summarised.
        return switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}
