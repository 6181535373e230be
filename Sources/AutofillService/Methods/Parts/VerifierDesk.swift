// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Wrong passwords of verifiers that the vault could not take, on a full disk say: they hold until the next start.
final class VerifierDesk {
    private struct Failure {
        let count: UInt32
        let notBefore: Timestamp
    }

    private var unnoted: [ObjectID: Failure] = [:]

    /// The verifier with the failures that only this knows of; throws where it is not to be checked yet.
    ///
    /// - Parameter now: of the steady clock.
    func checkable(_ verifier: Verifier, at now: Timestamp) throws(RefusedRequest) -> Verifier {
        var verifier = verifier
        if let failure = unnoted[verifier.id], failure.count > verifier.failures {
            verifier.failures = failure.count
            verifier.notBefore = failure.notBefore
        }
        if let notBefore = verifier.notBefore, now < notBefore {
            // A clock that was set back before the start makes nobody wait longer than the delay was.
            let longest = Self.delay(after: verifier.failures)
            throw RefusedRequest([
                Refusal(.checkTooSoon, waiting: min(notBefore.milliseconds - now.milliseconds, longest))
            ])
        }
        return verifier
    }

    /// Keeps what a check has changed. A wrong password counts also where the vault takes nothing.
    func note(_ verifier: Verifier, _ vault: VaultKeeper) throws(RefusedRequest) {
        let open = try vault.unlocked()
        do throws(RefusedRequest) {
            _ = try attempting { () throws(VaultError) in try open.writers.verifiers.put(verifier) }
            unnoted[verifier.id] = nil
        } catch {
            if let notBefore = verifier.notBefore {
                unnoted[verifier.id] = Failure(count: verifier.failures, notBefore: notBefore)
            }
            throw error
        }
    }

    /// In milliseconds.
    static func delay(after failures: UInt32) -> Int64 {
        let longest = Int64(Limits.verifierLongestDelayMilliseconds)
        return min(Int64(Limits.verifierDelayMilliseconds) << Int64(min(failures - 1, 30)), longest)
    }
}
