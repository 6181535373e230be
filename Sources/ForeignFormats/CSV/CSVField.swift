// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// A field of a CSV file: its position in the text. Valid as long as the text is.
struct CSVField {
    /// Without the quotation marks around it.
    let bytes: UnsafeRawBufferPointer
    /// Where it begins in the text.
    let offset: Int
    /// Each quotation mark in it is doubled.
    let hasDoubledQuotes: Bool

    var isEmpty: Bool { bytes.isEmpty }

    var secret: SecretBytes {
        guard hasDoubledQuotes else { return SecretBytes(copying: bytes) }
        return SecretBytes(count: count) { copy(to: $0) }
    }

    /// For what is no secret.
    var text: String {
        guard hasDoubledQuotes else { return String(decoding: bytes, as: UTF8.self) }
        let count = count
        return String(unsafeUninitializedCapacity: count) { memory in
            copy(to: UnsafeMutableRawBufferPointer(memory))
            return count
        }
    }

    private var count: Int { bytes.count - bytes.count { $0 == UInt8(ascii: "\"") } / 2 }

    private func copy(to memory: UnsafeMutableRawBufferPointer) {
        var (source, target) = (0, 0)
        while source < bytes.count {
            memory[target] = bytes[source]
            target += 1
            source += bytes[source] == UInt8(ascii: "\"") ? 2 : 1
        }
    }
}
