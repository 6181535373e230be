// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
package import CredentialStorage
package import Credentials
internal import Reasons

/// The vault, or why it cannot be opened now: then it is tried again, so that the daemon recovers when the cause is gone.
package final class OpenVault {
    package let location: VaultLocation
    private let open: (_ opensVault: Bool) throws(VaultError) -> Vault
    private var state: Result<Vault, VaultError>
    private var tried: Timestamp
    /// While another thread has the vault.
    private(set) var loan: VaultLoan?
    private var locksOnReturn = false

    /// Throws only what keeps the daemon from starting at all: another one holds the vault. `open` leaves a file that is
    /// there alone when it is told false.
    package init(
        at location: VaultLocation, now: Timestamp, open: @escaping (_ opensVault: Bool) throws(VaultError) -> Vault
    ) throws(VaultError) {
        self.location = location
        self.open = open
        tried = now
        state = Self.attempt(open)
        if case .failure(.held(let process, let program)) = state {
            throw .held(processID: process, program: program)
        }
    }

    private static func attempt(_ open: (Bool) throws(VaultError) -> Vault) -> Result<Vault, VaultError> {
        do throws(VaultError) { return .success(try open(true)) } catch { return .failure(error) }
    }

    /// The vault, when it could be opened and is here.
    package var opened: Vault? { isAway ? nil : try? state.get() }

    /// The same, and also while work on it as it was frozen is told to stop: requests wait for the end of that, but what
    /// they were given before has to go on record. Such work uses nothing but the frozen file.
    var atHand: Vault? { loan.map { $0.frozen == nil } ?? false ? nil : try? state.get() }

    /// Whether another thread has it for itself.
    var isAway: Bool { loan?.keepsOthersOut ?? false }

    /// Whether a passphrase opens it. One that opens by a key alone is opened by whoever has the key.
    var opensByPassphrase: Bool {
        guard let slots = try? opened?.slots() else { return false }
        return slots.contains { $0.kind == .passphrase }
    }

    /// Tries again after a failure, at most once a second.
    func refresh(at now: Timestamp) {
        guard loan == nil, now.milliseconds - tried.milliseconds >= 1000 else { return }
        if case .failure = state {
            tried = now
            state = Self.attempt(open)
        } else {
            takeUp(at: now)
        }
    }

    /// Opens the file where one is there though none is open, as after an error in the middle of replacing it.
    private func takeUp(at now: Timestamp) {
        guard case .success(let vault) = state, vault.state == .missing else { return }
        tried = now
        do throws(VaultError) { try vault.openIfThere() } catch {
            vault.close(at: now)
            state = .failure(error)
        }
    }

    /// The vault, whatever its state; throws why it cannot be opened.
    func any() throws(RefusedRequest) -> Vault {
        if isAway { throw .waits(on: .vaultWork) }
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
            switch (isAway ? loan?.state : nil) ?? vault.state {
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

    // MARK: - Lending

    typealias Borrower = (client: ClientID, id: RequestID)

    /// Gives the vault out for work on another thread; what was released is on record before. Throws as `any` does, and
    /// waits for other work on it.
    func lend(for method: Method?, _ request: Borrower? = nil) throws(RefusedRequest) -> VaultLoan {
        let vault = try whole()
        try attempting { () throws(VaultError) in try vault.commitReleases() }
        return lend(vault, frozen: nil, for: method, request)
    }

    /// Gives the vault out as it is now, to be looked at while it is used; whole where that cannot be.
    func lendFrozen(for method: Method?, _ request: Borrower? = nil, at now: Timestamp) throws(RefusedRequest)
        -> VaultLoan
    {
        let vault = try whole()
        let frozen = try attempting { () throws(VaultError) in try vault.freeze(at: now) }
        guard let frozen else { return try lend(for: method, request) }
        return lend(vault, frozen: frozen, for: method, request)
    }

    /// The same as `lend` for a restore, which also takes the place of a vault that cannot be opened.
    func lendForRestore(_ request: Borrower) throws(RefusedRequest) -> VaultLoan {
        guard loan == nil, case .failure = state else { return try lend(for: .vaultRestore, request) }
        let vault = try attempting { () throws(VaultError) in try open(false) }
        return lend(vault, frozen: nil, for: .vaultRestore, request)
    }

    /// The vault, while nobody works on it.
    private func whole() throws(RefusedRequest) -> Vault {
        if loan != nil { throw .waits(on: .vaultWork) }
        return try any()
    }

    private func lend(_ vault: Vault, frozen: FrozenVault?, for method: Method?, _ request: Borrower?) -> VaultLoan {
        let loan = VaultLoan(vault, frozen: frozen, for: method, request: request)
        self.loan = loan
        return loan
    }

    /// The work is done.
    func takeBack(at now: Timestamp) {
        guard let loan else { return }
        self.loan = nil
        if loan.frozen != nil { loan.vault.thaw() }
        // A restore has made one that can be opened of one that could not.
        if case .failure = state, loan.vault.state != .missing { state = .success(loan.vault) }
        takeUp(at: now)
        if locksOnReturn { opened?.lock(at: now) }
        locksOnReturn = false
    }

    /// Takes the keys out of memory; where another thread works on the vault, as soon as that has stopped.
    package func lock(at now: Timestamp) {
        guard let loan else {
            opened?.lock(at: now)
            return
        }
        locksOnReturn = true
        loan.progress.cancel()
    }

    /// The file, for `status`.
    var path: String? {
        switch location {
        case .directory(let directory): directory + "/vault.sqlite"
        case .memory: nil
        }
    }
}
