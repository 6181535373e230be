// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import PeerIdentity

/// The subjects of a client's grant, by how long it is valid; nil where it cannot be remembered.
struct Grantees: Hashable, Sendable {
    private(set) var untilLogout: Subject?
    private(set) var always: Subject?
    /// What the app's own data is given to, where nothing that the kernel reports distinguishes the program from any other.
    private(set) var owner: Subject?

    init(untilLogout: Subject? = nil, always: Subject? = nil) {
        (self.untilLogout, self.always) = (untilLogout, always)
    }

    /// - Parameters:
    ///   - subject: the client as the vault knows it.
    ///   - owner: what its own data is given to, where it is an interpreter.
    ///   - isRelayed: whether the client sends what other programs give it.
    ///   - script: the line of its script, where that is known again after the login.
    init(_ subject: Subject, owner: Subject?, isRelayed: Bool, script: String?, login: String) {
        self.owner = owner
        if Peer.isPassing(subject.executable) { return }
        guard let owner else {
            untilLogout = subject.running(GrantSubject.line(subject.executable, ofLogin: login))
            always = subject
            return
        }
        always = script.map { subject.running($0) }
        // Of programs behind a relay that nothing distinguishes, consent for one does not apply to another.
        untilLogout = !Peer.isPassing(owner.executable) ? owner : isRelayed ? nil : subject
    }

    /// Of a question about what is others': equal for all processes of one program, as far as there is one.
    var ofQuestion: Grantees { all.isEmpty ? self : Grantees(untilLogout: untilLogout, always: always) }

    /// The same where no consent is remembered.
    var ofOneTime: Grantees { all.isEmpty ? self : Grantees() }

    /// The same for the app's own data: of an interpreter that runs nothing that is known there is none.
    func ofOwner(_ owner: Subject) -> Grantees {
        Grantees(untilLogout: Peer.isPassing(owner.executable) ? nil : owner, always: always)
    }

    /// The path of the program or script that can be known again; nil for a sandbox.
    var path: String? {
        guard let always else { return nil }
        return always.path(after: "path:", isFollowedByHash: false)
            ?? always.path(after: "script:", isFollowedByHash: true)
            ?? always.path(after: "file:", isFollowedByHash: true)
    }

    var all: [Subject] { [untilLogout, always].compactMap(\.self) }
}

extension Subject {
    /// The same app, as this executable.
    func running(_ executable: String) -> Subject { Subject(app: app, assurance: assurance, executable: executable) }

    /// The path in a subject of such a kind; nil in another's.
    func path(after kind: String, isFollowedByHash: Bool) -> String? {
        let own = executable.hasPrefix("via:") ? executable.split(separator: " ", maxSplits: 1).last : executable[...]
        guard let own, own.hasPrefix(kind) else { return nil }
        guard isFollowedByHash else { return String(own.dropFirst(kind.count)) }
        return own.lastIndex(of: "#").map { String(own[..<$0].dropFirst(kind.count)) }
    }

    /// Every program that claims to be the app: a no for good of one that could not be known again is for these.
    var ofAnyProgram: Subject { Subject(app: app, assurance: Assurance.claimed.rawValue, executable: "") }
}

extension Peer {
    /// What it runs, or what started it does, where only root can change each interpreter on the way: any other file of that
    /// name could claim the script.
    var lastingScript: Script? {
        if let script { return evidence.isRootsProgram ? script : nil }
        guard let starter, evidence.isRootsProgram, starter.evidence.isRootsProgram else { return nil }
        return starter.script
    }
}

extension PeerEvidence {
    fileprivate var isRootsProgram: Bool {
        guard case .file(let file) = executable, mountNamespaceDiffers == false, !isApart else { return false }
        return file.location == .rootOwned
    }
}
