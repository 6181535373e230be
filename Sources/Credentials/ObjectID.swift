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

extension ObjectID: CustomStringConvertible {
    package var description: String {
        String(unsafeUninitializedCapacity: 36) { text in
            var position = 0
            for byte in kind.prefix.utf8 {
                text[position] = byte
                position += 1
            }
            text[position] = UInt8(ascii: "_")
            for nibble in 0..<32 {
                let word = nibble < 16 ? high : low
                let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - nibble % 16 * 4) & 15)
                text[position + 1 + nibble] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            }
            return 36
        }
    }
}
