// SPDX-License-Identifier: Apache-2.0

/// Reads the values of DER (X.690) one after the other, each of the kind that is expected.
struct DERReader {
    enum Tag: UInt8 {
        case integer = 0x02, octets = 0x04, object = 0x06, sequence = 0x30
    }

    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

    /// The content of the next value.
    mutating func value(_ tag: Tag) throws(ConversionError) -> UnsafeRawBufferPointer {
        guard try byte() == tag.rawValue else { throw ConversionError(.damaged) }
        var count = Int(try byte())
        if count >= 0x80 {
            let size = count - 0x80
            guard (1...4).contains(size) else { throw ConversionError(.damaged) }
            count = 0
            for _ in 0..<size { count = count << 8 | Int(try byte()) }
        }
        guard count <= rest.count else { throw ConversionError(.damaged) }
        defer { rest = rest.dropFirst(count) }
        return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
    }

    mutating func sequence() throws(ConversionError) -> DERReader { DERReader(try value(.sequence)) }

    /// The encoded form of an object identifier.
    mutating func object() throws(ConversionError) -> [UInt8] { Array(try value(.object)) }

    mutating func number() throws(ConversionError) -> UInt64 {
        let bytes = try value(.integer)
        guard bytes.count <= 8, bytes.first ?? 0 < 0x80 else { throw ConversionError(.damaged) }
        return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func byte() throws(ConversionError) -> UInt8 {
        guard let byte = rest.popFirst() else { throw ConversionError(.damaged) }
        return byte
    }
}
