// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// The outer header of a KDBX file, of version 3.1 or 4.
struct KeePassHeader {
    static let signature: [UInt8] = [0x03, 0xD9, 0xA2, 0x9A, 0x67, 0xFB, 0x4B, 0xB5]

    static let aes: [UInt8] = [
        0x31, 0xC1, 0xF2, 0xE6, 0xBF, 0x71, 0x43, 0x50, 0xBE, 0x58, 0x05, 0x21, 0x6A, 0xFC, 0x5A, 0xFF,
    ]
    static let twofish: [UInt8] = [
        0xAD, 0x68, 0xF2, 0x9F, 0x57, 0x6F, 0x4B, 0xB9, 0xA3, 0x6A, 0xD4, 0x7A, 0xF9, 0x65, 0x34, 0x6C,
    ]
    static let chaCha20: [UInt8] = [
        0xD6, 0x03, 0x8A, 0x2B, 0x8B, 0x6F, 0x4C, 0xB5, 0xA5, 0x24, 0x33, 0x9A, 0x31, 0xDB, 0xB5, 0x9A,
    ]
    static let aesRounds: [UInt8] = [
        0xC9, 0xD9, 0xF3, 0x9A, 0x62, 0x8A, 0x44, 0x60, 0xBF, 0x74, 0x0D, 0x08, 0xC1, 0x8A, 0x4F, 0xEA,
    ]
    static let aesRoundsOf4: [UInt8] = [
        0x7C, 0x02, 0xBB, 0x82, 0x79, 0xA7, 0x4A, 0xC0, 0x92, 0x7D, 0x11, 0x4A, 0x00, 0x64, 0x82, 0x38,
    ]
    static let argon2d: [UInt8] = [
        0xEF, 0x63, 0x6D, 0xDF, 0x8C, 0x29, 0x44, 0x4B, 0x91, 0xF7, 0xA9, 0xA4, 0x03, 0xE3, 0x0A, 0x0C,
    ]
    static let argon2id: [UInt8] = [
        0x9E, 0x29, 0x8B, 0x19, 0x56, 0xDB, 0x47, 0x73, 0xB2, 0x3D, 0xFC, 0x3E, 0xC6, 0xF0, 0xA1, 0xE6,
    ]

    let isVersion4: Bool
    let cipher: Cipher.Kind
    let isCompressed: Bool
    let seed: SecretBytes
    let nonce: SecretBytes
    let derivation: KeyDerivation
    /// Of version 3.1: the key of the inner stream, its number, and the first bytes of the content.
    let stream: SecretBytes?
    let streamNumber: UInt32
    let startBytes: SecretBytes?
    /// Where the header ends.
    let count: Int

    init(_ file: UnsafeRawBufferPointer) throws(ConversionError) {
        var reader = ByteReader(file)
        _ = try reader.bytes(8)
        let version = try reader.number(UInt32.self)
        guard version >> 16 == 4 || version >> 16 == 3 else { throw ConversionError(.unsupportedVersion) }
        let isVersion4 = version >> 16 == 4
        var fields: [UInt8: SecretBytes] = [:]
        while true {
            let number = try reader.number(UInt8.self)
            let count = isVersion4 ? Int(try reader.number(UInt32.self)) : Int(try reader.number(UInt16.self))
            let value = try reader.bytes(count)
            if number == 0 { break }
            fields[number] = SecretBytes(copying: value)
        }
        count = reader.index
        self.isVersion4 = isVersion4
        func field(_ number: UInt8, _ size: Int? = nil) throws(ConversionError) -> SecretBytes {
            guard let field = fields[number], size == nil || field.count == size else {
                throw ConversionError(.damaged)
            }
            return field
        }
        switch try HeaderBytes.array(field(2, 16)) {
        case Self.aes: cipher = .aes
        case Self.twofish: cipher = .twofish
        case Self.chaCha20: cipher = .chaCha20
        default: throw ConversionError(.unsupportedCipher)
        }
        switch try HeaderBytes.array(field(3, 4)) {
        case [0, 0, 0, 0]: isCompressed = false
        case [1, 0, 0, 0]: isCompressed = true
        default: throw ConversionError(.unsupportedVersion)
        }
        seed = try field(4, 32)
        nonce = try field(7, cipher == .chaCha20 ? 12 : 16)
        if isVersion4 {
            derivation = try field(11).withUnsafeBytes { bytes throws(ConversionError) in
                try KeyDerivation(KeePassVariants(bytes))
            }
            (stream, streamNumber, startBytes) = (nil, 0, nil)
        } else {
            derivation = .aes(seed: try field(5, 32), rounds: try HeaderBytes.number(field(6, 8)))
            (stream, startBytes) = (try field(8), try field(9, 32))
            streamNumber = UInt32(truncatingIfNeeded: try HeaderBytes.number(field(10, 4)))
        }
        try derivation.check()
    }
}

extension KeyDerivation {
    /// The parameters of a file of version 4.
    fileprivate init(_ variants: KeePassVariants) throws(ConversionError) {
        let salt = try variants.bytes("S")
        switch try HeaderBytes.array(variants.bytes("$UUID")) {
        case KeePassHeader.aesRounds, KeePassHeader.aesRoundsOf4:
            self = .aes(seed: salt, rounds: try variants.number("R"))
        case let kind where kind == KeePassHeader.argon2d || kind == KeePassHeader.argon2id:
            // Version 1.3; no secret and no associated data.
            guard try variants.number("V") == 0x13, variants.values["K"] == nil, variants.values["A"] == nil else {
                throw ConversionError(.unsupportedDerivation)
            }
            self = .argon2(
                isID: kind == KeePassHeader.argon2id, salt: salt, passes: try variants.number("I"),
                kibibytes: try variants.number("M") / 1024, lanes: try variants.number("P"))
        default: throw ConversionError(.unsupportedDerivation)
        }
    }
}
