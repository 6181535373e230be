// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import EventLoop
internal import Prompting
internal import Reasons

/// What the person is asked: one prompt on the screen at a time, each question once for all who ask the same, and none for a while
/// after a no.
final class PromptDesk {
    /// What came of a question about an app.
    enum ConsentOutcome: Sendable {
        /// The account that was picked, where there were any to pick from.
        case allowed(ObjectID?)
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
    private var shares = PromptShares()
    private let consents: SharedWork<ConsentQuestion, ConsentOutcome>
    private let unlocks: SharedWork<Unlock, UnlockOutcome>
    /// Each is asked by itself, by its number.
    private let approvals: SharedWork<Int, Bool?>
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

    /// A place for one question more.
    private func checkRoom(_ asker: PromptShares.Asker, isAsked: Bool) throws(RefusedRequest) {
        guard isAsked || shares.admits(asker) else {
            throw RefusedRequest([Refusal(.tooManyRequests, retryAfterMilliseconds: 5000)])
        }
    }

    /// Puts a question on the screen in its turn, the person's own before others; nil where it was taken back before that.
    private func inTurn<Outcome>(
        _ asker: PromptShares.Asker, _ ask: () async -> Outcome
    ) async -> Outcome? {
        shares.enter(asker)
        defer { shares.leave(asker) }
        guard await screen.enter(as: asker.account, isFirst: asker.isPerson) else { return nil }
        defer { screen.leave() }
        return await ask()
    }

    /// Asks about an app.
    ///
    /// - Parameter conclude: what follows from the answer; called once, however many wait for it.
    func ask(
        _ question: ConsentQuestion, of asker: PromptShares.Asker, within limit: Duration,
        _ conclude: @escaping (ConsentAnswer?) -> ConsentOutcome
    ) async throws(RefusedRequest) -> ConsentOutcome {
        try checkRoom(asker, isAsked: consents.isRunning(question))
        do throws(WaitFailure) {
            return try await consents.outcome(of: question, within: limit) {
                await self.inTurn(asker) { await self.put(question, conclude) } ?? .refused([Refusal(.cancelled)])
            }
        } catch {
            throw error.refused(Refusal(.consentDenied, question.names))
        }
    }

    private func put(
        _ question: ConsentQuestion, _ conclude: (ConsentAnswer?) -> ConsentOutcome
    ) async -> ConsentOutcome {
        // The person has said no to this app while the question waited: that goes for it too.
        if let wait = denials.remaining(of: .consent(question), at: surroundings.clock.steady.milliseconds) {
            return .refused([Refusal(.consentDenied, question.names, retryAfterMilliseconds: wait)])
        }
        let (answer, place) = await answered(question)
        // Taken back meanwhile, the answer is to a question that nobody asks any more.
        if Task.isCancelled { return .refused([Refusal(.cancelled)]) }
        let outcome = conclude(answer)
        guard case .allowed = outcome, question.accounts.indices.contains(place) else { return outcome }
        return .allowed(question.accounts[place].id)
    }

    private func answered(_ question: ConsentQuestion) async -> (ConsentAnswer?, Int) {
        guard question.isPick else { return (await person.answer(question), 0) }
        let picked = await person.pick(question)
        return (picked?.answer, picked?.place ?? 0)
    }

    /// Asks whether a request may administer.
    func approve(
        _ approval: Approval, of asker: PromptShares.Asker, within limit: Duration
    ) async throws(RefusedRequest) -> Bool? {
        try checkRoom(asker, isAsked: false)
        shares.lastApproval += 1
        do throws(WaitFailure) {
            return try await approvals.outcome(of: shares.lastApproval, within: limit) {
                await self.inTurn(asker) { await self.person.approve(approval) } ?? nil
            }
        } catch {
            throw error.refused(Refusal(.consentDenied))
        }
    }

    /// Waits until the vault is unlocked, by whomever, and asks for the passphrase meanwhile.
    ///
    /// - Parameter unlock: asks; run once for all who wait.
    func awaitUnlock(
        of asker: PromptShares.Asker, within limit: Duration, _ unlock: @escaping () async -> UnlockOutcome
    ) async throws(RefusedRequest) {
        try checkRoom(asker, isAsked: unlocks.isRunning(Unlock()))
        shares.unlockers.insert(asker.account)
        let outcome: UnlockOutcome
        do throws(WaitFailure) {
            outcome = try await unlocks.outcome(of: Unlock(), within: limit) {
                await self.inTurn(asker) { await unlock() } ?? .notUnlocked
            }
        } catch {
            throw error.refused(Refusal(.vaultLocked))
        }
        if case .notUnlocked = outcome { throw RefusedRequest(.vaultLocked) }
    }

    /// The person does not unlock it for those who wait.
    func noteUnlockDeclined() {
        for account in shares.unlockers {
            _ = denials.note(.unlock(account), at: surroundings.clock.steady.milliseconds)
        }
        shares.unlockers = []
    }

    /// Somebody has unlocked the vault: the prompt for that goes away.
    func noteUnlocked() {
        shares.unlockers = []
        denials.forget { if case .unlock = $0 { true } else { false } }
        unlocks.end(Unlock(), with: .unlocked)
    }

    /// The daemon ends: every prompt goes away.
    func stop() {
        consents.cancelAll()
        unlocks.cancelAll()
        approvals.cancelAll()
    }
}
