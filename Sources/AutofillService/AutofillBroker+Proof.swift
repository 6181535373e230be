// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Reasons

/// Proof that the person is there: the passphrase or the key of a slot in the same request, or a prompt.
extension AutofillBroker {
    /// Reads a call that may carry proof, checks the proof, and performs the call. A passphrase takes a key derivation.
    func prove<Call: ProvableCall>(
        _ request: Request, _ client: Client, _ writer: inout JSONWriter,
        _ perform: @escaping (Call, Client, _ isProven: Bool) throws(RefusedRequest) -> Call.Answer
    ) -> Deferred? {
        guard let id = request.id else { return nil }
        do throws(ProtocolProblem) {
            let (call, warnings): (Call, [String]) = try parameters(of: request, for: client)
            let proceed: (Bool, inout JSONWriter) -> Deferred? = { [unowned self] isProven, writer in
                finish(id, call, client, warnings, &writer) { [unowned self] call, client throws(RefusedRequest) in
                    try admit(Call.method, isProven: isProven)
                    return try perform(call, client, isProven)
                }
                return nil
            }
            return switch call.proof {
            case nil: proceed(false, &writer)
            case .prompt?: showProof(call, id, client, &writer) { proceed(true, &$0) }
            case let proof?: check(proof, id, Call.method, client, &writer) { proceed(true, &$0) }
            }
        } catch {
            writer.reject(id, error)
            return nil
        }
    }

    /// Has the person asked whether the request may be performed; where the vault has to be waited for, afterwards.
    private func showProof<Call: ProvableCall>(
        _ call: Call, _ id: RequestID, _ client: Client, _ writer: inout JSONWriter,
        then perform: @escaping (inout JSONWriter) -> Deferred?
    ) -> Deferred? {
        do throws(RefusedRequest) {
            guard let row = Self.rows[Call.method], row.admitsPrompt else { throw RefusedRequest(.proofRequired) }
            if (call as? any InteractingCall)?.interaction == .forbid { throw RefusedRequest(.interactionRequired) }
            if row.needsUnlockedVault { _ = try openVault(.allow) }
            throw try askingApproval(call, id, client)
        } catch {
            var isApproval = false
            if case .waits(on: .approval) = error { isApproval = true }
            refuse(id, error, Call.method, client, &writer) { [unowned self, unowned client] writer in
                isApproval ? perform(&writer) : showProof(call, id, client, &writer, then: perform)
            }
        }
        return nil
    }

    /// Checks the proof, then goes on.
    func check(
        _ proof: Proof, _ id: RequestID, _ method: Method, _ client: Client, _ writer: inout JSONWriter,
        then perform: @escaping (inout JSONWriter) -> Deferred?
    ) -> Deferred? {
        let again: (inout JSONWriter) -> Deferred? = { [unowned self, unowned client] writer in
            check(proof, id, method, client, &writer, then: perform)
        }
        let conclude: (Deferred.Derived, inout JSONWriter) -> Deferred? = { [unowned self] derived, writer in
            do throws(RefusedRequest) {
                guard case .outcome(let outcome) = derived else { throw RefusedRequest(.internalFault) }
                let open = try vault.unlocked()
                _ = try attempting { () throws(VaultError) in try open.verify(outcome, at: now) }
            } catch {
                refuse(id, error, method, client, &writer, again: again)
                return nil
            }
            return perform(&writer)
        }
        do throws(RefusedRequest) {
            if case .prompt = proof { throw RefusedRequest(.proofRequired) }
            try admitOutsideSandbox(client)
            let open = try vault.unlocked()
            let attempt = try attempting { () throws(VaultError) in
                try open.attempt(proof.secret(), slot: nil, at: now)
            }
            if case .passphrase = proof {
                return Deferred(id: id, work: .attempt(attempt), resume: conclude)
            }
            return conclude(.outcome(attempt.derive()), &writer)
        } catch {
            refuse(id, error, method, client, &writer, again: again)
        }
        return nil
    }
}

extension Proof {
    /// Throws `recoveryKeyMistyped`, and `noSuchSlot` for a prompt, which is no secret.
    func secret() throws(VaultError) -> VaultSecret {
        switch self {
        case .passphrase(let passphrase): .passphrase(passphrase)
        case .key(let key): .key(key)
        case .recoveryKey(let typed): .recovery(try RecoveryKey(typed: typed))
        case .prompt: throw .noSuchSlot
        }
    }

    var isSlow: Bool { if case .passphrase = self { true } else { false } }
}
