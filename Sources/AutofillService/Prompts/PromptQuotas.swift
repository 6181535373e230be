// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// How many questions to the user each program has waiting. A program that asks much uses no quota of others, and the user's
/// own command always has its own.
struct PromptQuotas {
    /// The program that asks.
    struct Requester: Hashable {
        let quotaKey: String
        /// Whether it is the user's own command.
        let isCommandLine: Bool
    }

    private var waiting: [Requester: Int] = [:]
    /// How many requests wait for the vault to be unlocked, by what a no is to.
    var unlockers: [Denials.Key: Int] = [:]
    /// The number of the last question about administration.
    var lastApproval = 0

    func admits(_ requester: Requester) -> Bool {
        guard waiting[requester, default: 0] < Limits.waitingPromptsPerApp else { return false }
        let all = waiting.reduce(0) { $0 + ($1.key.isCommandLine ? 0 : $1.value) }
        return requester.isCommandLine || all < Limits.waitingPrompts
    }

    mutating func enter(_ requester: Requester) { waiting[requester, default: 0] += 1 }

    mutating func leave(_ requester: Requester) {
        waiting[requester, default: 1] -= 1
        if waiting[requester] == 0 { waiting[requester] = nil }
    }

    /// A request waits for the unlock no more: a later no of the user is not to it.
    mutating func leaveUnlock(_ denial: Denials.Key) {
        unlockers[denial, default: 1] -= 1
        if unlockers[denial] == 0 { unlockers[denial] = nil }
    }
}

extension Session {
    /// The program whose quotas it uses. A delegate's connection uses those of the program that it acts for.
    var quotaKey: String { peer.quotaKey }

    var requester: PromptQuotas.Requester { PromptQuotas.Requester(quotaKey: quotaKey, isCommandLine: isCommandLine) }
}
