// SPDX-License-Identifier: Apache-2.0

/// The kernel's bytes (a path, a unit's name) as text on one line that is unambiguous.
///
/// What is not UTF-8, controls, line breaks, bidirectional and other invisible formatting, and the backslash itself
/// become `\xNN`, byte by byte; so two different names never print the same because of them.
package enum PrintableBytes {
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) {
            return String(decoding: bytes, as: UTF8.self)
        }
        var result = ""
        var decoder = UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var consumed = bytes.startIndex
        while true {
            switch decoder.parseScalar(from: &rest) {
            case .valid(let encoded):
                let scalar = UTF8.decode(encoded)
                if isPlain(scalar) {
                    result.unicodeScalars.append(scalar)
                } else {
                    encoded.forEach { result += escape($0) }
                }
                bytes.formIndex(&consumed, offsetBy: encoded.count)
            case .error(let length):
                let end = bytes.index(consumed, offsetBy: length)
                bytes[consumed..<end].forEach { result += escape($0) }
                consumed = end
            case .emptyInput:
                return result
            }
        }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
        default: scalar != "\\"
        }
    }

    private static func escape(_ byte: UInt8) -> String {
        let digits = Array("0123456789abcdef")
        return "\\x\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }
}
