// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import Credentials
internal import Prompting
internal import Reasons

/// Prompts that are the proof of requests.
final class RequestApprovals {
    private let prompts: PromptQueue
    private let questions: ConsentQuestions
    private let watch: PromptWatch

    init(_ prompts: PromptQueue, _ questions: ConsentQuestions, _ watch: PromptWatch) {
        self.prompts = prompts
        self.questions = questions
        self.watch = watch
    }

    /// - Parameter text: what the request would do, after "wants to"; nil where no prompt can be its proof.
    func approval(of request: RequestView, _ text: () throws(Unsettled) -> String?) throws(Unsettled) -> Approval {
        guard prompts.canConfirm else { throw Unsettled(.proofRequired) }
        if let wait = prompts.remaining(of: Denials.Key(.approval(program: request.peer.program))) {
            throw Unsettled([Refusal(.consentDenied, retryAfterMilliseconds: wait)])
        }
        guard let text = try text() else { throw Unsettled(.proofRequired) }
        let evidence = questions.evidence(of: request)
        return Approval(
            bundleID: request.bundleID?.text ?? "",
            prompt: Prompt(
                title: ConsentQuestion.title, description: "\(evidence.name) wants to \(text).\n\n\(evidence.lines)",
                kind: .confirm(yes: "Allow", no: "Do not allow"), parentWindow: request.page.parentWindow))
    }

    /// Returns on a yes, throws on a no.
    ///
    /// - Returns: false where nobody could be asked.
    func ask(_ approval: Approval, _ request: RequestContext) async throws(RefusedRequest) -> Bool {
        try request.willWait()
        let limit = Duration.milliseconds(Limits.promptMilliseconds)
        let answer = try await watch.watching(request) { () async throws(RefusedRequest) in
            try await prompts.approve(
                approval, of: request.session.requester, for: request.session.peer.program, within: limit)
        }
        guard answer == false else { return answer != nil }
        let wait = prompts.remaining(of: Denials.Key(.approval(program: request.session.peer.program)))
        throw RefusedRequest([Refusal(.consentDenied, retryAfterMilliseconds: wait)])
    }
}
