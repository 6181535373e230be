// SPDX-License-Identifier: Apache-2.0

/// Reads CSV (RFC 4180) in UTF-8, one record at a time. A field is text, whatever a spreadsheet would make of it.
///
/// A line ends with LF, CR or both; empty lines are left out. A quotation mark may only be in a field that begins with
/// one, and is doubled there.
struct CSVReader {
    private let text: UnsafeRawBufferPointer
    private let separator: UInt8
    private var index = 0
    private var nextLine = 1
    /// The line in which the present record begins.
    private(set) var line = 0

    init(_ text: UnsafeRawBufferPointer, separator: UInt8 = UInt8(ascii: ",")) {
        self.text = text
        self.separator = separator
    }

    /// Reads the next record into `fields`; false at the end.
    mutating func next(_ fields: inout [CSVField]) throws(ConversionError) -> Bool {
        fields.removeAll(keepingCapacity: true)
        while index < text.count, isLineEnd(text[index]) { passLineEnd() }
        guard index < text.count else { return false }
        line = nextLine
        while true {
            guard fields.count < ConversionLimits.columns else {
                throw error(.tooManyColumns(limit: ConversionLimits.columns), at: index)
            }
            fields.append(try field())
            guard index < text.count else { return true }
            if text[index] == separator {
                index += 1
                continue
            }
            passLineEnd()
            return true
        }
    }

    func error(_ problem: ConversionError.Problem, at offset: Int) -> ConversionError {
        ConversionError(problem, at: TextPosition(of: offset, in: text))
    }

    private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private mutating func passLineEnd() {
        if text[index] == 0x0D, index + 1 < text.count, text[index + 1] == 0x0A { index += 1 }
        index += 1
        nextLine += 1
    }

    /// Up to the separator or the end of the line, which is not consumed.
    private mutating func field() throws(ConversionError) -> CSVField {
        let start = index
        let field: CSVField
        if index < text.count, text[index] == UInt8(ascii: "\"") {
            field = try quoted()
        } else {
            while index < text.count, text[index] != separator, !isLineEnd(text[index]) {
                if text[index] == UInt8(ascii: "\"") { throw error(.quoteInField, at: index) }
                index += 1
            }
            field = CSVField(
                bytes: UnsafeRawBufferPointer(rebasing: text[start..<index]), offset: start, hasDoubledQuotes: false)
        }
        guard field.bytes.count <= ConversionLimits.fieldBytes else {
            throw error(.fieldTooLong(limit: ConversionLimits.fieldBytes), at: start)
        }
        return field
    }

    private mutating func quoted() throws(ConversionError) -> CSVField {
        let start = index
        var hasDoubledQuotes = false
        index += 1
        while true {
            guard index < text.count else { throw error(.openQuote, at: start) }
            switch text[index] {
            case UInt8(ascii: "\""):
                if index + 1 < text.count, text[index + 1] == UInt8(ascii: "\"") {
                    hasDoubledQuotes = true
                    index += 2
                    continue
                }
                let content = UnsafeRawBufferPointer(rebasing: text[(start + 1)..<index])
                index += 1
                guard index == text.count || text[index] == separator || isLineEnd(text[index]) else {
                    throw error(.textAfterQuote, at: index)
                }
                return CSVField(bytes: content, offset: start, hasDoubledQuotes: hasDoubledQuotes)
            case 0x0A, 0x0D: passLineEnd()
            default: index += 1
            }
        }
    }
}
