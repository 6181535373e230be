// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Reasons
internal import SecretMemory

/// A call whose parameters are read.
struct ReadCall<Call: MethodCall> {
    let id: RequestID
    let call: Call
    let warnings: [String]
    let client: Client
}

/// Calls with slow parts: a proof, then new slots, then long work on the vault, each on another thread.
extension AutofillBroker {
    /// Reads a call that is nothing without proof, checks the proof, and goes on.
    func proven<Call: ProvableCall>(
        _ request: Request, _ client: Client, _ writer: inout JSONWriter, _: Call.Type = Call.self,
        then proceed: @escaping (ReadCall<Call>, inout JSONWriter) -> Deferred?
    ) -> Deferred? {
        reading(request, client, &writer) { (read: ReadCall<Call>, writer) in
            guard let proof = read.call.proof else {
                refuse(read.id, RefusedRequest(.proofRequired), Call.method, client, &writer)
                return nil
            }
            return check(proof, read.id, Call.method, client, &writer) { proceed(read, &$0) }
        }
    }

    /// Derives new slots, and goes on with them and the recovery key that was drawn, if one was.
    func derive<Call: MethodCall>(
        _ secrets: [NewSecret], for read: ReadCall<Call>, _ writer: inout JSONWriter,
        then proceed: @escaping ([NewSlot], SecretBytes?, inout JSONWriter) -> Deferred?
    ) -> Deferred? {
        var shown: SecretBytes?
        var drawn: [VaultSecret] = []
        for secret in secrets {
            switch secret {
            case .passphrase(let passphrase):
                guard passphrase.count >= Limits.passphraseMinimumBytes else {
                    refuse(read.id, .tooShort, Call.method, read.client, &writer)
                    return nil
                }
                drawn.append(.passphrase(passphrase))
            case .key(let key): drawn.append(.key(key))
            case .recoveryKey:
                let key = RecoveryKey.random(using: &entropy)
                shown = key.grouped
                drawn.append(.recovery(key))
            }
        }
        return Deferred(id: read.id, work: .slots(drawn)) { [unowned self] derived, writer in
            do throws(RefusedRequest) {
                return proceed(try derived.newSlots(), shown, &writer)
            } catch {
                refuse(read.id, error, Call.method, read.client, &writer)
                return nil
            }
        }
    }

    /// Does long work on the vault, which is unlocked, and answers with what came of it, after `done` was told.
    func work<Call: MethodCall>(
        _ read: ReadCall<Call>, _ writer: inout JSONWriter,
        refusing refusal: @escaping (VaultError) -> Refusal = \.refusal,
        _ work: @escaping @Sendable (Vault, VaultProgress) throws(VaultError) -> Call.Answer,
        then done: @escaping (Call.Answer) -> Void = { _ in }
    ) -> Deferred? {
        borrow(read, &writer, refusing: refusal) { [unowned self] vault throws(RefusedRequest) in
            _ = try vault.unlocked()
            return .vault(try vault.lend(for: Call.method, (read.client.id, read.id), at: now)) {
                vault, progress throws(VaultError) in
                try work(vault, progress)
            }
        } then: { [unowned self] (answer: Call.Answer, writer) in
            finish(read.id, read.call, read.client, read.warnings, &writer) { _, _ throws(RefusedRequest) in
                done(answer)
                return answer
            }
            return nil
        }
    }

    /// Looks at the whole vault as it is now, while others use it, and answers with what `conclude` makes of what was seen.
    ///
    /// The log is written back on the other thread first, in a moment for which the vault is lent: freezing the vault with a
    /// full log would stop the event loop for some 20 ms.
    func look<Call: MethodCall, Seen: Sendable>(
        _ read: ReadCall<Call>, _ writer: inout JSONWriter,
        refusing refusal: @escaping (VaultError) -> Refusal = \.refusal,
        _ look: @escaping @Sendable (any VaultView, VaultProgress) throws(VaultError) -> Seen,
        then conclude: @escaping (Seen) throws(RefusedRequest) -> Call.Answer
    ) -> Deferred? {
        borrow(read, &writer, goesOn: true, refusing: refusal) { [unowned self] vault throws(RefusedRequest) in
            _ = try vault.unlocked()
            return .vault(try vault.lend(for: Call.method, (read.client.id, read.id), at: now)) {
                vault, _ throws(VaultError) in
                // Where that cannot be, the vault is lent whole for the look.
                try? vault.writeBack()
                return ()
            }
        } then: { [unowned self] (_: Void, writer) in
            lookNow(read, &writer, refusing: refusal, look, then: conclude)
        }
    }

    private func lookNow<Call: MethodCall, Seen: Sendable>(
        _ read: ReadCall<Call>, _ writer: inout JSONWriter, refusing refusal: @escaping (VaultError) -> Refusal,
        _ look: @escaping @Sendable (any VaultView, VaultProgress) throws(VaultError) -> Seen,
        then conclude: @escaping (Seen) throws(RefusedRequest) -> Call.Answer
    ) -> Deferred? {
        borrow(read, &writer, refusing: refusal) { [unowned self] vault throws(RefusedRequest) in
            _ = try vault.unlocked()
            return .look(try vault.lendFrozen(for: Call.method, (read.client.id, read.id), at: now)) {
                view, progress throws(VaultError) in
                try look(view, progress)
            }
        } then: { [unowned self] (seen: Seen, writer) in
            finish(read.id, read.call, read.client, read.warnings, &writer) { _, _ throws(RefusedRequest) in
                try conclude(seen)
            }
            return nil
        }
    }

    /// Has work done on the vault that `begin` has lent, and goes on with its result.
    ///
    /// - Parameter goesOn: whether the work changes nothing and more is to follow. Then it ends here where it was to stop
    ///   meanwhile.
    func borrow<Call: MethodCall, Result: Sendable>(
        _ read: ReadCall<Call>, _ writer: inout JSONWriter, goesOn: Bool = false,
        refusing refusal: @escaping (VaultError) -> Refusal,
        _ begin: @escaping (OpenVault) throws(RefusedRequest) -> Deferred.Work,
        then proceed: @escaping (Result, inout JSONWriter) -> Deferred?
    ) -> Deferred? {
        do throws(RefusedRequest) {
            let work = try begin(vault)
            return Deferred(id: read.id, work: work) { [unowned self] derived, writer in
                switch derived {
                case .worked where goesOn && work.loan?.progress.isCancelled == true:
                    refuse(read.id, RefusedRequest(.cancelled), Call.method, read.client, &writer)
                case .worked(let result as Result): return proceed(result, &writer)
                case .failed(let error):
                    refuse(read.id, RefusedRequest([refusal(error)]), Call.method, read.client, &writer)
                default: refuse(read.id, RefusedRequest(.internalFault), Call.method, read.client, &writer)
                }
                return nil
            }
        } catch {
            refuse(read.id, error, Call.method, read.client, &writer) { [unowned self] writer in
                borrow(read, &writer, goesOn: goesOn, refusing: refusal, begin, then: proceed)
            }
            return nil
        }
    }

    /// The vault is back: what waited for it goes on.
    func takeVaultBack() {
        vault.takeBack(at: now)
        generation += 1
        forgetReplacedVault()
        noteVaultBack()
        end(.vaultWork)
    }

    /// Where another file has taken the vault's place, the versions that connections wrote may be anybody's in it.
    func forgetReplacedVault() {
        guard let open = vault.opened, open.replacements != knownReplacements else { return }
        knownReplacements = open.replacements
        for client in clients.values { client.forgetVault() }
    }

    /// Has the work on the vault stop: it is undone, and answers `cancelled`.
    package func stopVaultWork() { vault.loan?.progress.cancel() }

    /// The same where it is done for this request, or for one of this connection. Work that is past its last stop is done,
    /// and answers so.
    @discardableResult
    func stopVaultWork(of client: ClientID, _ id: RequestID? = nil) -> Bool {
        guard let loan = vault.loan, let request = loan.request, request.client == client,
            id.map({ $0 == request.id }) ?? true
        else { return false }
        loan.progress.cancel()
        return true
    }
}

extension RefusedRequest {
    static var tooShort: RefusedRequest {
        RefusedRequest(.passphraseTooShort, [.limit: "\(Limits.passphraseMinimumBytes)"])
    }
}

extension Deferred.Derived {
    /// The slots that were derived.
    func newSlots() throws(RefusedRequest) -> [NewSlot] {
        switch self {
        case .slots(let slots): return slots
        case .failed(let error): throw RefusedRequest([error.refusal])
        default: throw RefusedRequest(.internalFault)
        }
    }
}
