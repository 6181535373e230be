// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop

/// Checks once a second whether the programs still run for which the user is asked, for as long as there are any.
final class PromptWatch {
    private weak var engine: AutofillEngine?
    private var timer: LoopTimer?

    func begin(_ engine: isolated AutofillEngine) {
        self.engine = engine
        timer = LoopTimer(on: engine.loop, clock: .boottime, slack: .milliseconds(100)) { [unowned self] in check() }
    }

    func end() { timer = nil }

    private func check() {
        if self.engine?.assumeIsolated({ $0.endPromptsOfEnded() }) == true { arm() }
    }

    private func arm() {
        if timer?.deadline == nil { timer?.schedule(after: .milliseconds(Limits.promptPeerMilliseconds)) }
    }

    /// Waits for a prompt of a request.
    func watching<Result>(
        _ request: RequestContext, _ prompt: () async throws(RefusedRequest) -> Result
    ) async throws(RefusedRequest) -> Result {
        request.state.isPromptingUser = true
        arm()
        defer { request.state.isPromptingUser = false }
        return try await prompt()
    }
}
