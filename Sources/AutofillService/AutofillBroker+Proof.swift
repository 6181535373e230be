// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Reasons

/// Proof that the person is there: the passphrase or the key of a slot, in the same request.
extension AutofillBroker {
    /// Reads a call that may carry proof, checks the proof, and performs the call. A passphrase takes a key derivation.
    func prove<Call: ProvableCall>(
        _ request: Request, _ client: Client, _ writer: inout JSONWriter,
        _ perform: @escaping (Call, Client, _ isProven: Bool) throws(RefusedRequest) -> Call.Answer
    ) -> Deferred? {
        guard let id = request.id else { return nil }
        do throws(ProtocolProblem) {
            let (call, warnings): (Call, [String]) = try parameters(of: request, for: client)
            guard let proof = call.proof else {
                finish(id, call, client, warnings, &writer) { call, client throws(RefusedRequest) in
                    try perform(call, client, false)
                }
                return nil
            }
            return check(proof, id, Call.method, client, &writer) { [unowned self] writer in
                finish(id, call, client, warnings, &writer) { call, client throws(RefusedRequest) in
                    try perform(call, client, true)
                }
                return nil
            }
        } catch {
            writer.reject(id, error)
            return nil
        }
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
            let open = try vault.unlocked()
            let attempt = try attempting { () throws(VaultError) in
                try open.attempt(proof.secret(), slot: nil, at: now)
            }
            if case .passphrase = proof {
                return Deferred(id: id, work: .attempt(attempt, isSlow: true), resume: conclude)
            }
            return conclude(.outcome(attempt.derive()), &writer)
        } catch {
            refuse(id, error, method, client, &writer, again: again)
        }
        return nil
    }
}

extension Proof {
    /// Throws `recoveryKeyMistyped`.
    func secret() throws(VaultError) -> VaultSecret {
        switch self {
        case .passphrase(let passphrase): .passphrase(passphrase)
        case .key(let key): .key(key)
        case .recoveryKey(let typed): .recovery(try RecoveryKey(typed: typed))
        }
    }

    var isSlow: Bool { if case .passphrase = self { true } else { false } }
}
