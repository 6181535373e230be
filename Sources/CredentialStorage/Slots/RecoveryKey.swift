// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory
internal import VaultFormat

/// 128 random bits that are shown once, to be written down, and open a slot.
package struct RecoveryKey: Sendable {
    private let key: WrittenKey

    var bytes: SecretBytes { key.bytes }

    init(bytes: SecretBytes) { key = WrittenKey(bytes: bytes) }

    package static func random(using entropy: inout some RandomNumberGenerator) -> RecoveryKey {
        RecoveryKey(bytes: WrittenKey.random(using: &entropy).bytes)
    }

    /// Reads what the user typed. Throws `recoveryKeyMistyped`.
    package init(typed text: SecretBytes) throws(VaultError) {
        guard let key = WrittenKey(typed: text) else { throw .recoveryKeyMistyped }
        self.key = key
    }

    /// As it is shown: `XXXX-XXXX-…`, 39 characters, upper case.
    package var grouped: SecretBytes { key.grouped }
}
