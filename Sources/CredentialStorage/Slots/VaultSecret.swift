// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory
internal import VaultFormat

/// What opens a slot.
package enum VaultSecret: Sendable {
    /// The bytes as typed; a passphrase is the same in every normal form of Unicode.
    case passphrase(SecretBytes)
    /// The 32 bytes of a key file.
    case key(SecretBytes)
    case recovery(RecoveryKey)

    package var kind: Slot.Kind {
        switch self {
        case .passphrase: .passphrase
        case .key: .key
        case .recovery: .recovery
        }
    }

    /// The key that wraps the vault key in a slot with this salt and cost. Slow for a passphrase.
    func wrappingKey(salt: [UInt8], cost: PassphraseCost?) throws(VaultError) -> SecretBytes {
        switch self {
        case .passphrase(let passphrase):
            guard let cost, cost.isAcceptable else { throw .unusableSecret(.costTooHigh) }
            return try cost.derive(from: passphrase.inNFC, salt: salt)
        case .key(let key): return VaultKeys.derive("autofilld vault 1 key file", from: key, salt: salt)
        case .recovery(let key): return VaultKeys.derive("autofilld vault 1 recovery key", from: key.bytes, salt: salt)
        }
    }

    /// Throws what keeps it from being a slot's secret at all.
    func checkForm() throws(VaultError) {
        switch self {
        case .passphrase(let passphrase):
            guard passphrase.count > 0 else { throw .unusableSecret(.emptyPassphrase) }
        case .key(let key): guard key.count == 32 else { throw .unusableSecret(.keyNot32Bytes) }
        case .recovery: break
        }
    }
}
