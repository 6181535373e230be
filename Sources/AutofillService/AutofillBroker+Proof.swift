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
            let proceed: (Bool, inout JSONWriter) -> Void = { [unowned self] isProven, writer in
                finish(id, call, client, warnings, &writer) { [unowned self] call, client throws(RefusedRequest) in
                    try admit(Call.method, isProven: isProven)
                    return try perform(call, client, isProven)
                }
            }
            switch call.proof {
            case nil: proceed(false, &writer)
            case .prompt?: showProof(call, id, client, &writer) { writer in proceed(true, &writer) }
            case let proof?: return check(proof, id, Call.method, client, &writer) { writer in proceed(true, &writer) }
            }
            return nil
        } catch {
            writer.reject(id, error)
            return nil
        }
    }

    /// Has the person asked whether the request may be performed; what waits for the vault is asked afterwards.
    private func showProof<Call: ProvableCall>(
        _ call: Call, _ id: RequestID, _ client: Client, _ writer: inout JSONWriter,
        then perform: @escaping (inout JSONWriter) -> Void
    ) {
        do throws(RefusedRequest) {
            guard let row = Self.rows[Call.method], row.admitsPrompt else { throw RefusedRequest(.proofRequired) }
            if row.needsUnlockedVault { _ = try openVault(.allow) }
            throw askingApproval(call, id, client)
        } catch {
            guard case .waits(let errand) = error else { return refuse(id, error, Call.method, client, &writer) }
            park(id, Call.method, client, on: errand, &writer) { [unowned self, unowned client] writer in
                if case .approval = errand {
                    perform(&writer)
                } else {
                    showProof(call, id, client, &writer, then: perform)
                }
                return nil
            }
        }
    }

    private func check(
        _ proof: Proof, _ id: RequestID, _ method: Method, _ client: Client, _ writer: inout JSONWriter,
        then perform: @escaping (inout JSONWriter) -> Void
    ) -> Deferred? {
        let conclude: (Deferred.Derived, inout JSONWriter) -> Void = { [unowned self] derived, writer in
            do throws(RefusedRequest) {
                guard case .outcome(let outcome) = derived else { throw RefusedRequest(.internalFault) }
                let open = try vault.unlocked()
                _ = try attempting { () throws(VaultError) in try open.verify(outcome, at: now) }
            } catch {
                return refuse(id, error, method, client, &writer)
            }
            perform(&writer)
        }
        do throws(RefusedRequest) {
            let open = try vault.unlocked()
            guard let secret = proof.secret else { throw RefusedRequest(.proofRequired) }
            let attempt = try attempting { () throws(VaultError) in
                try open.attempt(secret, slot: nil, at: now)
            }
            if case .passphrase = proof {
                return Deferred(id: id, work: .attempt(attempt, isSlow: true), resume: conclude)
            }
            conclude(.outcome(attempt.derive()), &writer)
        } catch {
            refuse(id, error, method, client, &writer)
        }
        return nil
    }
}

extension Proof {
    /// What opens a slot; nil for a prompt.
    var secret: VaultSecret? {
        switch self {
        case .passphrase(let passphrase): .passphrase(passphrase)
        case .key(let key): .key(key)
        case .prompt: nil
        }
    }
}
