// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// How Assuan writes bytes on a line (the GnuPG project's protocol, "Client requests"): `%`, CR and LF as `%XX`.
enum AssuanText {
    /// Bytes of a line at most, its end not counted.
    static let lineBytes = 1000

    /// A command with its parameter, and the end of the line.
    static func line(_ command: String, _ parameter: String? = nil) -> [UInt8] {
        var bytes = Array(command.utf8)
        if let parameter {
            bytes.append(UInt8(ascii: " "))
            for byte in parameter.utf8 {
                switch byte {
                case UInt8(ascii: "%"), 0x00...0x1F, 0x7F:
                    bytes.append(UInt8(ascii: "%"))
                    bytes += [digit(byte >> 4), digit(byte & 15)]
                default: bytes.append(byte)
                }
            }
        }
        if bytes.count > lineBytes {
            // No sequence is cut in two: neither a `%XX` nor a character.
            bytes.removeLast(bytes.count - lineBytes)
            if let percent = bytes.lastIndex(of: UInt8(ascii: "%")), bytes.count - percent < 3 {
                bytes.removeLast(bytes.count - percent)
            }
            while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
            if let last = bytes.last, last & 0xC0 == 0xC0 { bytes.removeLast() }
        }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Undoes the escapes of a data line, into `output` from `written` on; false where it does not fit or is malformed.
    static func decode(
        _ data: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, at written: inout Int
    ) -> Bool {
        var index = 0
        while index < data.count {
            var byte = data[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < data.count, let high = value(data[index + 1]), let low = value(data[index + 2])
                else { return false }
                byte = high << 4 | low
                index += 2
            }
            guard written < output.count else { return false }
            output[written] = byte
            written += 1
            index += 1
        }
        return true
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
