// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// The content of a string of the line: its UTF-8 bytes with the escapes resolved, one by one, without a copy.
///
/// The scanner has checked the bytes; an escape here is always whole and right.
struct JSONText: Sequence {
    /// Between the quotes.
    let bytes: UnsafeRawBufferPointer
    let isEscaped: Bool

    /// The number of bytes after unescaping.
    var unescapedCount: Int {
        isEscaped ? reduce(into: 0) { count, _ in count += 1 } : bytes.count
    }

    /// Writes all bytes to `target`, which has space for `unescapedCount` of them.
    func copy(to target: UnsafeMutableRawBufferPointer) {
        guard isEscaped else { return target.copyMemory(from: bytes) }
        var index = 0
        for byte in self {
            target[index] = byte
            index += 1
        }
    }

    /// Whether the content is the same, scalar for scalar.
    func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        if isEscaped { return bytes.count > other.count && elementsEqual(other) }
        guard bytes.count == other.count, let mine = bytes.baseAddress, let theirs = other.baseAddress else {
            return bytes.isEmpty && other.isEmpty
        }
        return memcmp(mine, theirs, bytes.count) == 0
    }

    /// Whether the content is the same, scalar for scalar.
    func equals(_ other: JSONText) -> Bool {
        if !other.isEscaped { return equals(other.bytes) }
        return isEscaped ? elementsEqual(other) : other.equals(bytes)
    }

    func makeIterator() -> Iterator { Iterator(bytes: bytes) }

    struct Iterator: IteratorProtocol {
        let bytes: UnsafeRawBufferPointer
        private var index = 0
        // The rest of a scalar that an escape stood for, first byte lowest.
        private var pending: UInt32 = 0
        private var pendingCount = 0

        init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

        mutating func next() -> UInt8? {
            if pendingCount > 0 { return takePending() }
            guard index < bytes.count else { return nil }
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: "\\") else { return byte }
            let escape = bytes[index]
            index += 1
            switch escape {
            case UInt8(ascii: "b"): return 0x08
            case UInt8(ascii: "f"): return 0x0C
            case UInt8(ascii: "n"): return 0x0A
            case UInt8(ascii: "r"): return 0x0D
            case UInt8(ascii: "t"): return 0x09
            case UInt8(ascii: "u"):
                encode(scalar())
                return takePending()
            default: return escape
            }
        }

        private mutating func takePending() -> UInt8 {
            let byte = UInt8(truncatingIfNeeded: pending)
            pending >>= 8
            pendingCount -= 1
            return byte
        }

        /// The scalar of one `\u` escape, or of two that are a surrogate pair.
        private mutating func scalar() -> UInt32 {
            let unit = fourDigits()
            guard unit & 0xFC00 == 0xD800 else { return unit }
            index += 2
            return 0x10000 + (unit & 0x3FF) << 10 + (fourDigits() & 0x3FF)
        }

        private mutating func fourDigits() -> UInt32 {
            var unit: UInt32 = 0
            for _ in 0..<4 {
                // '0'…'9' end in 0 to 9; letters of either case in 1 to 6, with bit 6 set.
                let digit = UInt32(bytes[index])
                unit = unit << 4 | (digit & 0xF) + (digit >> 6) * 9
                index += 1
            }
            return unit
        }

        private mutating func encode(_ scalar: UInt32) {
            switch scalar {
            case ..<0x80: (pending, pendingCount) = (scalar, 1)
            case ..<0x800: (pending, pendingCount) = (0x80C0 | scalar >> 6 | (scalar & 0x3F) << 8, 2)
            case ..<0x10000:
                pending = 0x8080E0 | scalar >> 12 | (scalar >> 6 & 0x3F) << 8 | (scalar & 0x3F) << 16
                pendingCount = 3
            default:
                pending = 0x8080_80F0 | scalar >> 18 | (scalar >> 12 & 0x3F) << 8
                pending |= (scalar >> 6 & 0x3F) << 16 | (scalar & 0x3F) << 24
                pendingCount = 4
            }
        }
    }
}
