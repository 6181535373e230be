// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// A method's handler: from parameters to answer, or the reasons why not. A file of `Methods/` each.
protocol ServedCall: MethodCall {
    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> Answer
    /// The answer, where nothing has to be waited for; else nil, and nothing was done.
    func performAtOnce(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer?
}

extension ServedCall {
    func performAtOnce(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer? { nil }
}

/// A method that is one decision: it looks at every condition, and acts, without waiting in between. Where a condition has to be
/// waited for it throws that, and is judged anew afterwards.
protocol DecidedCall: ServedCall {
    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer
}

extension DecidedCall {
    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> Answer {
        try await modules.decide(request) { () throws(RefusedRequest) in try decide(request, modules) }
    }

    func performAtOnce(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer? {
        switch try modules.judge(request, { () throws(RefusedRequest) in try decide(request, modules) }) {
        case .made(let answer): answer
        case .waits: nil
        }
    }
}

/// A method whose proof may be a prompt.
protocol PromptedCall: ServedCall, ProvableCall {
    /// What the request would do, after "wants to": names in it are escaped, and what it names by an id is looked up, so that
    /// the person is told whose it is. Throws what the request itself would get for an id that is nobody's.
    func promptSummary(_ modules: Modules) throws(RefusedRequest) -> String
}
