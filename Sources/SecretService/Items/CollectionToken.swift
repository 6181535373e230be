// SPDX-License-Identifier: Apache-2.0

/// The last part of a collection's path, made of its label: what a path may not have is written `_` and two hexadecimal digits
/// of each byte, as gnome-keyring writes it, so that programs that remember a path find it again.
package enum CollectionToken {
    /// The collection that is kept in memory alone.
    package static let session = "session"
    private static let longest = 128

    /// - Parameter taken: tokens that it must differ from.
    package static func of(_ label: String, butNot taken: Set<String>) -> String {
        var token = ""
        for byte in label.utf8.prefix(longest / 3) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                token.unicodeScalars.append(Unicode.Scalar(byte))
            // What no file name should have gnome-keyring writes as an underscore first.
            case _ where ":/\\<>|\t\n\r\u{B} ".utf8.contains(byte): token += escaped(UInt8(ascii: "_"))
            default: token += escaped(byte)
            }
        }
        if token.isEmpty { token = "collection" }
        guard taken.contains(token) else { return token }
        var number = 1
        while taken.contains("\(token)\(number)") { number += 1 }
        return "\(token)\(number)"
    }

    private static func escaped(_ byte: UInt8) -> String {
        (byte < 16 ? "_0" : "_") + String(byte, radix: 16)
    }

    /// Whether a text can be the last part of a path.
    package static func isValid(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 255
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
