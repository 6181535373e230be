// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// A private key as PEM, and as base64url without padding.
enum PEMText {
    /// The base64 between the first and the last line, as base64url.
    static func content(_ pem: SecretBytes) -> SecretBytes {
        pem.withUnsafeBytes { bytes in
            var result = SecretBuffer(capacity: bytes.count)
            for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) where line.first != UInt8(ascii: "-")
            {
                for byte in line where byte != UInt8(ascii: "=") && byte != 0x20 {
                    result.append(upTo: 1) { space in
                        space[0] = byte == UInt8(ascii: "+") ? 0x2D : byte == UInt8(ascii: "/") ? 0x5F : byte
                        return 1
                    }
                }
            }
            return result.secret
        }
    }

    static func pem(_ content: SecretBytes) -> SecretBytes {
        var result = SecretBuffer(capacity: content.count * 2 + 64)
        result.append("-----BEGIN PRIVATE KEY-----\n")
        content.withUnsafeBytes { bytes in
            for (index, byte) in bytes.enumerated() {
                if index > 0, index.isMultiple(of: 64) { result.append("\n") }
                result.append(upTo: 1) { space in
                    space[0] = byte == 0x2D ? UInt8(ascii: "+") : byte == 0x5F ? UInt8(ascii: "/") : byte
                    return 1
                }
            }
        }
        result.append(String(repeating: "=", count: (4 - content.count % 4) % 4))
        result.append("\n-----END PRIVATE KEY-----\n")
        return result.secret
    }
}
