// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import PeerIdentity

/// One run of a script: the script as it was when its process connected, or started what connects, and that process.
struct ScriptRun: Hashable, Sendable {
    let owner: Subject
    let process: String
    /// How often another vault had replaced this one.
    let replacements: Int
}

/// What the user has allowed scripts for one run each: a script's programs (secret-tool) have a connection each.
final class ScriptRuns {
    private var consents = RecentValues<ScriptRun, SessionConsents>(limit: Limits.rememberedRuns)

    func note(_ question: ConsentQuestion, _ run: ScriptRun) {
        consents.change(run, or: SessionConsents()) { $0.note(question) }
    }

    func consents(of run: ScriptRun) -> SessionConsents { consents[run] ?? SessionConsents() }

    /// The vault was locked, or the user has decided otherwise since.
    func removeAll() { consents.removeAll() }
}

extension Session {
    /// What the user has allowed the connection, and the run of the script that it is of.
    var consents: SessionConsents {
        guard let run else { return memory.consents }
        return memory.consents.merged(with: runs.consents(of: run))
    }

    /// The user has answered a question.
    func note(_ question: ConsentQuestion) {
        memory.consents.note(question)
        if let run { runs.note(question, run) }
    }

    private var run: ScriptRun? {
        guard let owner = app?.owner, let process = peer.scriptProcess else { return nil }
        return ScriptRun(owner: owner, process: process, replacements: memory.ownership.replacements)
    }
}

extension Peer {
    /// The process that runs the script; nil where none is known.
    fileprivate var scriptProcess: String? {
        if script != nil { return passingName }
        return starter.flatMap { $0.script == nil ? nil : Peer.passingName(of: $0.evidence) }
    }
}
