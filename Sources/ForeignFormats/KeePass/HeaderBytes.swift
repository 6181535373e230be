// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// The values of headers: numbers are little-endian.
enum HeaderBytes {
    /// Of what is no secret.
    static func array(_ value: SecretBytes) -> [UInt8] { value.withUnsafeBytes { Array($0) } }

    static func value(_ bytes: [UInt8]) -> SecretBytes { SecretBytes(copying: bytes, count: bytes.count) }

    /// At most eight bytes.
    static func number(_ value: SecretBytes) -> UInt64 {
        value.withUnsafeBytes { $0.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    }

    static func value(_ number: some FixedWidthInteger) -> SecretBytes {
        SecretBytes(count: number.bitWidth / 8) { $0.storeBytes(of: number.littleEndian, as: type(of: number)) }
    }
}
