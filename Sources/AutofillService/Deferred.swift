// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
package import CredentialStorage
package import SecretMemory

/// A request whose answer has to wait for a key derivation, or for long work on the vault.
package struct Deferred {
    /// The request that waits.
    package let id: RequestID
    /// The slow part; runs on another thread: one key derivation and one work on the vault at a time in the whole daemon.
    package let work: Work
    /// What follows on the broker's thread: the answer, or a further part that is slow.
    package let resume: (Derived, inout JSONWriter) -> Deferred?

    package enum Work: Sendable {
        case attempt(UnlockAttempt)
        /// New slots, in the order given: what to derive each from.
        case slots([VaultSecret])
        /// What is to be done with the vault, which was lent for it.
        case vault(VaultLoan, @Sendable (Vault, VaultProgress) throws(VaultError) -> any Sendable)
        /// What is to be looked at in the vault, which was lent frozen where that could be.
        case look(VaultLoan, @Sendable (any VaultView, VaultProgress) throws(VaultError) -> any Sendable)
        /// A hash that a password can be checked against.
        case hash(SecretBytes)
        /// Whether the hash is this password's.
        case check(SecretBytes, against: PasswordHash)

        /// Takes about half a second for each passphrase, and for work on a vault some 10 to 50 µs a record.
        package func run() -> Derived {
            switch self {
            case .attempt(let attempt): return .outcome(attempt.derive())
            case .hash(let password):
                do throws(VaultError) {
                    var generator = SystemEntropy()
                    return .hash(try PasswordHash.make(of: password, using: &generator))
                } catch {
                    return .failed(error)
                }
            case .check(let password, let hash):
                do throws(VaultError) {
                    guard try hash.matches(password) else { return .checked(isRight: false, stronger: nil) }
                    var generator = SystemEntropy()
                    let stronger = hash.isWeak ? try PasswordHash.make(of: password, using: &generator) : nil
                    return .checked(isRight: true, stronger: stronger)
                } catch {
                    return .failed(error)
                }
            case .slots(let secrets):
                do throws(VaultError) {
                    var generator = SystemEntropy()
                    let cost = secrets.areSlow ? PassphraseCost.calibrated(measuredBy: ContinuousClock()) : .least
                    var slots: [NewSlot] = []
                    for secret in secrets {
                        slots.append(
                            try NewSlot.derive(from: secret, label: secret.kindName, cost: cost, using: &generator))
                    }
                    return .slots(slots)
                } catch {
                    return .failed(error)
                }
            case .vault(let loan, let work):
                defer { StackResidue.wipe() }
                do throws(VaultError) { return .worked(try work(loan.vault, loan.progress)) } catch {
                    return .failed(error)
                }
            case .look(let loan, let look):
                defer { StackResidue.wipe() }
                let view: any VaultView = if let frozen = loan.frozen { frozen } else { loan.vault }
                do throws(VaultError) { return .worked(try look(view, loan.progress)) } catch {
                    return .failed(error)
                }
            }
        }
    }

    package enum Derived: Sendable {
        case outcome(UnlockOutcome)
        case slots([NewSlot])
        case worked(any Sendable)
        case hash(PasswordHash)
        /// With a hash by the cost of today, where the one that was checked is weaker.
        case checked(isRight: Bool, stronger: PasswordHash?)
        case failed(VaultError)
    }
}

extension VaultSecret {
    /// `passphrase`, `key` or `recoveryKey`, as on the wire.
    var kindName: String {
        switch self {
        case .passphrase: "passphrase"
        case .key: "key"
        case .recovery: "recoveryKey"
        }
    }
}

extension Deferred.Work {
    /// Whether it is about an app's verifier, and no proof of the person.
    var isVerifier: Bool {
        switch self {
        case .hash, .check: true
        default: false
        }
    }

    /// Whether the vault is lent to it: then it has a thread of its own, so that proofs go on.
    package var hasVault: Bool {
        switch self {
        case .vault, .look: true
        case .attempt, .slots, .hash, .check: false
        }
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
