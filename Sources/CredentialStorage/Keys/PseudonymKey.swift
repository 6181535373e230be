// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory
internal import VaultFormat

/// Replaces texts that must not be disclosed by names: equal texts have equal names as long as this key lives, which is in memory
/// only. A name without the key does not allow guesses at the text.
package struct PseudonymKey: Sendable {
    private let hash: KeyedHash

    /// Draws a key of 32 bytes.
    package init(using entropy: inout some RandomNumberGenerator) {
        hash = KeyedHash(
            key: SecretBytes(count: 32) { memory in
                for index in memory.indices { memory[index] = UInt8.random(in: .min ... .max, using: &entropy) }
            })
    }

    /// 16 hexadecimal digits: 64 bits of an HMAC-SHA256.
    package func name(of text: String) -> String {
        let digits = String(hash.code(for: Array(text.utf8)).high, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
