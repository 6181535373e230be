// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import PeerIdentity
internal import Prompting

/// The program that asks, as a prompt shows it: everything that an app could have chosen is escaped and of limited length.
struct PromptedEvidence: Hashable, Sendable {
    /// The app's name from its registration, else its bundle ID.
    let name: String
    /// Bundle ID, program and the reason for the assurance; a line each.
    let lines: String

    init(
        name: String?, bundleID: String, assurance: Assurance?, peer: PeerEvidence, script: Script? = nil,
        starter: Starter? = nil, delegate: DelegateConnection?
    ) {
        let shownID = PromptText.shown(bundleID, limit: Limits.promptNameCharacters)
        self.name = name.map { PromptText.shown($0, limit: Limits.promptNameCharacters) } ?? shownID
        let program = Self.program(of: peer, running: script, startedBy: starter)
        var through = ""
        if let delegate {
            let path = PromptText.shown(delegate.program.path, limit: Limits.promptPathCharacters)
            through = "\nThrough: \(path)"
            if let evidence = delegate.evidence {
                through += "\nIt says: \(PromptText.shown(evidence, limit: Limits.promptPathCharacters))"
            }
        }
        lines = """
            App: \(shownID)
            Program: \(program)\(through)
            Identity: \(Self.words(for: assurance))
            """
    }

    /// An interpreter's names what it runs, else what started it, in no more bytes than another's.
    private static func program(
        of peer: PeerEvidence, running script: Script?, startedBy starter: Starter?
    ) -> String {
        let path = peer.shownPath ?? "unknown"
        guard case .file(let file) = peer.executable, file.interpreter != nil else {
            return "\(PromptText.shown(path, limit: Limits.promptPathCharacters)) (process \(peer.process))"
        }
        let started = script == nil ? starter?.path : nil
        let (running, shown) = (started == nil ? ", running " : ", started by ", Limits.promptNameCharacters / 2)
        let limit = Limits.promptPathCharacters - shown - running.utf8.count
        let runs = (script?.path ?? started).map { PromptText.shown($0, limit: limit) } ?? "an unknown program"
        return "\(PromptText.shown(path, limit: shown)) (process \(peer.process))\(running)\(runs)"
    }

    private static func words(for assurance: Assurance?) -> String {
        switch assurance {
        case .sandboxed: "sandboxed. It runs in the Flatpak of this app."
        case .installed: "installed. It is the program that was installed as this app."
        case .attributed: "attributed. Your session started it as this app; any program of yours can bring that about."
        case .claimed: "claimed. It says that it is this app; any program of yours can say so."
        case nil: "none."
        }
    }
}
