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

    /// Does long work on the vault, and answers with what came of it.
    func work<Call: MethodCall>(
        _ read: ReadCall<Call>, _ writer: inout JSONWriter,
        lending lend: @escaping (OpenVault) throws(RefusedRequest) -> VaultLoan = { vault throws(RefusedRequest) in
            _ = try vault.unlocked()
            return try vault.lend(for: Call.method)
        },
        refusing refusal: @escaping (VaultError) -> Refusal = \.refusal,
        _ work: @escaping @Sendable (Vault, VaultProgress) throws(VaultError) -> Call.Answer
    ) -> Deferred? {
        do throws(RefusedRequest) {
            let loan = try lend(vault)
            let slow: Deferred.Work = .vault(loan) { vault, progress throws(VaultError) in try work(vault, progress) }
            return Deferred(id: read.id, work: slow) { [unowned self] derived, writer in
                finish(read.id, read.call, read.client, read.warnings, &writer) { _, _ throws(RefusedRequest) in
                    switch derived {
                    case .worked(let answer as Call.Answer): return answer
                    case .failed(let error): throw RefusedRequest([refusal(error)])
                    default: throw RefusedRequest(.internalFault)
                    }
                }
                return nil
            }
        } catch {
            refuse(read.id, error, Call.method, read.client, &writer) { [unowned self] writer in
                self.work(read, &writer, lending: lend, refusing: refusal, work)
            }
            return nil
        }
    }

    /// The vault is back: what waited for it goes on.
    func takeVaultBack() {
        vault.takeBack(at: now)
        generation += 1
        noteVaultBack()
        end(.vaultWork)
    }

    /// Has the work on the vault stop, for the end.
    package func stopVaultWork() { vault.loan?.progress.cancel() }
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
