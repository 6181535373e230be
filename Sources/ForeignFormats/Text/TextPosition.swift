// SPDX-License-Identifier: Apache-2.0

/// A line and a column of a text, counted from 1. A column is one character (a Unicode scalar).
package struct TextPosition: Hashable, Sendable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Of a byte of UTF-8. A line ends with LF, CR or both.
    package init(of offset: Int, in text: UnsafeRawBufferPointer) {
        var line = 1
        var start = 0
        let end = min(offset, text.count)
        for index in 0..<end {
            let isEnd =
                switch text[index] {
                case UInt8(ascii: "\n"): true
                case UInt8(ascii: "\r"): index + 1 == text.count || text[index + 1] != UInt8(ascii: "\n")
                default: false
                }
            guard isEnd else { continue }
            line += 1
            start = index + 1
        }
        self.init(line: line, column: text[start..<end].count { $0 & 0xC0 != 0x80 } + 1)
    }
}
