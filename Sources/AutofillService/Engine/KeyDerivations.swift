// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
package import CredentialStorage
internal import EventLoop
internal import Reasons
internal import SecretMemory

/// Key derivations, each of which takes about half a second on another thread: so many may run or wait in the whole daemon.
/// Apps' verifiers leave capacity for the user's proof.
package final class KeyDerivations {
    private let environment: ServiceContext
    private var count = 0
    /// Guesses at the vault's secret, one at a time: what a wrong one costs counts for the next.
    private let guesses: AsyncLock
    private var waitingGuesses: [GuessOrigin: Int] = [:]
    private var verifiers: [String: Int] = [:]

    init(_ environment: ServiceContext) {
        self.environment = environment
        guesses = AsyncLock(environment.loop)
    }

    /// For the passphrase that the user typed into a prompt: others that run or wait do not hinder it.
    func derive<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async throws(WaitFailure) -> Result {
        count += 1
        defer { count -= 1 }
        return try await environment.pool.run(.keyDerivation, deadline: Self.longest, work)
    }

    /// Tries a secret of a request, once those that came before it were tried; what was typed at a terminal before what apps send.
    package func guessing<Result>(
        _ request: RequestContext, from origin: GuessOrigin, _ guess: () async throws(RefusedRequest) -> Result
    ) async throws(RefusedRequest) -> Result {
        guard waitingGuesses[origin, default: 0] < Limits.waitingKeyDerivations else { throw .derivationsBusy }
        try request.willWait()
        waitingGuesses[origin, default: 0] += 1
        defer { waitingGuesses[origin, default: 1] -= 1 }
        let deadline = environment.loop.clocks.monotonic() + Self.longest
        guard await guesses.enter(isFirst: origin != .request, until: deadline) else {
            throw Task.isCancelled ? RefusedRequest(.cancelled) : .derivationsBusy
        }
        defer { guesses.leave() }
        return try await guess()
    }

    /// For a request.
    package func derive<Result: Sendable>(
        _ request: RequestContext, _ work: @escaping @Sendable () -> Result
    ) async throws(RefusedRequest) -> Result {
        guard count < Limits.waitingKeyDerivations else { throw .derivationsBusy }
        try request.willWait()
        do throws(WaitFailure) { return try await derive(work) } catch { throw error.refused(.derivationsBusy) }
    }

    /// For a verifier of the request's app.
    func deriveVerifier<Result: Sendable>(
        _ request: RequestContext, _ work: @escaping @Sendable () -> Result
    ) async throws(RefusedRequest) -> Result {
        let app = request.session.quotaKey
        guard verifiers.values.reduce(0, +) < Limits.waitingVerifiers,
            verifiers[app, default: 0] < Limits.waitingVerifiersPerApp
        else { throw .derivationsBusy }
        verifiers[app, default: 0] += 1
        defer {
            let left = verifiers[app, default: 1] - 1
            verifiers[app] = left > 0 ? left : nil
        }
        return try await derive(request, work)
    }

    /// Waits so long; false where the task was cancelled meanwhile.
    func pause(milliseconds: Int) async -> Bool {
        let wait = Wait<Void>(on: environment.loop)
        do throws(WaitFailure) {
            try await wait.value(until: environment.loop.clocks.monotonic() + .milliseconds(milliseconds))
            return true
        } catch {
            return error == .deadline
        }
    }

    private static let longest = Duration.milliseconds(Limits.keyDerivationMilliseconds)
}

extension Refusal {
    /// Where no thread could derive a key, or none in time.
    static var derivationsBusy: Refusal { Refusal(.keyDerivationBusy, retryAfterMilliseconds: 2000) }
}

extension RefusedRequest {
    fileprivate static var derivationsBusy: RefusedRequest { RefusedRequest([.derivationsBusy]) }
}

extension WaitFailure {
    /// What a request gets whose waiting ended without what it waited for.
    ///
    /// - Parameter refusal: what it gets where that did not come in time.
    func refused(_ refusal: Refusal) -> RefusedRequest {
        switch self {
        case .cancelled: RefusedRequest(.cancelled)
        case .deadline, .busy: RefusedRequest([refusal])
        }
    }
}
