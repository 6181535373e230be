// SPDX-License-Identifier: Apache-2.0

/// The identifier of one object: 128 random bits after a prefix that names its kind. Opaque, never reused, unchanged by
/// backup and restore. Written `crd_` and 32 lowercase hexadecimal digits.
package struct ObjectID: Hashable, Comparable, Sendable {
    /// What the object is.
    package enum Kind: UInt8, CaseIterable, Sendable {
        case credential = 1
        case offer = 2
        case item = 3
        case grant = 4
        case verifier = 5
        case setting = 6
        case release = 7
        /// What the vault stores of sync: see `StoredSyncEntry`.
        case sync = 8

        /// The three letters before the underscore.
        package var prefix: String {
            switch self {
            case .credential: "crd"
            case .offer: "off"
            case .item: "itm"
            case .grant: "grt"
            case .verifier: "vrf"
            case .setting: "set"
            case .release: "rel"
            case .sync: "syn"
            }
        }
    }

    package let kind: Kind
    /// The random bits, the most significant first.
    package let high: UInt64
    package let low: UInt64

    package init(kind: Kind, high: UInt64, low: UInt64) {
        self.kind = kind
        self.high = high
        self.low = low
    }

    /// The order of lists: by kind, then by the random bits.
    package static func < (left: ObjectID, right: ObjectID) -> Bool {
        (left.kind.rawValue, left.high, left.low) < (right.kind.rawValue, right.high, right.low)
    }

    /// A new identifier.
    package static func random(
        _ kind: Kind, using generator: inout some RandomNumberGenerator
    ) -> ObjectID {
        ObjectID(kind: kind, high: generator.next(), low: generator.next())
    }

    /// Reads what `description` writes; nil for anything else, upper case included.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 36, let kind = Kind.allCases.first(where: { text.hasPrefix($0.prefix + "_") }) else {
            return nil
        }
        var words: [UInt64] = [0, 0]
        for (index, byte) in bytes[4...].enumerated() {
            let digit: UInt64
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = UInt64(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
            words[index / 16] = words[index / 16] << 4 | digit
        }
        self.init(kind: kind, high: words[0], low: words[1])
    }
}

extension ObjectID: LosslessStringConvertible {
    package var description: String {
        String(unsafeUninitializedCapacity: 36) { text in
            for (position, byte) in kind.prefix.utf8.enumerated() { text[position] = byte }
            text[3] = UInt8(ascii: "_")
            for position in 0..<16 {
                text[4 + position] = Self.digit(position, of: high)
                text[20 + position] = Self.digit(position, of: low)
            }
            return 36
        }
    }

    /// One of the 16 digits, the most significant first.
    private static func digit(_ position: Int, of word: UInt64) -> UInt8 {
        let digit = UInt8(truncatingIfNeeded: word &>> UInt64(60 - 4 * position)) & 15
        return digit &+ (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
}
