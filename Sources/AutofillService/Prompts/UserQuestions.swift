// SPDX-License-Identifier: Apache-2.0

/// Asks the user for requests that wait.
struct UserQuestions {
    private let unlocker: VaultUnlocker
    private let consents: ConsentRecorder
    private let watch: PromptWatch

    init(_ unlocker: VaultUnlocker, _ consents: ConsentRecorder, _ watch: PromptWatch) {
        (self.unlocker, self.consents, self.watch) = (unlocker, consents, watch)
    }

    /// Waits until the vault is unlocked, by anybody.
    func unlock(for request: RequestContext, within limit: Duration) async throws(RefusedRequest) {
        try await watch.watching(request) { () async throws(RefusedRequest) in
            try await unlocker.awaitUnlock(request, within: limit)
        }
    }

    /// Waits for the user's consent, and keeps it for the request.
    ///
    /// - Returns: false where the answer could not be kept, since the vault is another or was locked meanwhile.
    func ask(
        _ question: ConsentQuestion, for request: RequestContext, within limit: Duration
    ) async throws(RefusedRequest) -> Bool {
        let allowance = try await watch.watching(request) { () async throws(RefusedRequest) in
            try await consents.ask(question, of: request.session.requester, within: limit)
        }
        guard let allowance else { return false }
        request.consents.allow(allowance)
        // Where the app was identified again meanwhile, the prompt has shown another subject.
        if question.item == nil || (try? request.session.subject()) == question.subject {
            request.session.note(question)
        }
        return true
    }
}
