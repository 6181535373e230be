// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// A dictionary in a header: names, and values as bytes.
struct KeePassVariants {
    private(set) var values: [String: SecretBytes] = [:]

    init(_ bytes: UnsafeRawBufferPointer) throws(ConversionError) {
        var reader = ByteReader(bytes)
        guard try reader.number(UInt16.self) >> 8 == 1 else { throw ConversionError(.unsupportedVersion) }
        while try reader.number(UInt8.self) != 0 {
            let name = String(decoding: try reader.bytes(Int(try reader.number(UInt32.self))), as: UTF8.self)
            values[name] = SecretBytes(copying: try reader.bytes(Int(try reader.number(UInt32.self))))
        }
    }

    func bytes(_ name: String) throws(ConversionError) -> SecretBytes {
        guard let value = values[name] else { throw ConversionError(.damaged) }
        return value
    }

    func number(_ name: String) throws(ConversionError) -> UInt64 { HeaderBytes.number(try bytes(name)) }
}

/// Reads little-endian numbers and runs of bytes.
struct ByteReader {
    let bytes: UnsafeRawBufferPointer
    private(set) var index = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) throws(ConversionError) -> Number {
        let size = MemoryLayout<Number>.size
        guard bytes.count - index >= size else { throw ConversionError(.truncated) }
        defer { index += size }
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: Number.self))
    }

    mutating func bytes(_ count: Int) throws(ConversionError) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= bytes.count - index else { throw ConversionError(.truncated) }
        defer { index += count }
        return UnsafeRawBufferPointer(rebasing: bytes[index..<index + count])
    }
}
