// SPDX-License-Identifier: Apache-2.0

/// Names and paths as a prompt may show them: on one line, unambiguous, and never so long that the question leaves the
/// screen.
///
/// Controls, line breaks, bidirectional and other invisible formatting, unusual spaces and letters that resemble one,
/// the second of two spaces, accents on nothing, the markup characters `<`, `>` and `&`, and the backslash become
/// `\u{…}`, their number in hexadecimal.
package enum PromptText {
    /// The whole text, if it needs at most `limit` bytes of a line to a prompter; else its beginning and its end. So
    /// all texts of a prompt fit together.
    package static func shown(_ text: String, limit: Int) -> String {
        let pieces = escaped(text)
        guard pieces.reduce(0, { $0 + AssuanText.length(of: $1) }) > limit else { return pieces.joined() }
        let gap = "…"
        let end = limit / 2
        let beginning = first(pieces, within: limit - end - AssuanText.length(of: gap))
        return beginning.joined() + gap + first(pieces.reversed(), within: end).reversed().joined()
    }

    /// How many more bytes fit beside a description on its line to a prompter.
    package static func capacity(beside description: String) -> Int {
        AssuanText.lineBytes - "SETDESC ".utf8.count - AssuanText.length(of: description)
    }

    /// How many bytes of its line a text needs.
    package static func length(of text: String) -> Int { AssuanText.length(of: text) }

    /// As many of the first as fit.
    private static func first(_ pieces: [String], within limit: Int) -> ArraySlice<String> {
        var length = 0
        return pieces.prefix { piece in
            length += AssuanText.length(of: piece)
            return length <= limit
        }
    }

    /// Scalar by scalar: a thousand accents are a thousand pieces.
    private static func escaped(_ text: String) -> [String] {
        var pieces: [String] = []
        var wasSpace = true
        // Whether an accent is on a visible character.
        var carries = false
        for scalar in text.unicodeScalars {
            let isShown = isPlain(scalar) && !(wasSpace && scalar == " ") && (carries || !isMark(scalar))
            pieces.append(isShown ? String(scalar) : escape(scalar))
            wasSpace = scalar == " "
            carries = isShown && !wasSpace
        }
        return pieces
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        [.nonspacingMark, .spacingMark].contains(scalar.properties.generalCategory)
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ": return true
        case "<", ">", "&", "\\": return false
        // Blank, though letters, marks and symbols to Unicode: braille, a replaced object, two hieroglyphs, the Khitan
        // filler, the null notehead.
        case "\u{2800}", "\u{FFFC}", "\u{13441}", "\u{13442}", "\u{16FE4}", "\u{1D159}": return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .unassigned,
            .privateUse, .enclosingMark:
            return false
        default:
            // Variation selectors, fillers and the like have no form of their own.
            return !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String { "\\u{\(String(scalar.value, radix: 16))}" }
}
