// SPDX-License-Identifier: Apache-2.0
package import PeerIdentity

/// The process at the other end, as `PeerInspection` has found it.
package struct Peer {
    package let evidence: PeerEvidence
    /// Reads again what stands for the process, before each release; throws when it has ended or become another. Never waits for
    /// a file system.
    package let confirm: () throws(PeerRefusal) -> Void
    /// The SHA-256 of its executable, in hexadecimal, where the subject of a grant needs it.
    package let contentHash: String?
    /// What it runs, where it is an interpreter and that is known.
    package let script: Script?
    /// What started it, where its own file and arguments do not identify its program.
    package let starter: Starter?
    /// Reads at which terminal the process sits now. Never waits for a file system.
    package let terminal: () -> TerminalSession?
    /// The program as the kernel reports it, whose quota of the journal it uses.
    let journalQuotaKey: String
    /// The program whose other quotas it uses: its Flatpak, all other sandboxes together, else its program.
    let quotaKey: String
    /// The program that the user's denials to unlock are for. No program in a sandbox, and none whose requests a proxy
    /// sends, causes another one's, nor one of the program whose file it runs.
    let denialKey: String

    package init(
        evidence: PeerEvidence, confirm: @escaping () throws(PeerRefusal) -> Void, contentHash: String?,
        script: Script? = nil, starter: Starter? = nil, terminal: @escaping () -> TerminalSession? = { nil }
    ) {
        self.script = script
        self.starter = starter
        self.terminal = terminal
        self.evidence = evidence
        self.confirm = confirm
        self.contentHash = contentHash
        journalQuotaKey =
            switch evidence.executable {
            case .file(let file): "\(file.identity.device):\(file.identity.inode)"
            case .unreadable: "process \(evidence.process)"
            }
        (quotaKey, denialKey) = Self.keys(of: evidence, running: script, startedBy: starter, journalQuotaKey)
    }

    private static func keys(
        of evidence: PeerEvidence, running script: Script?, startedBy starter: Starter?, _ program: String
    ) -> (quota: String, denial: String) {
        switch evidence.sandbox {
        case .flatpak(let instance, .deployed),
            .flatpak(let instance, .proxied) where evidence.isHandedOver:
            return ("flatpak \(instance.appID)", "flatpak \(instance.appID)")
        default: break
        }
        guard evidence.isOutsideSandbox else {
            return ("sandboxes", sandboxName(of: evidence, running: program))
        }
        guard evidence.isHandedOver, evidence.isCarrier(running: script) else { return (program, program) }
        let quota = "\(program) started by \(starter?.path ?? "an unknown program")"
        let isDistinguished = evidence.ownLine(running: script, startedBy: starter) != nil
        return (quota, isDistinguished ? quota : passingName(of: evidence))
    }
}

extension Peer {
    private static func sandboxName(of evidence: PeerEvidence, running program: String) -> String {
        "sandbox \(evidence.controlGroup?.unit ?? "") \(program)"
    }

    /// What stands for it where nothing distinguishes it from others that run its file.
    var undistinguished: Denials.Undistinguished {
        evidence.isOutsideSandbox
            ? Denials.Undistinguished(file: journalQuotaKey, process: passingName)
            : Denials.Undistinguished(
                file: "sandbox \(journalQuotaKey)", process: Self.sandboxName(of: evidence, running: journalQuotaKey))
    }

    /// What the user's no to unlock is to, where it asks.
    var unlockDenial: Denials.Key {
        Denials.Key(.unlock(denialKey), by: denialKey == undistinguished.process ? undistinguished : nil)
    }
}

/// The process that a delegate speaks for, as it was inspected by its pidfd.
package struct HandedOverPeer: Sendable {
    package let evidence: PeerEvidence
    package let confirm: @Sendable () throws(PeerRefusal) -> Void
    /// Reads what it runs, where it is an interpreter and that is known.
    package let script: @Sendable () -> Script?
    /// Inspects the process that started it.
    package let starter: @Sendable () -> Starter?

    package init(
        evidence: PeerEvidence, confirm: @escaping @Sendable () throws(PeerRefusal) -> Void,
        script: @escaping @Sendable () -> Script? = { nil }, starter: @escaping @Sendable () -> Starter? = { nil }
    ) {
        self.evidence = evidence
        self.confirm = confirm
        self.script = script
        self.starter = starter
    }
}

/// Inspects files of programs, which may lie on a file system that hangs: for the worker pool.
package struct FileInspections: Sendable {
    /// What the executables that a registration names are now.
    package let registered: @Sendable ([String]) -> [RegisteredExecutable]
    /// The SHA-256 of the file at a path, in hexadecimal, if it is still of this version; nil where it cannot be read.
    package let contentHash: @Sendable (String, ContentVersion) -> String?

    /// The programs that an administrator names as delegates, as they are now.
    package let delegates: @Sendable () -> [DelegateEvidence]
    /// The families that an administrator names the program at a path in, as they are now.
    package let families: @Sendable (String) -> [FamilyEvidence]
    /// The first 16 hexadecimal digits of the SHA-256 of a text.
    package let nameHash: @Sendable (String) -> String
    /// The name of the mounts or users that the process of a pidfd has of its own, as in a sandbox; nil where it has none. Waits for
    /// nothing: for the loop, too.
    package let ownNamespaces: @Sendable (Int32) -> String?
    /// Inspects the process of a pidfd.
    package let inspect: @Sendable (Int32) -> Result<HandedOverPeer, PeerRefusal>

    package init(
        registered: @escaping @Sendable ([String]) -> [RegisteredExecutable],
        contentHash: @escaping @Sendable (String, ContentVersion) -> String?,
        delegates: @escaping @Sendable () -> [DelegateEvidence] = { [] },
        families: @escaping @Sendable (String) -> [FamilyEvidence] = { _ in [] },
        nameHash: @escaping @Sendable (String) -> String = { _ in "0" },
        ownNamespaces: @escaping @Sendable (Int32) -> String? = { _ in nil },
        inspect: @escaping @Sendable (Int32) -> Result<HandedOverPeer, PeerRefusal> = { _ in .failure(.notAProcess) }
    ) {
        self.registered = registered
        self.contentHash = contentHash
        self.delegates = delegates
        self.families = families
        self.nameHash = nameHash
        self.ownNamespaces = ownNamespaces
        self.inspect = inspect
    }
}

extension Peer {
    private static let passing = "process:"

    /// What stands for a program that could not be known again: this process, as long as it runs. Numbers and times of
    /// processes come again after a boot; the vault keeps the name as what wrote something.
    var passingName: String { Self.passingName(of: evidence) }

    static func passingName(of evidence: PeerEvidence) -> String {
        "\(passing)\(evidence.process)@\(evidence.startTime)/\(evidence.boot)"
    }

    /// The same, as far as a delegate speaks for it.
    func passingName(through delegate: String?) -> String {
        delegate.map { "\(passingName) through \($0)" } ?? passingName
    }

    /// Whether a subject's executable names no more than a running process.
    static func isPassing(_ executable: String) -> Bool { executable.hasPrefix(passing) }

    /// The program, as far as it can be distinguished from another one.
    var program: String { evidence.shownPath ?? passingName }
}
