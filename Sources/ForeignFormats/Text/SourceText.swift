// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// A file as UTF-8: without byte order mark, decoded from UTF-16, and checked.
enum SourceText {
    private enum Encoding { case utf8, utf16Little, utf16Big }

    /// Calls `body` with the text; valid during the call.
    static func read<Result>(
        _ file: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(ConversionError) -> Result
    ) throws(ConversionError) -> Result {
        let (encoding, mark) = detect(file)
        let content = UnsafeRawBufferPointer(rebasing: file[mark...])
        if encoding == .utf8 { return try check(content, body) }
        var count = 0
        // Each unit of two bytes is at most three of UTF-8.
        let decoded = try SecretBytes(count: content.count / 2 * 3) { memory throws(ConversionError) in
            count = try decode(content, isBig: encoding == .utf16Big, to: memory)
        }
        return try decoded.withUnsafeBytes { memory throws(ConversionError) in
            try check(UnsafeRawBufferPointer(rebasing: memory[..<count]), body)
        }
    }

    /// By the byte order mark; without one, by the zero bytes of the first character, which is ASCII in these formats.
    private static func detect(_ file: UnsafeRawBufferPointer) -> (Encoding, mark: Int) {
        if file.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if file.starts(with: [0xFF, 0xFE]) { return (.utf16Little, 2) }
        if file.starts(with: [0xFE, 0xFF]) { return (.utf16Big, 2) }
        guard file.count >= 2 else { return (.utf8, 0) }
        if file[0] != 0, file[1] == 0 { return (.utf16Little, 0) }
        if file[0] == 0, file[1] != 0 { return (.utf16Big, 0) }
        return (.utf8, 0)
    }

    private static func check<Result>(
        _ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(ConversionError) -> Result
    ) throws(ConversionError) -> Result {
        if let offset = firstInvalid(text) { throw ConversionError(.notText, at: TextPosition(of: offset, in: text)) }
        if let offset = text.firstIndex(of: 0) {
            throw ConversionError(.containsNUL, at: TextPosition(of: offset, in: text))
        }
        return try body(text)
    }

    /// The position of the first byte that is not UTF-8.
    static func firstInvalid(_ text: UnsafeRawBufferPointer) -> Int? {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: text.assumingMemoryBound(to: UInt8.self).span)
            return nil
        } catch {
            return error.byteOffsets.lowerBound
        }
    }

    private static func decode(
        _ units: UnsafeRawBufferPointer, isBig: Bool, to memory: UnsafeMutableRawBufferPointer
    ) throws(ConversionError) -> Int {
        var line = 1
        var column = 1
        func unit(_ index: Int) -> UInt32? {
            guard index + 1 < units.count else { return nil }
            let (first, second) = (UInt32(units[index]), UInt32(units[index + 1]))
            return isBig ? first << 8 | second : second << 8 | first
        }
        var count = 0
        var index = 0
        while index < units.count {
            guard var scalar = unit(index) else {
                throw ConversionError(.truncated, at: TextPosition(line: line, column: column))
            }
            index += 2
            if scalar & 0xF800 == 0xD800 {
                guard scalar < 0xDC00, let low = unit(index), low & 0xFC00 == 0xDC00 else {
                    throw ConversionError(.notText, at: TextPosition(line: line, column: column))
                }
                index += 2
                scalar = 0x10000 + (scalar & 0x3FF) << 10 + (low & 0x3FF)
            }
            guard let encoded = Unicode.Scalar(scalar).flatMap({ UTF8.encode($0) }) else { continue }
            for byte in encoded {
                memory[count] = byte
                count += 1
            }
            (line, column) = scalar == 0x0A ? (line + 1, 1) : (line, column + 1)
        }
        return count
    }
}
