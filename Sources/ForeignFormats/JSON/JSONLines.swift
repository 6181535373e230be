// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// Reads JSON Lines: a JSON value in each line.
enum JSONLines {
    /// - Parameters:
    ///   - read: reads a value.
    ///   - body: gets what was read, with the line and its position.
    static func read<Line>(
        _ text: UnsafeRawBufferPointer, maximumDepth: Int, as read: (JSONValue) throws(JSONError) -> Line,
        _ body: (Line, UnsafeRawBufferPointer, TextPosition) throws(ConversionError) -> Void
    ) throws(ConversionError) {
        var scanner = JSONScanner(maximumDepth: maximumDepth)
        var number = 0
        var rest = text[...]
        while !rest.isEmpty {
            number += 1
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            let line = UnsafeRawBufferPointer(rebasing: rest[..<end])
            rest = rest[min(end + 1, rest.endIndex)...]
            let value: Line
            do throws(JSONError) {
                value = try scanner.scan(line) { value throws(JSONError) in try read(value) }
            } catch {
                let position = TextPosition(of: error.offset, in: line)
                throw ConversionError(.json(error.problem), at: TextPosition(line: number, column: position.column))
            }
            try body(value, line, TextPosition(line: number, column: 1))
        }
    }
}
