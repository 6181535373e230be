// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// The authenticated blocks in which the content of a KDBX file is stored.
struct KeePassBlocks {
    private let key: SecretBytes
    private static let blockBytes = 1 << 20

    /// Of version 4.
    init(seed: SecretBytes, derived: SecretBytes) throws(ConversionError) {
        key = try Digest.sha512([seed, derived, HeaderBytes.value(UInt8(1))])
    }

    /// The authentication code of a block, or of the header.
    func code(of number: UInt64, _ content: SecretBytes) throws(ConversionError) -> SecretBytes {
        let own = try Digest.sha512([HeaderBytes.value(number), key])
        // That of the header is over the header alone.
        let prefix = [HeaderBytes.value(number), HeaderBytes.value(UInt32(content.count))]
        return try Digest.hmac(key: own, number == .max ? [content] : prefix + [content])
    }

    func read(_ reader: inout ByteReader) throws(ConversionError) -> SecretBytes {
        var joined = SecretBuffer(capacity: reader.bytes.count)
        for number in UInt64(0)... {
            let code = SecretBytes(copying: try reader.bytes(32))
            let block = SecretBytes(copying: try reader.bytes(Int(try reader.number(UInt32.self))))
            guard try self.code(of: number, block).equals(code) else { throw ConversionError(.damaged) }
            if block.count == 0 { break }
            joined.append(block)
        }
        return joined.secret
    }

    func write(_ content: SecretBytes, to output: ConversionOutput) throws(ConversionError) {
        try content.withUnsafeBytes { bytes throws(ConversionError) in
            var (start, number) = (0, UInt64(0))
            while true {
                let end = min(start + Self.blockBytes, bytes.count)
                let block = SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                try output.append(try code(of: number, block))
                try output.append(HeaderBytes.value(UInt32(block.count)))
                try output.append(block)
                if block.count == 0 { return }
                (start, number) = (end, number + 1)
            }
        }
    }

    /// Of version 3.1: blocks with their hashes.
    static func readHashed(_ reader: inout ByteReader) throws(ConversionError) -> SecretBytes {
        var joined = SecretBuffer(capacity: reader.bytes.count)
        for number in UInt32(0)... {
            guard try reader.number(UInt32.self) == number else { throw ConversionError(.damaged) }
            let hash = SecretBytes(copying: try reader.bytes(32))
            let count = Int(try reader.number(UInt32.self))
            if count == 0 { break }
            let block = SecretBytes(copying: try reader.bytes(count))
            guard try Digest.sha256([block]).equals(hash) else { throw ConversionError(.damaged) }
            joined.append(block)
        }
        return joined.secret
    }
}
