// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import Reasons

/// Wrong passwords of verifiers that the vault could not keep, on a full disk for example: they hold until the next start.
package final class VerifierFailures {
    private struct Failure {
        let count: UInt32
        let notBefore: Timestamp
    }

    private var failures: [ObjectID: Failure] = [:]

    package init() {}

    /// The verifier with the failures that only this has; throws where it is not to be checked yet.
    ///
    /// - Parameter now: of the steady clock.
    func checkable(_ verifier: Verifier, at now: Timestamp) throws(Unsettled) -> Verifier {
        var verifier = verifier
        if let failure = failures[verifier.id], failure.count > verifier.failures {
            verifier.failures = failure.count
            verifier.notBefore = failure.notBefore
        }
        guard let notBefore = verifier.notBefore, now < notBefore else { return verifier }
        let wait = notBefore.milliseconds - now.milliseconds
        // A clock that was ahead when it failed, and was set back before the start, makes nobody wait.
        guard wait <= Self.delay(after: verifier.failures) else { return verifier }
        throw Unsettled([Refusal(.checkTooSoon, waiting: wait)])
    }

    /// The vault could not keep these.
    func note(_ verifier: Verifier) {
        guard let notBefore = verifier.notBefore else { return }
        failures[verifier.id] = Failure(count: verifier.failures, notBefore: notBefore)
    }

    func forget(_ id: ObjectID) { failures[id] = nil }

    /// In milliseconds.
    static func delay(after failures: UInt32) -> Int64 {
        let longest = Int64(Limits.verifierLongestDelayMilliseconds)
        return min(Int64(Limits.verifierDelayMilliseconds) << Int64(min(failures - 1, 30)), longest)
    }
}
