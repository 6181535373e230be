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
                through += "\nIt states: \(PromptText.shown(evidence, limit: Limits.promptPathCharacters))"
            }
        }
        lines = """
            App: \(shownID)
            Program: \(program)\(through)
            Identity: \(Self.words(for: assurance))
            """
    }

    /// An interpreter's names what it runs, else what started it. In any case it has as many bytes: the paths are shortened, and
    /// not what is stated of them.
    private static func program(
        of peer: PeerEvidence, running script: Script?, startedBy starter: Starter?
    ) -> String {
        let namespaces = "in namespaces of its own"
        let path = peer.executable.file?.path ?? "unknown"
        let own = peer.choosesPath ? ", \(namespaces)" : ""
        let process = " (process \(peer.process)\(own))"
        let limit = Limits.promptPathCharacters - own.utf8.count
        guard peer.executable.file?.interpreter != nil else { return PromptText.shown(path, limit: limit) + process }
        let started = script == nil ? starter?.shown : nil
        let running = started == nil ? ", running " : ", started by "
        let others = started?.choosesPath == true ? own.isEmpty ? " (\(namespaces))" : " (the same)" : ""
        let rest = limit - running.utf8.count - others.utf8.count
        let first = min(Limits.promptNameCharacters / 2, rest / 2)
        let runs =
            (script?.path ?? started?.path).map { PromptText.shown($0, limit: rest - first) } ?? "an unknown program"
        return "\(PromptText.shown(path, limit: first))\(process)\(running)\(runs)\(others)"
    }

    private static func words(for assurance: Assurance?) -> String {
        switch assurance {
        case .sandboxed: "sandboxed. It runs in the Flatpak of this app."
        case .installed: "installed. It is the program that was installed as this app."
        case .attributed: "attributed. Your session started it as this app; any of your programs can do this."
        case .claimed: "claimed. It claims to be this app; any of your programs can."
        case nil: "none."
        }
    }
}

extension PeerExecutable {
    fileprivate var file: ExecutableFile? { if case .file(let file) = self { file } else { nil } }
}

extension Starter {
    /// Its script or its program, and whether that path is its own choice.
    fileprivate var shown: (path: String, choosesPath: Bool)? {
        if let script { return (script.path, false) }
        return evidence.executable.file.map { ($0.path, evidence.choosesPath) }
    }
}
