// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// The stream cipher over the protected values, in the order of the document.
struct KeePassStream {
    static let chaCha20: UInt32 = 3
    private let cipher: Cipher

    init?(number: UInt32, key: SecretBytes) throws(ConversionError) {
        switch number {
        case 0: return nil
        case 2:
            let nonce: [UInt8] = [0xE8, 0x30, 0x09, 0x4B, 0x97, 0x20, 0x5D, 0x2A]
            cipher = try Cipher(
                .salsa20, key: try Digest.sha256([key]), nonce: SecretBytes(copying: nonce, count: nonce.count))
        case Self.chaCha20:
            let hash = try Digest.sha512([key])
            cipher = try hash.withUnsafeBytes { bytes throws(ConversionError) in
                try Cipher(
                    .chaCha20, key: SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[..<32])),
                    nonce: SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[32..<44])))
            }
        default: throw ConversionError(.unsupportedCipher)
        }
    }

    /// Encrypts or decrypts the next value.
    func apply(_ value: SecretBytes) throws(ConversionError) -> SecretBytes {
        try value.withUnsafeBytes { bytes throws(ConversionError) in try cipher.encrypt(bytes) }
    }
}

/// The inner header of version 4.
struct KeePassInnerHeader {
    let stream: KeePassStream?
    /// Where it ends.
    let count: Int

    init(_ bytes: UnsafeRawBufferPointer) throws(ConversionError) {
        var reader = ByteReader(bytes)
        var (number, key): (UInt32, SecretBytes) = (0, HeaderBytes.value(UInt8(0)))
        var kind: UInt8 = 1
        while kind != 0 {
            kind = try reader.number(UInt8.self)
            let value = SecretBytes(copying: try reader.bytes(Int(try reader.number(UInt32.self))))
            switch kind {
            case 1: number = UInt32(truncatingIfNeeded: HeaderBytes.number(value))
            case 2: key = value
            default: break
            }
        }
        stream = try KeePassStream(number: number, key: key)
        count = reader.index
    }
}
