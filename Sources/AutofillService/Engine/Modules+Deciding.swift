// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import EventLoop
internal import Reasons

extension Modules {
    /// What came of one judgement.
    enum Judgement<Result> {
        case made(Result)
        /// It has to be judged anew when that has come about.
        case waits(Awaited)
    }

    /// Judges a request until nothing has to be waited for, and gives what came of it: whatever changed while it waited is looked
    /// at again, since each judgement begins at its start and nothing happens in the middle of one.
    func decide<Result>(
        _ request: RequestContext, _ decision: () throws(RefusedRequest) -> Result
    ) async throws(RefusedRequest) -> Result {
        // The turn in which it was judged already has opened as much as one may.
        if request.progress.hasSpentTurn { try await wait(request, for: .turn) }
        while true {
            // What it waited for may have come in the very turn in which it was taken back.
            if Task.isCancelled { throw RefusedRequest(.cancelled) }
            switch try judge(request, decision) {
            case .made(let result): return result
            case .waits(let awaited):
                try await wait(request, for: awaited)
                // Files may be others since the person was asked.
                if awaited.isPrompt { try await apps.identifyAgain(request.session) }
            }
        }
    }

    /// Judges a request once.
    func judge<Result>(
        _ request: RequestContext, _ decision: () throws(RefusedRequest) -> Result
    ) throws(RefusedRequest) -> Judgement<Result> {
        request.session.follow(replacements: vault.replacements)
        if request.hasLostProof { throw RefusedRequest(.proofRequired) }
        try request.session.confirmPeer()
        // One look is enough for a judgement, in which nothing else runs.
        request.progress.isPeerConfirmed = true
        let open = vault.opened
        open?.beginTurn(endsPages: request.method.answersPage)
        defer {
            open?.endTurn()
            request.progress.isPeerConfirmed = false
        }
        do throws(RefusedRequest) {
            return .made(try decision())
        } catch {
            let error = withEveryReason(error, request)
            guard case .waits(let awaited) = authoriser.waitingForUnlock(error, request) else { throw error }
            request.progress.hasSpentTurn = awaited.isTurn
            return .waits(awaited)
        }
    }

    /// Waits until it has come about, whoever brings that about; throws where it will not, or the request is taken back.
    func wait(_ request: RequestContext, for awaited: Awaited) async throws(RefusedRequest) {
        try request.willWait()
        let limit = Duration.milliseconds(awaited.waitMilliseconds)
        request.progress.isAskingPerson = awaited.isPrompt
        if awaited.isPrompt { surroundings.prompts.arm() }
        defer { request.progress.isAskingPerson = false }
        do throws(RefusedRequest) {
            switch awaited {
            case .unlock: try await authoriser.awaitUnlock(request, within: limit, derivations)
            case .consent(let question):
                request.allow(
                    try await authoriser.awaitConsent(question, of: request.session.asker, within: limit))
            case .generator(let key):
                try await generators.make(key, for: request.session.account, within: limit)
            case .association(let query, let app):
                do throws(WaitFailure) { try await associations.awaitAnswer(query, for: app, within: limit) } catch {
                    throw error.refused(awaited.refusalAfterWaiting)
                }
            case .turn:
                guard await laterTurns.next(as: request.session.account) else { throw RefusedRequest(.cancelled) }
                request.progress.hasSpentTurn = false
            case .vaultWork:
                do throws(WaitFailure) { try await vault.awaitReturn(within: limit) } catch {
                    throw error.refused(awaited.refusalAfterWaiting)
                }
            }
        } catch {
            guard case .waits(let next) = error else { throw error }
            try await wait(request, for: next)
        }
    }
}

extension Method {
    /// Whether its answer is a page of the vault, with a cursor for what does not fit.
    fileprivate var answersPage: Bool {
        switch self {
        case .credentialList, .keychainList, .keychainSearch, .offerList, .grantList, .releaseList: true
        default: false
        }
    }
}
