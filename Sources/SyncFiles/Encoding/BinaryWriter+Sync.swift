// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory
internal import SyncMerge
internal import VaultFormat

/// Values of sync files that records of the vault do not have.
extension BinaryWriter {
    /// What `write` writes, where nothing of it is secret.
    static func bytes(_ write: (inout BinaryWriter) -> Void) -> [UInt8] {
        encode(write).withUnsafeBytes { Array($0) }
    }

    /// Seven bits a byte, the lowest first; all but the last byte have the highest bit.
    mutating func put(compact number: UInt64) {
        var rest = number
        while rest > 0x7F {
            put(UInt8(truncatingIfNeeded: rest & 0x7F) | 0x80)
            rest >>= 7
        }
        put(UInt8(truncatingIfNeeded: rest))
    }

    /// The length, then the bytes.
    mutating func put(counted text: String) {
        put(compact: UInt64(text.utf8.count))
        append(contentsOf: text)
    }

    /// The length, then the bytes.
    mutating func put(counted secret: SyncSecret) {
        put(compact: UInt64(secret.bytes.count))
        put(whole: secret)
    }

    /// The bytes alone.
    mutating func put(whole secret: SyncSecret) { secret.bytes.withUnsafeBytes { append($0) } }

    /// The bytes alone.
    mutating func put(whole bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }
}
