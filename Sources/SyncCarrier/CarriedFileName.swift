// SPDX-License-Identifier: Apache-2.0

/// The name of a file that is carried: `NNNNNNNN-HASH.snap`, `.delta`, `ID.invitation`, `ID.answer`, or a copy that
/// Syncthing made of one of the first two (`NAME.sync-conflict-DATE-TIME-ID.EXT`).
package struct CarriedFileName: Hashable, Sendable {
    /// The name in the spool: that of a copy is the original's.
    package let text: String
    package let isConflictCopy: Bool
    /// The first 16 hexadecimal digits of the file's SHA-256; nil where the name states none.
    let hash: String?
    let isInvitation: Bool

    /// Nil for any other name: such a file is not opened.
    package init?(_ name: String) {
        // Shorter than the shortest, or longer than a file system permits.
        guard (30...255).contains(name.utf8.count), !name.utf8.starts(with: ".".utf8) else { return nil }
        let bytes = Array(name.utf8)
        if let dot = bytes.firstIndex(of: UInt8(ascii: ".")), dot == 32, Self.isIdentifier(bytes[..<dot]) {
            guard ["invitation", "answer"].contains(String(decoding: bytes[33...], as: UTF8.self)) else { return nil }
            (text, isConflictCopy, hash) = (name, false, nil)
            isInvitation = bytes.count == 32 + 11
            return
        }
        guard bytes[8] == UInt8(ascii: "-"), bytes[..<8].allSatisfy(Self.isDigit),
            bytes[..<8].contains(where: { $0 != UInt8(ascii: "0") }), bytes[9..<25].allSatisfy(Self.isHexadecimal),
            let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot >= 25,
            ["snap", "delta"].contains(String(decoding: bytes[(dot + 1)...], as: UTF8.self))
        else { return nil }
        let addition = bytes[25..<dot]
        let mark = Array(".sync-conflict-".utf8)
        let isCopy = addition.starts(with: mark) && addition.dropFirst(mark.count).allSatisfy(Self.isInCopy)
        guard addition.isEmpty || isCopy else { return nil }
        text = String(decoding: bytes[..<25] + bytes[dot...], as: UTF8.self)
        isConflictCopy = !addition.isEmpty
        hash = String(decoding: bytes[9..<25], as: UTF8.self)
        isInvitation = false
    }

    /// The most bytes of such a file.
    var byteLimit: Int { hash == nil ? CarrierLimits.invitationBytes : CarrierLimits.fileBytes }

    /// Whether a directory's name is that of a group or a device: 32 lower-case hexadecimal digits.
    package static func isIdentifier(_ name: String) -> Bool { isIdentifier(Array(name.utf8)[...]) }

    private static func isIdentifier(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count == 32 && bytes.allSatisfy(isHexadecimal)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func isInCopy(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "-") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
