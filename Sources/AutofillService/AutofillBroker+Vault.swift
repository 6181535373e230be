// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Reasons
internal import SecretMemory

/// Making, opening and closing the vault.
extension AutofillBroker {
    func createVault(_ request: Request, _ client: Client, _ writer: inout JSONWriter) -> Deferred? {
        deferring(request, client, &writer) { (call: VaultCreate) throws(RefusedRequest) in
            if let passphrase = call.passphrase, passphrase.count < Limits.passphraseMinimumBytes {
                throw RefusedRequest(.passphraseTooShort, [.limit: "\(Limits.passphraseMinimumBytes)"])
            }
            guard try vault.any().state == .missing else { throw RefusedRequest(.vaultExists) }
            return .slots(
                [call.passphrase.map(VaultSecret.passphrase), call.key.map(VaultSecret.key)].compactMap(\.self))
        } then: { [unowned self] (call: VaultCreate, derived) throws(RefusedRequest) in
            let slots = try derived.newSlots()
            let open = try vault.any()
            try attempting { () throws(VaultError) in try open.create(slots, at: now) }
            return VaultCreate.Answer(
                slots: (call.passphrase == nil ? [] : [.passphrase]) + (call.key == nil ? [] : [.key]))
        }
    }

    func unlockVault(_ request: Request, _ client: Client, _ writer: inout JSONWriter) -> Deferred? {
        deferring(request, client, &writer) { (call: VaultUnlock) throws(RefusedRequest) in
            let open = try vault.any()
            switch open.state {
            case .missing: throw RefusedRequest(.vaultMissing)
            case .unlocked: return nil
            case .locked: break
            }
            guard let secret = call.secret else { throw awaitingUnlock(call.interaction) }
            return .attempt(
                try attempting { () throws(VaultError) in try open.attempt(secret, slot: nil, at: now) },
                isSlow: call.passphrase != nil)
        } then: { [unowned self] (_: VaultUnlock, derived) throws(RefusedRequest) in
            guard let derived else { return Changed(false) }
            guard case .outcome(let outcome) = derived else { throw RefusedRequest(.internalFault) }
            let open = try vault.any()
            if case .unlocked = open.state { return Changed(false) }
            _ = try attempting { () throws(VaultError) in try open.unlock(with: outcome, at: now) }
            vaultWasUnlocked()
            return Changed(true)
        }
    }

    func lockVault(_ call: VaultLock, _ client: Client) throws(RefusedRequest) -> Changed {
        let open = try vault.any()
        guard case .unlocked = open.state else { return Changed(false) }
        open.lock(at: now)
        return Changed(true)
    }

    /// A call with a slow part: `prepare` says what it is (nil: nothing to do), `conclude` has its result.
    private func deferring<Call: MethodCall>(
        _ request: Request, _ client: Client, _ writer: inout JSONWriter,
        _ prepare: (Call) throws(RefusedRequest) -> Deferred.Work?,
        then conclude: @escaping (Call, Deferred.Derived?) throws(RefusedRequest) -> Call.Answer
    ) -> Deferred? {
        guard let id = request.id else { return nil }
        do throws(ProtocolProblem) {
            let (call, warnings): (Call, [String]) = try parameters(of: request, for: client)
            let end: (Deferred.Derived?, inout JSONWriter) -> Void = { [unowned self] derived, writer in
                finish(id, call, client, warnings, &writer) { call, _ throws(RefusedRequest) in
                    try conclude(call, derived)
                }
            }
            do throws(RefusedRequest) {
                guard let work = try prepare(call) else {
                    end(nil, &writer)
                    return nil
                }
                if work.isSlow { return Deferred(id: id, work: work) { derived, writer in end(derived, &writer) } }
                end(work.run(), &writer)
            } catch {
                guard case .waits(let errand) = error else {
                    refuse(id, error, Call.method, client, &writer)
                    return nil
                }
                // It waited for the vault to be opened, by whomever, and has nothing left to do.
                park(id, Call.method, client, on: errand, &writer) { [unowned self, unowned client] writer in
                    if vault.fact == .unlocked {
                        writer.answer(id, Changed(true), warnings: warnings)
                    } else {
                        refuse(id, RefusedRequest(.vaultLocked), Call.method, client, &writer)
                    }
                    return nil
                }
            }
        } catch {
            writer.reject(id, error)
        }
        return nil
    }

    /// Opens the vault with a key file, at start or at the administrator's wish.
    package func unlock(withKeyFile path: String) throws {
        guard let open = vault.opened, case .locked = open.state else { return }
        let attempt = try open.attempt(.key(try KeyFile.read(path)), slot: nil, at: now)
        _ = try open.unlock(with: attempt.derive(), at: now)
        vaultWasUnlocked()
    }
}

extension VaultUnlock {
    var secret: VaultSecret? {
        passphrase.map(VaultSecret.passphrase) ?? key.map(VaultSecret.key)
    }
}

extension Deferred.Derived? {
    /// The slots that were derived.
    fileprivate func newSlots() throws(RefusedRequest) -> [NewSlot] {
        switch self {
        case .slots(let slots): return slots
        case .failed(let error): throw RefusedRequest([error.refusal])
        default: throw RefusedRequest(.internalFault)
        }
    }
}

extension SlotReport {
    fileprivate static var passphrase: SlotReport {
        SlotReport(
            kind: "passphrase",
            protects:
                "Whoever has the file and not the passphrase reads nothing. Forget it, and nobody can open the vault.")
    }

    fileprivate static var key: SlotReport {
        SlotReport(
            kind: "key",
            protects:
                "Whoever has the vault and not the key file reads nothing. A key file on the same disk guards only "
                + "against other users, not against a thief of the disk.")
    }
}
