// SPDX-License-Identifier: Apache-2.0
internal import Crypto
package import SecretMemory

extension OneTimePassword {
    /// A code of the time, and when it is no longer the current one.
    package struct TimedCode: Sendable {
        /// Decimal digits in ASCII.
        package let code: SecretBytes
        /// Milliseconds since 1970: the first instant of the next code.
        package let validUntil: Int64
    }

    /// The code of a counter: RFC 4226, section 5.3.
    package func code(counter: UInt64) -> SecretBytes {
        let message = withUnsafeBytes(of: counter.bigEndian) { [UInt8]($0) }
        let key = secret.withUnsafeBytes { SymmetricKey(data: $0) }
        var number =
            switch algorithm {
            case .sha1: Self.truncated(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
            case .sha256: Self.truncated(HMAC<SHA256>.authenticationCode(for: message, using: key))
            case .sha512: Self.truncated(HMAC<SHA512>.authenticationCode(for: message, using: key))
            }
        return SecretBytes(count: digits) { memory in
            for index in (0..<digits).reversed() {
                memory[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
                number /= 10
            }
        }
    }

    /// The code of an instant, in milliseconds since 1970: RFC 6238, section 4.2, with T0 = 0. nil where codes go by a
    /// counter.
    package func code(atMilliseconds now: Int64) -> TimedCode? {
        guard case .time(let period) = factor else { return nil }
        let length = Int64(period) * 1000
        let step = max(now, 0) / length
        return TimedCode(code: code(counter: UInt64(step)), validUntil: (step + 1) * length)
    }

    /// Dynamic truncation: 31 bits from the offset that the last four bits name.
    private static func truncated(_ code: some Sequence<UInt8>) -> UInt32 {
        let bytes = Array(code)
        let offset = Int((bytes.last ?? 0) & 15)
        return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    }
}
