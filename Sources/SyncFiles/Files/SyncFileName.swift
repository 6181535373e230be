// SPDX-License-Identifier: Apache-2.0

/// `NNNNNNNN-HASH.snap` or `.delta`: the last sequence, and the first 16 hexadecimal digits of the file's SHA-256. The name is a
/// hint: what the file contains is stated, and signed, in it.
package struct SyncFileName: Hashable, Sendable {
    package let sequence: UInt64
    package let isSnapshot: Bool
    /// The first eight bytes of the hash.
    package let hash: UInt64

    package init(of bytes: [UInt8], sequence: UInt64, isSnapshot: Bool) {
        self.sequence = sequence
        self.isSnapshot = isSnapshot
        hash = Self.hash(of: bytes)
    }

    /// Of a file that is known.
    package init(sequence: UInt64, isSnapshot: Bool, hash: UInt64) {
        self.sequence = sequence
        self.isSnapshot = isSnapshot
        self.hash = hash
    }

    static func hash(of bytes: [UInt8]) -> UInt64 {
        SyncHash.digest(bytes).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Nil for any other name: such a file is not opened. The copies that Syncthing makes of a file that it found changed
    /// (`NAME.sync-conflict-DATE-TIME-ID.EXT`) are read as the file.
    package init?(_ text: String) {
        var name = Substring(text)
        if let conflict = name.firstRange(of: ".sync-conflict-"), let dot = name.lastIndex(of: ".") {
            guard name[conflict.upperBound..<dot].utf8.allSatisfy(Self.isInConflictName) else { return nil }
            name = name[..<conflict.lowerBound] + name[dot...]
        }
        let bytes = Array(name.utf8)
        guard bytes.count > 25, bytes[8] == UInt8(ascii: "-"), let sequence = Self.number(bytes[..<8], base: 10),
            let hash = Self.number(bytes[9..<25], base: 16), SyncFileLimits.sequences.contains(sequence)
        else { return nil }
        switch String(decoding: bytes[25...], as: UTF8.self) {
        case ".snap": isSnapshot = true
        case ".delta": isSnapshot = false
        default: return nil
        }
        self.sequence = sequence
        self.hash = hash
    }

    /// Lower-case digits only.
    private static func number(_ digits: ArraySlice<UInt8>, base: UInt64) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            let value: UInt64
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
            guard value < base else { return nil }
            number = number &* base &+ value
        }
        return number
    }

    private static func isInConflictName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"): true
        default: false
        }
    }
}

extension SyncFileName: CustomStringConvertible {
    package var description: String {
        let digits = String(sequence), hex = String(hash, radix: 16)
        let zeros = { (count: Int) in String(repeating: "0", count: max(count, 0)) }
        return zeros(8 - digits.utf8.count) + digits + "-" + zeros(16 - hex.utf8.count) + hex
            + (isSnapshot ? ".snap" : ".delta")
    }
}
