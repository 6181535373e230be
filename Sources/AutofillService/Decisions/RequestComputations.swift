// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import CredentialStorage
internal import Credentials
internal import Reasons
package import SecretMemory

/// What is computed for requests on other threads.
final class RequestComputations {
    private let generators: PasswordGenerators
    private let derivations: KeyDerivations
    private let vault: VaultKeeper

    init(_ generators: PasswordGenerators, _ derivations: KeyDerivations, _ vault: VaultKeeper) {
        self.generators = generators
        self.derivations = derivations
        self.vault = vault
    }

    func makeGenerator(
        _ key: PasswordGenerators.Key, for request: RequestContext, within limit: Duration
    ) async throws(RefusedRequest) {
        try await generators.make(key, for: request.session.quotaKey, within: limit)
    }

    /// A hash that a password can be checked against.
    func hash(_ password: SecretBytes, _ request: RequestContext) async throws(RefusedRequest) -> PasswordHash {
        try await derivations.deriveVerifier(request) {
            Result { () throws(VaultError) -> PasswordHash in
                var entropy = SystemEntropy()
                return try PasswordHash.make(of: password, using: &entropy)
            }
        }.refused()
    }

    /// Whether a hash is this password's, and then a hash by the cost of today where it is weaker.
    func check(
        _ password: SecretBytes, against stored: SecretBytes, _ request: RequestContext
    ) async throws(RefusedRequest) -> PasswordCheck {
        guard let hash = PasswordHash(phc: stored) else { throw RefusedRequest(.recordDamaged) }
        return try await derivations.deriveVerifier(request) {
            Result { () throws(VaultError) -> PasswordCheck in
                var entropy = SystemEntropy()
                let isMatch = try hash.matches(password)
                let stronger = isMatch && hash.isWeak ? try PasswordHash.make(of: password, using: &entropy) : nil
                return PasswordCheck(hash: stored, isMatch: isMatch, stronger: stronger)
            }
        }.refused()
    }

    func deriveSlots(from secrets: [NewSecret], _ request: RequestContext) async throws(RefusedRequest) -> DerivedSlots
    {
        let holds = vault.lockState.holds
        var shown: SecretBytes?
        var given: [VaultSecret] = []
        var entropy = vault.environment.entropy
        for secret in secrets {
            switch secret {
            case .passphrase(let passphrase):
                guard passphrase.count >= Limits.passphraseMinimumBytes else {
                    throw RefusedRequest(.passphraseTooShort, [.limit: "\(Limits.passphraseMinimumBytes)"])
                }
                given.append(.passphrase(passphrase))
            case .key(let key): given.append(.key(key))
            case .recoveryKey:
                let key = RecoveryKey.random(using: &entropy)
                shown = key.grouped
                given.append(.recovery(key))
            }
        }
        let slots = try await derivations.derive(request) { [given] in
            Result { () throws(VaultError) -> [NewSlot] in
                var entropy = SystemEntropy()
                let cost = given.areSlow ? PassphraseCost.calibrated(measuredBy: ContinuousClock()) : .least
                return try given.map { secret throws(VaultError) in
                    try NewSlot.derive(from: secret, label: secret.kind.name, cost: cost, using: &entropy)
                }
            }
        }.refused()
        return DerivedSlots(slots: slots, recoveryKey: shown, holds: holds)
    }
}

/// New slots, and the recovery key that was drawn among them, if one was.
package struct DerivedSlots: Sendable {
    package let slots: [NewSlot]
    /// As it is shown, this once.
    package let recoveryKey: SecretBytes?
    /// What held the vault locked when the secrets were given.
    let holds: Set<ServiceEvent.LockCause>
}

extension Result where Failure == VaultError {
    fileprivate func refused() throws(RefusedRequest) -> Success {
        do throws(VaultError) { return try get() } catch { throw RefusedRequest([error.refusal]) }
    }
}

extension [VaultSecret] {
    /// Whether a passphrase is among them.
    fileprivate var areSlow: Bool {
        contains { secret in
            if case .passphrase = secret { true } else { false }
        }
    }
}

extension Slot.Kind {
    /// The value on the wire.
    package var name: String {
        switch self {
        case .passphrase: "passphrase"
        case .key: "key"
        case .recovery: "recoveryKey"
        }
    }
}
