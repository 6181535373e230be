// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Foreign text, safe to print on one line: in quotation marks, cut after 128 scalars, with everything that a
    /// terminal or a journal might act on (controls, line ends, bidirectional marks) as `\u{…}`.
    package var quoted: String {
        var text = "\""
        for (count, scalar) in unicodeScalars.enumerated() {
            if count == 128 {
                text += "…"
                break
            }
            text += scalar.shown
        }
        return text + "\""
    }
}

extension Unicode.Scalar {
    /// The scalar itself where it is plainly visible, else its escape.
    var shown: String {
        switch self {
        case "\"", "\\": "\\\(self)"
        default: isVisible ? String(self) : "\\u{\(String(value, radix: 16, uppercase: true))}"
        }
    }

    /// Whether it is visible and does not affect other characters: no control, format, bidirectional, line end or
    /// private use character, and no space but the plain one.
    var isVisible: Bool {
        if isASCII { return (0x20..<0x7F).contains(value) }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .privateUse,
            .unassigned:
            return false
        default: return !properties.isDefaultIgnorableCodePoint
        }
    }
}
