// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import SecretMemory

/// New slots, derived on another thread, and the recovery key that was drawn among them, if one was.
struct DerivedSlots {
    let slots: [NewSlot]
    /// As it is shown, this once.
    let recoveryKey: SecretBytes?
}

extension Modules {
    func derive(_ secrets: [NewSecret], _ request: RequestContext) async throws(RefusedRequest) -> DerivedSlots {
        var shown: SecretBytes?
        var given: [VaultSecret] = []
        var entropy = surroundings.entropy
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
        let derived = try await derivations.derive(request) { [given] () -> Result<[NewSlot], VaultError> in
            var entropy = SystemEntropy()
            let cost = given.areSlow ? PassphraseCost.calibrated(measuredBy: ContinuousClock()) : .least
            do throws(VaultError) {
                var slots: [NewSlot] = []
                for secret in given {
                    slots.append(
                        try NewSlot.derive(from: secret, label: secret.kind.name, cost: cost, using: &entropy))
                }
                return .success(slots)
            } catch {
                return .failure(error)
            }
        }
        let slots = try attempting { () throws(VaultError) in try derived.get() }
        return DerivedSlots(slots: slots, recoveryKey: shown)
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

extension VaultError {
    /// What is told where a slot was named.
    var refusalOfSlot: Refusal { self == .noSuchSlot ? Refusal(.slotNotFound) : refusal }
}

extension NewSlot {
    /// Under another label than its kind, where there is one.
    func named(_ label: String?) -> NewSlot {
        var slot = self
        if let label { slot.label = label }
        return slot
    }
}

extension SlotEntry {
    init(_ slot: Slot) {
        self.init(
            slot: Int(slot.id), kind: slot.kind.name, label: slot.label ?? "", created: slot.created?.description,
            scrypt: slot.cost.map { ScryptCost(n: 1 << Int($0.logN), r: Int($0.r), p: Int($0.p)) },
            isSound: slot.isSound)
    }
}

extension Slot.Kind {
    /// As on the wire.
    var name: String {
        switch self {
        case .passphrase: "passphrase"
        case .key: "key"
        case .recovery: "recoveryKey"
        }
    }
}

extension SlotReport {
    /// What a slot of this kind protects from, and what not, for people.
    init(_ kind: Slot.Kind) {
        let protects =
            switch kind {
            case .passphrase:
                "Whoever has the file and not the passphrase reads nothing, as long as it is hard to guess: each guess "
                    + "costs 128 MiB of memory and some tenths of a second. Forget it, and it opens nothing any more. It "
                    + "does not protect from a program of yours that watches the keyboard."
            case .key:
                "Whoever has the vault and not the key file reads nothing. A key file on the same disk guards only "
                    + "against other users, not against a thief of the disk."
            case .recovery:
                "It opens the vault when the passphrase is forgotten, and cannot be guessed. Whoever finds it and has "
                    + "the file reads everything: write it down on paper, and keep it away from this computer. It is "
                    + "shown this once."
            }
        self.init(kind: kind.name, protects: protects)
    }
}
