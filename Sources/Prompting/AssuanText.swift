// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// How Assuan writes bytes on a line (the GnuPG project's protocol, "Client requests"): `%`, CR and LF as `%XX`.
enum AssuanText {
    /// Bytes of a line at most, its end not counted.
    static let lineBytes = 1000

    /// A command with its parameter, and the end of the line; nil where that is longer than a line may be. Nothing is
    /// cut: the end may be what matters.
    static func line(_ command: String, _ parameter: String? = nil) -> [UInt8]? {
        var bytes = Array(command.utf8)
        if let parameter {
            bytes.append(UInt8(ascii: " "))
            for byte in parameter.utf8 {
                if isEscaped(byte) {
                    bytes += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
                } else {
                    bytes.append(byte)
                }
            }
        }
        guard bytes.count <= lineBytes else { return nil }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Bytes that a text uses of a line.
    static func length(of text: String) -> Int {
        var length = 0
        for byte in text.utf8 { length += isEscaped(byte) ? 3 : 1 }
        return length
    }

    private static func isEscaped(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "%") || byte < 0x20 || byte == 0x7F }

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
