// SPDX-License-Identifier: Apache-2.0
internal import CForeignLibraries
internal import SecretMemory

/// A cipher with its key and its position.
final class Cipher {
    enum Kind {
        case aes, aes128, tripleDES, twofish, chaCha20, salsa20

        fileprivate var number: af_cipher {
            switch self {
            case .aes: AF_AES_CBC
            case .aes128: AF_AES_128_CBC
            case .tripleDES: AF_3DES_CBC
            case .twofish: AF_TWOFISH_CBC
            case .chaCha20: AF_CHACHA20
            case .salsa20: AF_SALSA20
            }
        }

        /// Whether a message is padded to whole blocks, with the number of added bytes in each of them.
        fileprivate var isPadded: Bool { self != .chaCha20 && self != .salsa20 }

        fileprivate var blockBytes: Int { self == .tripleDES ? 8 : 16 }

        fileprivate var keyBytes: Int { self == .aes128 ? 16 : self == .tripleDES ? 24 : 32 }
    }

    private let kind: Kind
    private let state: OpaquePointer

    init(_ kind: Kind, key: SecretBytes, nonce: SecretBytes) throws(ConversionError) {
        let opened: OpaquePointer? = key.withUnsafeBytes { key in
            nonce.withUnsafeBytes { nonce in
                key.count == kind.keyBytes
                    ? af_cipher_open(kind.number, key.baseAddress, key.count, nonce.baseAddress, nonce.count) : nil
            }
        }
        guard let opened else { throw ConversionError(.unsupportedCipher) }
        self.kind = kind
        state = opened
    }

    deinit { af_cipher_close(state) }

    /// Of a whole message. nil: its padding is wrong.
    func decrypt(_ message: UnsafeRawBufferPointer) throws(ConversionError) -> SecretBytes? {
        guard !kind.isPadded || (message.count > 0 && message.count.isMultiple(of: kind.blockBytes)) else { return nil }
        let plain = try SecretBytes(count: message.count) { memory throws(ConversionError) in
            memory.copyMemory(from: message)
            guard af_cipher_decrypt(state, memory.baseAddress, memory.count) else { throw ConversionError(.damaged) }
        }
        guard kind.isPadded else { return plain }
        return plain.withUnsafeBytes { bytes in
            let padding = Int(bytes[bytes.count - 1])
            guard (1...kind.blockBytes).contains(padding), bytes.suffix(padding).allSatisfy({ $0 == UInt8(padding) })
            else {
                return nil
            }
            return SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes.dropLast(padding)))
        }
    }

    /// A whole message.
    func encrypt(_ message: UnsafeRawBufferPointer) throws(ConversionError) -> SecretBytes {
        let padding = kind.isPadded ? kind.blockBytes - message.count % kind.blockBytes : 0
        return try SecretBytes(count: message.count + padding) { memory throws(ConversionError) in
            UnsafeMutableRawBufferPointer(rebasing: memory[..<message.count]).copyMemory(from: message)
            for index in message.count..<memory.count { memory[index] = UInt8(padding) }
            guard af_cipher_encrypt(state, memory.baseAddress, memory.count) else { throw ConversionError(.damaged) }
        }
    }
}
