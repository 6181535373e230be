// SPDX-License-Identifier: Apache-2.0
internal import CForeignLibraries
internal import SecretMemory

/// Hashes and HMAC of several byte strings in a row.
enum Digest {
    static func sha1(_ pieces: [SecretBytes]) throws(ConversionError) -> SecretBytes {
        try withPieces(pieces, size: 20) { af_digest(160, $0, $1, $2) }
    }

    static func sha256(_ pieces: [SecretBytes]) throws(ConversionError) -> SecretBytes {
        try withPieces(pieces, size: 32) { af_digest(256, $0, $1, $2) }
    }

    static func sha384(_ pieces: [SecretBytes]) throws(ConversionError) -> SecretBytes {
        try withPieces(pieces, size: 48) { af_digest(384, $0, $1, $2) }
    }

    static func sha512(_ pieces: [SecretBytes]) throws(ConversionError) -> SecretBytes {
        try withPieces(pieces, size: 64) { af_digest(512, $0, $1, $2) }
    }

    static func hmac(key: SecretBytes, _ pieces: [SecretBytes]) throws(ConversionError) -> SecretBytes {
        try withPieces(pieces, size: 32) { list, count, digest in
            key.withUnsafeBytes { af_hmac(256, $0.baseAddress, $0.count, list, count, digest) }
        }
    }

    static func hmacSHA1(key: SecretBytes, _ pieces: [SecretBytes]) throws(ConversionError) -> SecretBytes {
        try withPieces(pieces, size: 20) { list, count, digest in
            key.withUnsafeBytes { af_hmac(160, $0.baseAddress, $0.count, list, count, digest) }
        }
    }

    /// HKDF-Expand (RFC 5869) with SHA-256, for 32 bytes.
    static func expand(_ key: SecretBytes, _ info: String) throws(ConversionError) -> SecretBytes {
        try hmac(key: key, [SecretBytes(utf8: info + "\u{1}")])
    }

    private static func withPieces(
        _ pieces: [SecretBytes], size: Int,
        _ body: (UnsafePointer<af_piece>?, Int, UnsafeMutableRawPointer?) -> Bool
    ) throws(ConversionError) -> SecretBytes {
        try SecretBytes(count: size) { memory throws(ConversionError) in
            // The references keep the memory, which does not move.
            let list = pieces.map { piece in piece.withUnsafeBytes { af_piece(bytes: $0.baseAddress, count: $0.count) }
            }
            let isDone = withExtendedLifetime(pieces) {
                list.withUnsafeBufferPointer { body($0.baseAddress, $0.count, memory.baseAddress) }
            }
            guard isDone else { throw ConversionError(.damaged) }
        }
    }
}
