// SPDX-License-Identifier: Apache-2.0

extension DescriptorParser {
    /// The characters between `[` and the first `]`; where a second one follows directly, `]` is among them.
    /// Nil where the class is never closed.
    mutating func parseCustomClass() -> PrintableSet? {
        let start = position
        position += 1
        let first = position
        var characters = PrintableSet()
        while position < text.count {
            let byte = text[position]
            if byte == UInt8(ascii: "]") {
                position += 1
                if position < text.count, text[position] == UInt8(ascii: "]") {
                    position += 1
                    characters.insert(byte)
                }
                if characters.isEmpty { note(.emptyClass, .itemDropped, start..<position, isError: false) }
                return characters
            }
            if !PrintableSet.isPrintable(byte) {
                noteUnprintable()
                continue
            }
            if byte == UInt8(ascii: "-"), position > first {
                noteHyphen()
            } else {
                characters.insert(byte)
            }
            position += 1
        }
        note(.unclosedClass, .itemDropped, start..<text.count)
        return nil
    }

    /// Passes over characters that Apple's parser drops silently, as one finding.
    private mutating func noteUnprintable() {
        let start = position
        while position < text.count, !PrintableSet.isPrintable(text[position]) { position += 1 }
        note(.characterNotPrintable, .itemDropped, start..<position, isError: false)
    }

    /// A `-` after the first position; the reported text is the range that it resembles.
    private mutating func noteHyphen() {
        let next = position + 1
        let resemblesRange = next < text.count && isAlphanumeric(text[position - 1]) && isAlphanumeric(text[next])
        note(.hyphenNotFirst, .itemDropped, resemblesRange ? position - 1..<next + 1 : position..<next)
    }

    private func isAlphanumeric(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
    }
}
