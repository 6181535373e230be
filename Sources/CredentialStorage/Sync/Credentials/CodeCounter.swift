// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// The counter at the end of an `otpauth://` URI. Machines exchange the URI without it, and the counter beside it: two that count
/// at the same time have one secret.
struct CodeCounter {
    /// The URI up to and with `&counter=`; the whole URI where it has none.
    let uri: SecretBytes
    let value: UInt64?

    private static let name = Array("&counter=".utf8)

    init(splitting uri: SecretBytes) {
        let found = uri.withUnsafeBytes { bytes -> (length: Int, value: UInt64)? in
            let digits = bytes.reversed().prefix { (0x30...0x39).contains($0) }.count
            let end = bytes.count - digits
            guard (1...19).contains(digits), bytes[..<end].suffix(Self.name.count).elementsEqual(Self.name),
                digits == 1 || bytes[end] != 0x30
            else { return nil }
            return (end, bytes[end...].reduce(0) { $0 * 10 + UInt64($1 - 0x30) })
        }
        guard let found else {
            (self.uri, value) = (uri, nil)
            return
        }
        self.uri = uri.withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<found.length])) }
        value = found.value
    }

    /// The URI with its counter.
    static func joining(_ uri: SecretBytes, _ counter: UInt64) -> SecretBytes {
        uri.withUnsafeBytes { bytes in
            guard bytes.suffix(name.count).elementsEqual(name) else { return uri }
            let digits = Array(String(counter).utf8)
            return SecretBytes(count: bytes.count + digits.count) { memory in
                memory.copyMemory(from: bytes)
                UnsafeMutableRawBufferPointer(rebasing: memory[bytes.count...]).copyBytes(from: digits)
            }
        }
    }
}
