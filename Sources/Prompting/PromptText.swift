// SPDX-License-Identifier: Apache-2.0

/// Names and paths as a prompt may show them: on one line, read in one way only, and never so long that the question is
/// pushed off the screen.
///
/// Controls, line breaks, bidirectional and other invisible formatting, unusual spaces, the second of two spaces, the
/// markup characters `<`, `>` and `&`, and the backslash become `\u{…}`, their number in hexadecimal.
package enum PromptText {
    /// The whole text, if it takes at most `limit` bytes of a line to a prompter; else its beginning and its end. Of no text
    /// then more is shown than there is room for beside all others of a prompt.
    package static func shown(_ text: String, limit: Int) -> String {
        let pieces = escaped(text)
        guard pieces.reduce(0, { $0 + AssuanText.length(of: $1) }) > limit else { return pieces.joined() }
        let gap = "…"
        let end = limit / 2
        let beginning = first(pieces, within: limit - end - AssuanText.length(of: gap))
        return beginning.joined() + gap + first(pieces.reversed(), within: end).reversed().joined()
    }

    /// As many of the first as fit.
    private static func first(_ pieces: [String], within limit: Int) -> ArraySlice<String> {
        var length = 0
        return pieces.prefix { piece in
            length += AssuanText.length(of: piece)
            return length <= limit
        }
    }

    /// Scalar by scalar: an accent on nothing stays a piece of its own, and a thousand of them are a thousand.
    private static func escaped(_ text: String) -> [String] {
        var pieces: [String] = []
        var wasSpace = true
        for scalar in text.unicodeScalars {
            pieces.append(isPlain(scalar) && !(wasSpace && scalar == " ") ? String(scalar) : escape(scalar))
            wasSpace = scalar == " "
        }
        return pieces
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ": return true
        case "<", ">", "&", "\\": return false
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
