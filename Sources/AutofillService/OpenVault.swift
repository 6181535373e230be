// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
package import CredentialStorage
package import Credentials
internal import Reasons

/// The vault, or why it cannot be opened now: then it is tried again, so that the daemon recovers when the cause is gone.
package final class OpenVault {
    package let location: VaultLocation
    private let open: () throws(VaultError) -> Vault
    private var state: Result<Vault, VaultError>
    private var tried: Timestamp

    /// Throws only what keeps the daemon from starting at all: another one holds the vault.
    package init(
        at location: VaultLocation, now: Timestamp, open: @escaping () throws(VaultError) -> Vault
    ) throws(VaultError) {
        self.location = location
        self.open = open
        tried = now
        state = Self.attempt(open)
        if case .failure(.held(let process, let program)) = state {
            throw .held(processID: process, program: program)
        }
    }

    private static func attempt(_ open: () throws(VaultError) -> Vault) -> Result<Vault, VaultError> {
        do throws(VaultError) { return .success(try open()) } catch { return .failure(error) }
    }

    /// The vault, when it could be opened.
    package var opened: Vault? { try? state.get() }

    /// Whether a passphrase opens it. One that opens by a key alone is opened by whoever has the key.
    var opensByPassphrase: Bool {
        guard let slots = try? opened?.slots() else { return false }
        return slots.contains { $0.kind == .passphrase }
    }

    /// Tries again after a failure, at most once a second.
    func refresh(at now: Timestamp) {
        guard case .failure = state, now.milliseconds - tried.milliseconds >= 1000 else { return }
        tried = now
        state = Self.attempt(open)
    }

    /// The vault, whatever its state; throws why it cannot be opened.
    func any() throws(RefusedRequest) -> Vault {
        switch state {
        case .success(let vault): return vault
        case .failure(let error): throw RefusedRequest([error.refusal])
        }
    }

    /// The vault, unlocked.
    func unlocked() throws(RefusedRequest) -> Vault {
        let vault = try any()
        switch vault.state {
        case .unlocked: return vault
        case .locked: throw RefusedRequest(.vaultLocked)
        case .missing: throw RefusedRequest(.vaultMissing)
        }
    }

    /// What the policy looks at.
    var fact: AutofillFacts.VaultState {
        switch state {
        case .failure(let error): .unusable(error.refusal.reason.rawValue)
        case .success(let vault):
            switch vault.state {
            case .unlocked: .unlocked
            case .locked: .locked
            case .missing: .missing
            }
        }
    }

    /// The word of the wire: `missing`, `locked`, `unlocked`, or the code of the reason.
    package var word: String {
        switch fact {
        case .unlocked: "unlocked"
        case .locked: "locked"
        case .missing: "missing"
        case .unusable(let code): code
        }
    }

    /// The file, for `status`.
    var path: String? {
        switch location {
        case .directory(let directory): directory + "/vault.sqlite"
        case .memory: nil
        }
    }
}
