// SPDX-License-Identifier: Apache-2.0
internal import Crypto

/// SHA-256, and identifiers made of it.
enum SyncHash {
    static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA256()
        if bytes.withContiguousStorageIfAvailable({ hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }) == nil {
            hash.update(data: Array(bytes))
        }
        return Array(hash.finalize())
    }

    /// The first 16 bytes of the hash of a purpose, a zero byte, and bytes.
    static func id(_ purpose: String, _ bytes: [UInt8]) -> UInt128 {
        digest(Array(purpose.utf8) + [0] + bytes).prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
    }
}

extension UInt128 {
    /// The sixteen bytes, the most significant first.
    var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
