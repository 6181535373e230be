// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import EventLoop
internal import Prompting
internal import Reasons

/// What the user is asked: one prompt on the screen at a time, each question once for all who ask the same, and none for a while
/// after a no.
final class PromptQueue {
    /// The outcome of a question about an app.
    enum ConsentOutcome: Sendable {
        /// The account that was picked, where there were any to pick from.
        case allowed(ObjectID?)
        case refused([Refusal])
        /// The answer could not be kept, and is asked for again.
        case unkept
        /// The vault is leased: what follows from the answer is determined when the lease has ended.
        case away
    }

    enum UnlockOutcome: Sendable {
        case unlocked
        case notUnlocked
        /// No key could be derived from what was typed, whether right or wrong.
        case busy
    }

    private struct Unlock: Hashable {}

    /// A question on the screen.
    private enum Shown: Equatable {
        case consent(ConsentQuestion)
        case approval(Int)
        case unlock
    }

    var denials = Denials()
    /// The one that somebody waits for, and since when it shows, in milliseconds of the steady clock.
    private var shown: (question: Shown, since: Int64)?
    private let screen: PromptScreen
    private var quotas = PromptQuotas()
    private let consents: SharedWork<ConsentQuestion, ConsentOutcome>
    private let unlocks: SharedWork<Unlock, UnlockOutcome>
    /// Each is asked by itself, by its number.
    private let approvals: SharedWork<Int, Bool?>
    private let clock: ServiceClock

    init(_ screen: PromptScreen, _ environment: ServiceContext) {
        self.screen = screen
        clock = environment.clock
        consents = SharedWork(environment.tasks, endsUnawaited: true)
        unlocks = SharedWork(environment.tasks, endsUnawaited: true)
        approvals = SharedWork(environment.tasks, endsUnawaited: true)
    }

    var canConfirm: Bool { screen.canConfirm }
    var canGivePassphrase: Bool { screen.canGivePassphrase }

    /// For how many milliseconds a denial still holds; nil where none does.
    func remaining(of denial: Denials.Key) -> Int64? {
        denials.remaining(of: denial, at: clock.steady.milliseconds)
    }

    /// Throws where the program, or all together, have as many questions waiting as there may be.
    private func checkCapacity(_ requester: PromptQuotas.Requester, isAsked: Bool) throws(RefusedRequest) {
        guard isAsked || quotas.admits(requester) else {
            throw RefusedRequest([Refusal(.tooManyRequests, retryAfterMilliseconds: 5000)])
        }
    }

    /// Shows a question once no other shows; nil where it was cancelled before that.
    private func show<Outcome>(
        _ requester: PromptQuotas.Requester, _ ask: () async -> Outcome
    ) async -> Outcome? {
        quotas.enter(requester)
        defer { quotas.leave(requester) }
        return await screen.show(for: requester, ask)
    }

    /// A question is on the screen; one that was cancelled just before is about to leave it again.
    private func noteShown(_ question: Shown) {
        shown = Task.isCancelled ? nil : (question: question, since: clock.steady.milliseconds)
    }

    /// Nobody waits for the answer to a question any more. Where it shows, its deadline is a no if it has shown for most of its time,
    /// and so are repeated withdrawals.
    private func noteUnanswered(_ question: Shown, _ denial: Denials.Key, _ failure: WaitFailure) {
        guard let shown, shown.question == question else { return }
        // Until it has left the screen the same may be asked again, and withdrawn before it shows.
        self.shown = nil
        let now = clock.steady.milliseconds
        switch failure {
        case .deadline:
            if now - shown.since >= Int64(Limits.unansweredPromptMilliseconds) { _ = denials.note(denial, at: now) }
        case .cancelled: denials.noteWithdrawal(of: denial, at: now)
        case .busy: break
        }
    }

    /// Asks about an app.
    ///
    /// - Parameters:
    ///   - vaultReturn: waits for a vault that is away; false where it does not come back as it was.
    ///   - conclude: what follows from the answer; called once, however many requests wait for it, and again after each
    ///     time that the vault was away.
    func ask(
        _ question: ConsentQuestion, of requester: PromptQuotas.Requester, within limit: Duration,
        vaultReturn: @escaping () async -> Bool, _ conclude: @escaping (ConsentAnswer?) -> ConsentOutcome
    ) async throws(RefusedRequest) -> ConsentOutcome {
        try checkCapacity(requester, isAsked: consents.isRunning(question))
        do throws(WaitFailure) {
            return try await consents.outcome(of: question, within: limit) {
                guard var put = await self.show(requester, { await self.put(question, conclude) }) else {
                    return .refused([Refusal(.cancelled)])
                }
                // Other prompts show meanwhile.
                while case .away = put.outcome {
                    guard await vaultReturn() else { return .unkept }
                    put.outcome = self.outcome(of: question, put.picked, conclude)
                }
                return put.outcome
            }
        } catch {
            let denial = Denials.Key(question)
            if !consents.isRunning(question) { noteUnanswered(.consent(question), denial, error) }
            throw error.refused(
                Refusal(.consentDenied, question.names, retryAfterMilliseconds: remaining(of: denial)))
        }
    }

    private func put(
        _ question: ConsentQuestion, _ conclude: (ConsentAnswer?) -> ConsentOutcome
    ) async -> (outcome: ConsentOutcome, picked: PromptScreen.Picked?) {
        // A no to this app while the question waited holds for it too.
        if let wait = remaining(of: Denials.Key(question)) {
            return (.refused([Refusal(.consentDenied, question.names, retryAfterMilliseconds: wait)]), nil)
        }
        noteShown(.consent(question))
        defer { shown = nil }
        let picked = await screen.answer(question)
        return (outcome(of: question, picked, conclude), picked)
    }

    private func outcome(
        of question: ConsentQuestion, _ picked: PromptScreen.Picked?, _ conclude: (ConsentAnswer?) -> ConsentOutcome
    ) -> ConsentOutcome {
        // Cancelled meanwhile, the answer is to a question that nobody asks any more.
        if Task.isCancelled { return .refused([Refusal(.cancelled)]) }
        let outcome = conclude(picked?.answer)
        let index = picked?.index ?? 0
        guard case .allowed = outcome, question.accounts.indices.contains(index) else { return outcome }
        return .allowed(question.accounts[index].id)
    }

    /// Asks whether a request of a program may administer.
    ///
    /// - Returns: nil where nobody could be asked.
    func approve(
        _ approval: Approval, of requester: PromptQuotas.Requester, for program: String, within limit: Duration
    ) async throws(RefusedRequest) -> Bool? {
        try checkCapacity(requester, isAsked: false)
        quotas.lastApproval += 1
        let (number, denial) = (quotas.lastApproval, Denials.Key(.approval(program: program)))
        do throws(WaitFailure) {
            return try await approvals.outcome(of: number, within: limit) {
                await self.show(requester) { await self.put(approval, number, denial) } ?? nil
            }
        } catch {
            noteUnanswered(.approval(number), denial, error)
            throw error.refused(Refusal(.consentDenied, retryAfterMilliseconds: remaining(of: denial)))
        }
    }

    private func put(_ approval: Approval, _ number: Int, _ denial: Denials.Key) async -> Bool? {
        // A no to this program while the question waited holds for it too.
        guard remaining(of: denial) == nil else { return false }
        noteShown(.approval(number))
        defer { shown = nil }
        let answer = await screen.approve(approval)
        // What nobody waited for any more is counted where that was found.
        if answer == false, !Task.isCancelled { _ = denials.note(denial, at: clock.steady.milliseconds) }
        return answer
    }

    func givePassphrase(_ prompt: Prompt) async -> PromptOutcome {
        noteShown(.unlock)
        defer { shown = nil }
        return await screen.givePassphrase(prompt)
    }

    /// Waits until the vault is unlocked, by anybody, and asks for the passphrase meanwhile.
    ///
    /// - Parameters:
    ///   - denial: what a no of the user is to.
    ///   - unlock: asks; run once for all who wait.
    func awaitUnlock(
        of requester: PromptQuotas.Requester, as denial: Denials.Key, within limit: Duration,
        _ unlock: @escaping () async -> UnlockOutcome
    ) async throws(RefusedRequest) {
        try checkCapacity(requester, isAsked: unlocks.isRunning(Unlock()))
        quotas.unlockers[denial, default: 0] += 1
        let outcome: UnlockOutcome
        do throws(WaitFailure) {
            outcome = try await unlocks.outcome(of: Unlock(), within: limit) {
                await self.show(requester) { await unlock() } ?? .notUnlocked
            }
        } catch {
            quotas.leaveUnlock(denial)
            if !unlocks.isRunning(Unlock()) { noteUnanswered(.unlock, denial, error) }
            throw error.refused(Refusal(.vaultLocked, retryAfterMilliseconds: remaining(of: denial)))
        }
        if outcome == .unlocked { return }
        quotas.leaveUnlock(denial)
        throw RefusedRequest([outcome == .busy ? .derivationsBusy : Refusal(.vaultLocked)])
    }

    /// The user does not unlock it for those who wait.
    func noteUnlockDeclined() {
        denials.note(quotas.unlockers.keys, at: clock.steady.milliseconds)
        quotas.unlockers = [:]
    }

    /// The vault was unlocked: the prompt for that is removed.
    func noteUnlocked() {
        quotas.unlockers = [:]
        if shown?.question == .unlock { shown = nil }
        denials.forget(where: \.isUnlock)
        unlocks.end(Unlock(), with: .unlocked)
    }

    /// The daemon ends: every prompt is removed.
    func stop() {
        consents.cancelAll()
        unlocks.cancelAll()
        approvals.cancelAll()
    }
}
