// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop
internal import Prompting
internal import Reasons

/// What the person is asked: one prompt on the screen at a time, each question once for all who ask the same, and none for a while
/// after a no.
final class PromptDesk {
    /// What came of a question about an app.
    enum ConsentOutcome: Sendable {
        case allowed
        case refused([Refusal])
        /// The answer could not be kept, and is asked for again.
        case unkept
    }

    enum UnlockOutcome: Sendable {
        case unlocked
        case notUnlocked
    }

    private struct Unlock: Hashable {}

    let person: any Person
    var denials = Denials()
    private let consents: SharedWork<ConsentQuestion, ConsentOutcome>
    private let unlocks: SharedWork<Unlock, UnlockOutcome>
    /// Each is asked by itself, by its number.
    private let approvals: SharedWork<Int, Bool?>
    private var lastApproval = 0
    private let screen: Turnstile
    private let surroundings: Surroundings

    init(_ person: any Person, _ surroundings: Surroundings) {
        self.person = person
        self.surroundings = surroundings
        consents = SharedWork(surroundings.tasks, endsUnawaited: true)
        unlocks = SharedWork(surroundings.tasks, endsUnawaited: true)
        approvals = SharedWork(surroundings.tasks, endsUnawaited: true)
        screen = Turnstile(surroundings.loop)
    }

    var canConfirm: Bool { person.canConfirm }
    var canGivePassphrase: Bool { person.canGivePassphrase }

    /// How many questions wait for the person.
    private var count: Int { consents.count + unlocks.count + approvals.count }

    private func checkRoom(isAsked: Bool) throws(RefusedRequest) {
        guard isAsked || count < Limits.waitingPrompts else {
            throw RefusedRequest([Refusal(.tooManyRequests, retryAfterMilliseconds: 5000)])
        }
    }

    /// Asks about an app.
    ///
    /// - Parameter conclude: what follows from the answer; called once, however many wait for it.
    func ask(
        _ question: ConsentQuestion, within limit: Duration,
        _ conclude: @escaping (ConsentAnswer?) -> ConsentOutcome
    ) async throws(RefusedRequest) -> ConsentOutcome {
        try checkRoom(isAsked: consents.isRunning(question))
        let (screen, person) = (screen, person)
        do throws(WaitFailure) {
            return try await consents.outcome(of: question, within: limit) {
                guard await screen.enter() else { return .refused([Refusal(.cancelled)]) }
                defer { screen.leave() }
                let answer = await person.answer(question)
                // Taken back meanwhile, the answer is to a question that nobody asks any more.
                return Task.isCancelled ? .refused([Refusal(.cancelled)]) : conclude(answer)
            }
        } catch {
            throw error.refused(Refusal(.consentDenied, question.names))
        }
    }

    /// Asks whether a request may administer.
    func approve(_ approval: Approval, within limit: Duration) async throws(RefusedRequest) -> Bool? {
        try checkRoom(isAsked: false)
        lastApproval += 1
        let (screen, person) = (screen, person)
        do throws(WaitFailure) {
            return try await approvals.outcome(of: lastApproval, within: limit) {
                guard await screen.enter() else { return nil }
                defer { screen.leave() }
                return await person.approve(approval)
            }
        } catch {
            throw error.refused(Refusal(.consentDenied))
        }
    }

    /// Waits until the vault is unlocked, by whomever, and asks for the passphrase meanwhile.
    ///
    /// - Parameter unlock: asks; run once for all who wait.
    func awaitUnlock(
        within limit: Duration, _ unlock: @escaping () async -> UnlockOutcome
    ) async throws(RefusedRequest) {
        try checkRoom(isAsked: unlocks.isRunning(Unlock()))
        let screen = screen
        let outcome: UnlockOutcome
        do throws(WaitFailure) {
            outcome = try await unlocks.outcome(of: Unlock(), within: limit) {
                guard await screen.enter() else { return .notUnlocked }
                defer { screen.leave() }
                return await unlock()
            }
        } catch {
            throw error.refused(Refusal(.vaultLocked))
        }
        if case .notUnlocked = outcome { throw RefusedRequest(.vaultLocked) }
    }

    /// Somebody has unlocked the vault: the prompt for that goes away.
    func noteUnlocked() {
        denials.forget { $0 == .unlock }
        unlocks.end(Unlock(), with: .unlocked)
    }

    /// The daemon ends: every prompt goes away.
    func stop() {
        consents.cancelAll()
        unlocks.cancelAll()
        approvals.cancelAll()
    }
}
