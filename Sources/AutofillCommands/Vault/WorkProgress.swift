// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillProtocol

extension AutofillSession {
    /// A call that works on the whole vault. After one second its progress is shown on a terminal.
    func call<Call: MethodCall>(
        _ call: Call, showingProgressOn console: Console?
    ) async throws(CommandFailure) -> Call.Answer {
        guard let console, console.isTerminal else { return try await self.call(call) }
        // Cancelled when the call is answered.
        async let _: Void = watch(console)
        return try await self.call(call)
    }

    private func watch(_ console: Console) async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            guard let work = try? await perform(Status()).work, work.all > 0, !Task.isCancelled else { continue }
            console.printError("\(work.done * 100 / work.all) % of \(work.all)")
        }
    }
}
