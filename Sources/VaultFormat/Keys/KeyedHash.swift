// SPDX-License-Identifier: Apache-2.0
internal import CSealing
package import SecretMemory

/// HMAC-SHA256 (RFC 2104) for many short messages under one key: the two padded keys are kept in locked memory, which
/// saves their set-up for each message.
package struct KeyedHash: Sendable {
    private static let blockLength = 64
    private let inner: SecretBytes
    private let outer: SecretBytes
    /// Which values a record's blind index is made of.
    package let format: FormatVersion

    /// A key of 64 bytes at most.
    package init(key: SecretBytes, format: FormatVersion = .present) {
        self.format = format
        inner = Self.padded(key, with: 0x36)
        outer = Self.padded(key, with: 0x5C)
    }

    private static func padded(_ key: SecretBytes, with pad: UInt8) -> SecretBytes {
        SecretBytes(count: blockLength) { memory in
            for index in memory.indices { memory[index] = pad }
            key.withUnsafeBytes { bytes in
                for index in bytes.indices.prefix(blockLength) { memory[index] ^= bytes[index] }
            }
        }
    }

    /// The first 16 bytes of the code.
    package func code(for message: [UInt8]) -> SealTag {
        withUnsafeTemporaryAllocation(byteCount: Self.blockLength + max(message.count, 32), alignment: 8) { block in
            defer { SecretBytes.wipe(block) }
            let rest = UnsafeMutableRawBufferPointer(rebasing: block[Self.blockLength...])
            rest.copyBytes(from: message)
            // The hash is written when all of the message has been read.
            hash(under: inner, block, count: message.count, to: rest)
            hash(under: outer, block, count: 32, to: rest)
            return SealTag(UnsafeRawBufferPointer(rebasing: rest[..<16]))
        }
    }

    /// Hashes a padded key and the `count` bytes after it in `block`.
    private func hash(
        under key: SecretBytes, _ block: UnsafeMutableRawBufferPointer, count: Int,
        to target: UnsafeMutableRawBufferPointer
    ) {
        key.withUnsafeBytes { block.copyMemory(from: $0) }
        af_sha256(block.baseAddress, Self.blockLength + count, target.assumingMemoryBound(to: UInt8.self).baseAddress)
    }
}
