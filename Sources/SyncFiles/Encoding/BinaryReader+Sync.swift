// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory
internal import SyncMerge
internal import VaultFormat

/// What `BinaryWriter` wrote; each value has one form, and no other is read.
extension BinaryReader {
    mutating func compact() -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte: UInt8 = integer()
            guard isIntact, shift < 63 || byte <= 1 else { return fail(0) }
            number |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return byte == 0 && shift > 0 ? fail(0) : number }
        }
        return fail(0)
    }

    /// A number of things that follow, each of which has at least `size` bytes: no space is reserved for more than there can be.
    mutating func count(ofAtLeast size: Int) -> Int {
        let number = compact()
        return number <= UInt64(remaining / size) ? Int(number) : fail(0)
    }

    /// A text after its length, which must be UTF-8.
    mutating func countedText() -> String {
        let count = count(ofAtLeast: 1)
        return text(of: take(count))
    }

    /// A secret after its length.
    mutating func countedSecret() -> SyncSecret {
        let count = count(ofAtLeast: 1)
        return secret(of: take(count))
    }

    /// All that is left, as a text.
    mutating func remainingText() -> String { text(of: take(remaining)) }

    /// All that is left, as a secret.
    mutating func remainingSecret() -> SyncSecret { secret(of: take(remaining)) }

    /// Bytes that are no secret.
    mutating func bytes(_ count: Int) -> [UInt8] { take(count).map { Array($0) } ?? [] }

    mutating func long() -> UInt128 { integer() }

    /// The number of a file in its writer's sequence.
    mutating func sequence() -> UInt64 {
        let number: UInt64 = integer()
        return SyncFileLimits.sequences.contains(number) ? number : fail(1)
    }

    private mutating func text(of bytes: UnsafeRawBufferPointer?) -> String {
        guard let bytes, let text = String(validating: bytes, as: UTF8.self) else { return fail("") }
        return text
    }

    private mutating func secret(of bytes: UnsafeRawBufferPointer?) -> SyncSecret {
        SyncSecret(bytes.map { SecretBytes(copying: $0) } ?? SecretBytes(count: 0) { _ in })
    }
}
