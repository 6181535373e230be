// SPDX-License-Identifier: Apache-2.0
internal import Crypto
package import SecretMemory

/// The vault key and the sub-keys drawn from it: HKDF-SHA256 (RFC 5869) with the vault key as input key material, no salt,
/// and the purpose as info. They stay in locked memory; swift-crypto gets a copy for one call, which it zeroes.
package struct VaultKeys: Sendable {
    /// 32 random bytes, wrapped once a slot.
    package let vaultKey: SecretBytes
    package let format: FormatVersion
    package let records: SecretBytes
    package let index: KeyedHash
    package let manifest: SecretBytes
    package let releases: SecretBytes
    package let slotNotes: SecretBytes
    /// The same in each format.
    package let marks: SecretBytes

    package init(vaultKey: SecretBytes, format: FormatVersion = .present) {
        func subkey(_ purpose: String) -> SecretBytes {
            Self.derive("autofilld vault \(format.rawValue) \(purpose)", from: vaultKey)
        }
        self.vaultKey = vaultKey
        self.format = format
        records = subkey("records")
        index = KeyedHash(key: subkey("index"), format: format)
        manifest = subkey("manifest")
        releases = subkey("releases")
        slotNotes = subkey("slot notes")
        marks = Self.derive("autofilld vault marks", from: vaultKey)
    }

    /// A key of 32 bytes for one purpose.
    package static func derive(_ info: String, from key: SecretBytes, salt: [UInt8] = []) -> SecretBytes {
        // A copy in swift-crypto's form, for this call.
        let material = key.withUnsafeBytes { SymmetricKey(data: $0) }
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material, salt: salt, info: Array(info.utf8), outputByteCount: 32)
        return derived.withUnsafeBytes { SecretBytes(copying: $0) }
    }
}
