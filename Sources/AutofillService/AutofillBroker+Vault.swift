// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Reasons
internal import SecretMemory

/// Making, opening and closing the vault.
extension AutofillBroker {
    func createVault(_ request: Request, _ client: Client, _ writer: inout JSONWriter) -> Deferred? {
        reading(request, client, &writer) { [unowned self] (read: ReadCall<VaultCreate>, writer) in
            create(read, &writer)
        }
    }

    private func create(_ read: ReadCall<VaultCreate>, _ writer: inout JSONWriter) -> Deferred? {
        do throws(RefusedRequest) {
            try admitOutsideSandbox(read.client)
            guard try vault.any().state == .missing else { throw RefusedRequest(.vaultExists) }
        } catch {
            refuse(read.id, error, .vaultCreate, read.client, &writer) { [unowned self] in create(read, &$0) }
            return nil
        }
        return derive(read.call.secrets, for: read, &writer) { [unowned self] slots, recoveryKey, writer in
            finish(read.id, read.call, read.client, read.warnings, &writer) {
                [unowned self] _, _ throws(RefusedRequest) in
                let open = try vault.any()
                try attempting { () throws(VaultError) in try open.create(slots, at: now) }
                noteUnlock()
                return VaultCreate.Answer(slots: slots.map { SlotReport($0.kind) }, recoveryKey: recoveryKey)
            }
            return nil
        }
    }

    func unlockVault(_ request: Request, _ client: Client, _ writer: inout JSONWriter) -> Deferred? {
        reading(request, client, &writer) { [unowned self] (read: ReadCall<VaultUnlock>, writer) in
            unlock(read, &writer)
        }
    }

    private func unlock(_ read: ReadCall<VaultUnlock>, _ writer: inout JSONWriter) -> Deferred? {
        let conclude: (Deferred.Derived?, inout JSONWriter) -> Deferred? = { [unowned self] derived, writer in
            finish(read.id, read.call, read.client, read.warnings, &writer) {
                [unowned self] _, _ throws(RefusedRequest) in
                try unlock(derived)
            }
            return nil
        }
        do throws(RefusedRequest) {
            let open = try vault.any()
            switch open.state {
            case .missing: throw RefusedRequest(.vaultMissing)
            case .unlocked: return conclude(nil, &writer)
            case .locked: break
            }
            guard let secret = read.call.secret else { throw awaitingUnlock(read.call.interaction) }
            try admitOutsideSandbox(read.client)
            let attempt = try attempting { () throws(VaultError) in
                try open.attempt(secret.secret(), slot: nil, at: now)
            }
            let work: Deferred.Work = .attempt(attempt)
            return secret.isSlow ? Deferred(id: read.id, work: work, resume: conclude) : conclude(work.run(), &writer)
        } catch {
            var isUnlock = false
            if case .waits(on: .unlock) = error { isUnlock = true }
            refuse(read.id, error, .vaultUnlock, read.client, &writer) { [unowned self] writer in
                isUnlock ? answerUnlocked(read, &writer) : unlock(read, &writer)
            }
            return nil
        }
    }

    /// It waited for the vault to be opened, by whomever, and has nothing left to do.
    private func answerUnlocked(_ read: ReadCall<VaultUnlock>, _ writer: inout JSONWriter) -> Deferred? {
        finish(read.id, read.call, read.client, read.warnings, &writer) { [unowned self] _, _ throws(RefusedRequest) in
            _ = try vault.unlocked()
            return VaultUnlock.Answer(changed: true, findings: unsound)
        }
        return nil
    }

    private func unlock(_ derived: Deferred.Derived?) throws(RefusedRequest) -> VaultUnlock.Answer {
        guard let derived else { return VaultUnlock.Answer(changed: false, findings: unsound) }
        guard case .outcome(let outcome) = derived else { throw RefusedRequest(.internalFault) }
        let open = try vault.any()
        if case .unlocked = open.state { return VaultUnlock.Answer(changed: false, findings: unsound) }
        let report = try attempting { () throws(VaultError) in try open.unlock(with: outcome, at: now) }
        vaultWasUnlocked(report.findings)
        return VaultUnlock.Answer(changed: true, findings: report.findings.count)
    }

    func lockVault(_ call: VaultLock, _ client: Client) throws(RefusedRequest) -> Changed {
        try admitOutsideSandbox(client)
        // Work on the whole vault ends first, undone.
        stopVaultWork()
        if vault.loan != nil { throw .waits(on: .vaultWork) }
        _ = try vault.any()
        return Changed(lock(.request))
    }

    /// Reads a call that needs no proof, or whose proof is looked at elsewhere.
    func reading<Call: MethodCall>(
        _ request: Request, _ client: Client, _ writer: inout JSONWriter,
        then proceed: (ReadCall<Call>, inout JSONWriter) -> Deferred?
    ) -> Deferred? {
        guard let id = request.id else { return nil }
        do throws(ProtocolProblem) {
            let (call, warnings): (Call, [String]) = try parameters(of: request, for: client)
            return proceed(ReadCall(id: id, call: call, warnings: warnings, client: client), &writer)
        } catch {
            writer.reject(id, error)
            return nil
        }
    }

    /// Opens the vault with a key file, at start or at the administrator's wish.
    package func unlock(withKeyFile path: String) throws {
        guard let open = vault.opened, case .locked = open.state else { return }
        let attempt = try open.attempt(.key(try KeyFile.read(path)), slot: nil, at: now)
        let report = try open.unlock(with: attempt.derive(), at: now)
        vaultWasUnlocked(report.findings)
    }
}
