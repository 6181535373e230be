// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory
internal import VaultFormat

/// A slot that is about to be added: the slow part, the key derivation, is done and needs no vault.
package struct NewSlot: Sendable {
    package let kind: Slot.Kind
    package var label: String
    package let cost: PassphraseCost?
    let salt: [UInt8]
    let wrappingKey: SecretBytes

    /// Derives the wrapping key; slow for a passphrase, hence for another thread than the event loop.
    ///
    /// A `cost` below `PassphraseCost.least` or outside of `VaultLimits.passphrasePasses` is refused, and so is a passphrase
    /// that is among the first that are tried.
    package static func derive(
        from secret: VaultSecret, label: String, cost: PassphraseCost = .least,
        using entropy: inout some RandomNumberGenerator
    ) throws(VaultError) -> NewSlot {
        try secret.checkForm()
        if case .passphrase(let passphrase) = secret, let fault = PassphraseFloor.fault(of: passphrase) {
            throw .unusableSecret(fault)
        }
        defer { StackResidue.wipe() }
        var salt: [UInt8] = []
        for _ in 0..<SlotRow.saltLength { salt.append(UInt8.random(in: .min ... .max, using: &entropy)) }
        let isPassphrase = secret.kind == .passphrase
        guard !isPassphrase || cost.logN >= PassphraseCost.least.logN else { throw .unusableSecret(.costTooLow) }
        guard !isPassphrase || cost.isAcceptable else { throw .unusableSecret(.costTooHigh) }
        return NewSlot(
            kind: secret.kind, label: label, cost: isPassphrase ? cost : nil, salt: salt,
            wrappingKey: try secret.wrappingKey(salt: salt, cost: isPassphrase ? cost : nil))
    }
}
