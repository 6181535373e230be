// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import Prompting

/// A request that administers and has a prompt for its proof: this one request, of this connection.
package struct Approval: Hashable, Sendable {
    let client: ClientID
    let request: RequestID
    /// What the connection says it is.
    package let bundleID: String
    package let prompt: Prompt

    package static func == (one: Approval, other: Approval) -> Bool {
        one.client == other.client && one.request == other.request
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(client)
        hasher.combine(request)
    }
}

/// A call that can say to the person what it would do.
protocol DescribedDeed: ProvableCall {
    /// After "wants to": names in it are escaped.
    var deed: String { get }
}

extension DescribedDeed {
    static func shown(_ text: String) -> String { PromptText.shown(text, limit: Limits.promptPathCharacters) }
}
