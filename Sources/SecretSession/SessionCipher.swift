// SPDX-License-Identifier: Apache-2.0
internal import CSecretSession
package import SecretMemory

/// How secrets are encoded on the bus in one session.
package enum SessionCipher: Sendable {
    /// Not encrypted.
    case plain
    /// By AES-128 in CBC mode with PKCS #7 padding, under a key that both sides agreed on.
    case aes(key: SecretBytes)

    /// The bytes of a block; sealed values are padded to whole blocks.
    package static let block = Int(SESSION_BLOCK)
    package static let plainName = "plain"
    package static let aesName = "dh-ietf1024-sha256-aes128-cbc-pkcs7"

    /// A secret as it is encoded on the bus.
    package struct Sealed {
        /// The initialization vector; empty in a plain session.
        package let parameters: [UInt8]
        package let value: SecretBytes
    }

    /// nil if memory is exhausted.
    package func sealed(_ secret: SecretBytes) -> Sealed? {
        guard case .aes(let key) = self else { return Sealed(parameters: [], value: secret) }
        var entropy = SystemEntropy()
        let vector = (0..<Int(SESSION_BLOCK)).map { _ in UInt8.random(in: 0...255, using: &entropy) }
        var written = -1
        let value = SecretBytes(count: secret.count + Int(SESSION_BLOCK)) { out in
            secret.withUnsafeBytes { plain in
                key.withUnsafeBytes { key in
                    written = af_session_seal(key.bound, vector, plain.bound, plain.count, out.bound)
                }
            }
        }
        guard written >= 0 else { return nil }
        return Sealed(parameters: vector, value: value.first(written))
    }

    /// The opened secret; nil if it is not a valid sealed value.
    package func opened(parameters: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> SecretBytes? {
        guard case .aes(let key) = self else { return parameters.isEmpty ? SecretBytes(copying: value) : nil }
        guard parameters.count == Int(SESSION_BLOCK), !value.isEmpty else { return nil }
        var written = -1
        let plain = SecretBytes(count: value.count + Int(SESSION_BLOCK)) { out in
            key.withUnsafeBytes { key in
                written = af_session_open(key.bound, parameters.bound, value.bound, value.count, out.bound)
            }
        }
        return written >= 0 ? plain.first(written) : nil
    }
}

/// This side of the key agreement of a session.
package struct KeyAgreement {
    private let secret: SecretBytes

    package init() {
        var entropy = SystemEntropy()
        secret = SecretBytes(count: Int(SESSION_SECRET)) { bytes in
            for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &entropy) }
        }
    }

    /// 128 bytes, the most significant first; nil if memory is exhausted.
    package var publicKey: [UInt8]? {
        var key = [UInt8](repeating: 0, count: Int(SESSION_PUBLIC))
        let isDone = secret.withUnsafeBytes { af_session_public($0.bound, &key) }
        return isDone ? key : nil
    }

    /// The cipher with the shared key; nil if the other side's key is no public key.
    package func cipher(with other: UnsafeRawBufferPointer) -> SessionCipher? {
        guard !other.isEmpty else { return nil }
        var isDone = false
        let key = SecretBytes(count: Int(SESSION_KEY)) { key in
            secret.withUnsafeBytes { isDone = af_session_key($0.bound, other.bound, other.count, key.bound) }
        }
        return isDone ? .aes(key: key) : nil
    }
}

extension SecretBytes {
    fileprivate func first(_ length: Int) -> SecretBytes {
        withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<length])) }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var bound: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate var bound: UnsafeMutablePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
