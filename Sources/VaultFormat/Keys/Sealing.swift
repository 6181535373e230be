// SPDX-License-Identifier: Apache-2.0
internal import CSealing
package import Credentials
package import SecretMemory

/// ChaCha20-Poly1305 (RFC 8439). What is sealed is written `nonce (12) ‖ cipher text ‖ tag (16)`; nonces are random, so one
/// vault key seals at most 2^32 times before `rekey` (a collision is then less likely than 2^-32).
package enum Sealing {
    static let nonceLength = 12
    static let tagLength = 16
    package static let overhead = nonceLength + tagLength

    /// Seals with associated data, under a nonce of 96 random bits: all of one word and the upper half of the next,
    /// big-endian.
    package static func seal(
        _ plain: UnsafeRawBufferPointer, key: SecretBytes, associated: [UInt8],
        using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) -> [UInt8] {
        var isSealed = false
        let sealed = [UInt8](unsafeUninitializedCapacity: plain.count + overhead) { buffer, count in
            putNonce(into: UnsafeMutableRawBufferPointer(buffer), using: &entropy)
            key.withUnsafeBytes { key in
                isSealed = af_seal(
                    key.bytes, plain.baseAddress, plain.count, associated, associated.count, buffer.baseAddress)
            }
            count = isSealed ? plain.count + overhead : 0
        }
        guard isSealed else { throw .failed(code: 0) }
        return sealed
    }

    /// Seals what lies in `memory` between the places of the nonce and of the tag. BoringSSL allows one place for plain and cipher
    /// text. Only for what no locked memory is promised for: never for records.
    ///
    /// - Returns: whether it is sealed.
    static func seal(
        within memory: UnsafeMutableRawBufferPointer, key: SecretBytes, associated: UnsafeRawBufferPointer,
        using entropy: inout any RandomNumberGenerator
    ) -> Bool {
        putNonce(into: memory, using: &entropy)
        let sealed = memory.assumingMemoryBound(to: UInt8.self).baseAddress
        return key.withUnsafeBytes { key in
            af_seal(
                key.bytes, sealed?.advanced(by: nonceLength), memory.count - overhead, associated.baseAddress,
                associated.count, sealed)
        }
    }

    private static func putNonce(
        into memory: UnsafeMutableRawBufferPointer, using entropy: inout any RandomNumberGenerator
    ) {
        let high = entropy.next() as UInt64
        let low = UInt32(truncatingIfNeeded: (entropy.next() as UInt64) >> 32)
        memory.storeBytes(of: high.bigEndian, as: UInt64.self)
        memory.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt32.self)
    }

    /// Calls `body` with the plain text, in locked memory that is erased afterwards. nil where the bytes or the associated
    /// data are not what was sealed. Inlined: else each result is copied.
    @inlinable package static func open<Result>(
        _ sealed: UnsafeRawBufferPointer, key: SecretBytes, associated: [UInt8],
        _ body: (UnsafeRawBufferPointer) throws(VaultError) -> Result
    ) throws(VaultError) -> Result? {
        guard sealed.count >= overhead else { return nil }
        return try SecretBytes.withTemporary(count: sealed.count - overhead) { plain throws(VaultError) -> Result? in
            guard open(sealed, key: key, associated: associated, into: plain) else { return nil }
            return try body(UnsafeRawBufferPointer(plain))
        }
    }

    /// Whether it is what was sealed; `plain` is as long as the plain text.
    @usableFromInline static func open(
        _ sealed: UnsafeRawBufferPointer, key: SecretBytes, associated: [UInt8],
        into plain: UnsafeMutableRawBufferPointer
    ) -> Bool {
        key.withUnsafeBytes { key in
            af_open_sealed(
                key.bytes, sealed.bytes, sealed.count, associated, associated.count,
                plain.assumingMemoryBound(to: UInt8.self).baseAddress)
        }
    }

    /// The same for bytes in an array.
    package static func open<Result>(
        _ sealed: [UInt8], key: SecretBytes, associated: [UInt8],
        _ body: (UnsafeRawBufferPointer) throws(VaultError) -> Result
    ) throws(VaultError) -> Result? {
        try sealed.withUnsafeBytes { bytes in
            Swift.Result { () throws(VaultError) in try open(bytes, key: key, associated: associated, body) }
        }.get()
    }

    /// The tag of something sealed: its last 16 bytes.
    package static func tag(of sealed: UnsafeRawBufferPointer) -> SealTag {
        SealTag(UnsafeRawBufferPointer(rebasing: sealed.suffix(tagLength)))
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var bytes: UnsafePointer<UInt8>? { assumingMemoryBound(to: UInt8.self).baseAddress }
}

/// The 16 bytes of a Poly1305 tag; zero means "nothing here".
package struct SealTag: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    static let none = SealTag(high: 0, low: 0)

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// From 16 bytes, big-endian; `none` for any other length.
    package init(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else {
            self = .none
            return
        }
        high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
}
