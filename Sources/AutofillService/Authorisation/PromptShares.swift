// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import PeerIdentity

/// How many questions to the person each program has waiting. One that asks for much takes no place of others, and the person's
/// own command has one always.
struct PromptShares {
    /// Who asks.
    struct Asker: Hashable {
        /// Against whom it counts.
        let account: String
        /// Whether it is the person's own command.
        let isPerson: Bool
    }

    private var waiting: [Asker: Int] = [:]
    /// The accounts that wait for the vault to be unlocked, or did until it was.
    var unlockers: Set<String> = []
    /// The number of the last question about administration.
    var lastApproval = 0

    func admits(_ asker: Asker) -> Bool {
        guard waiting[asker, default: 0] < Limits.waitingPromptsPerApp else { return false }
        return asker.isPerson || waiting.reduce(0) { $0 + ($1.key.isPerson ? 0 : $1.value) } < Limits.waitingPrompts
    }

    mutating func enter(_ asker: Asker) { waiting[asker, default: 0] += 1 }

    mutating func leave(_ asker: Asker) {
        waiting[asker, default: 1] -= 1
        if waiting[asker] == 0 { waiting[asker] = nil }
    }
}

extension Session {
    /// Against whom counts what it takes of what all share: its sandboxed app, else its program. A delegate's connection counts
    /// against whom it speaks for.
    var account: String {
        if case .flatpak(let instance, _) = peer.evidence.sandbox { return "flatpak \(instance.appID)" }
        return peer.evidence.journalAccount
    }

    var asker: PromptShares.Asker { PromptShares.Asker(account: account, isPerson: isCommandLine) }
}
