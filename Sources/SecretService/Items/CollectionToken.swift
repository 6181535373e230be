// SPDX-License-Identifier: Apache-2.0

/// The last component of a collection's path, made of its label: bytes that a path may not contain are written as `_`
/// and two hexadecimal digits, as gnome-keyring writes them, so that programs that store a path find the collection
/// again.
package enum CollectionToken {
    /// The collection that is in memory alone.
    package static let session = "session"
    private static let longest = 128

    /// - Parameter used: tokens that are in use.
    package static func of(_ label: String, butNot used: Set<String>) -> String {
        var token = ""
        for byte in label.utf8.prefix(longest / 3) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                token.unicodeScalars.append(Unicode.Scalar(byte))
            // gnome-keyring replaces these characters by an underscore first.
            case _ where ":/\\<>|\t\n\r\u{B} ".utf8.contains(byte): token += escaped(UInt8(ascii: "_"))
            default: token += escaped(byte)
            }
        }
        if token.isEmpty { token = "collection" }
        guard used.contains(token) else { return token }
        var number = 1
        while used.contains("\(token)\(number)") { number += 1 }
        return "\(token)\(number)"
    }

    private static func escaped(_ byte: UInt8) -> String {
        (byte < 16 ? "_0" : "_") + String(byte, radix: 16)
    }

    /// Whether a text can be the last component of a path.
    package static func isValid(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= BridgeLimits.nameBytes
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
