// SPDX-License-Identifier: Apache-2.0

/// All that the kernel reports of the process that called connect(), or for which a delegate acts. A plain value, read
/// once.
package struct PeerEvidence: Hashable, Sendable {
    package var process: Int32
    package var user: UInt32
    package var group: UInt32
    /// Whether the kernel itself named the process by a descriptor (SO_PEERPIDFD, Linux 6.5), and it still ran after
    /// `/proc` had been opened: then it cannot have been confused with another process.
    package var isPinned: Bool
    /// When the process started, in clock ticks after boot; 0 when unreadable.
    package var startTime: UInt64
    package var executable: PeerExecutable
    package var controlGroup: ControlGroup?
    package var sandbox: SandboxEvidence
    /// Whether its paths mean something else than the session's; nil when that could not be read.
    package var mountNamespaceDiffers: Bool?
    /// Whether its root directory, its user or its process namespace is not ours, as in a sandbox.
    package var isApart: Bool
    /// This boot and login, for grants that end with it: the boot's ID, a slash, the session.
    package var login: String
    /// Whether a delegate handed over the descriptor of the process, which did not connect itself.
    package var isHandedOver: Bool

    package init(
        process: Int32, user: UInt32, group: UInt32, isPinned: Bool, startTime: UInt64, executable: PeerExecutable,
        controlGroup: ControlGroup?, sandbox: SandboxEvidence, mountNamespaceDiffers: Bool?, login: String,
        isHandedOver: Bool = false, isApart: Bool = false
    ) {
        self.process = process
        self.user = user
        self.group = group
        self.isPinned = isPinned
        self.startTime = startTime
        self.executable = executable
        self.controlGroup = controlGroup
        self.sandbox = sandbox
        self.mountNamespaceDiffers = mountNamespaceDiffers
        self.login = login
        self.isHandedOver = isHandedOver
        self.isApart = isApart
    }

    /// Whether it is seen to be outside any sandbox that has files, users or processes of its own, whatever made it.
    package var isOutsideSandbox: Bool { sandbox == .none && mountNamespaceDiffers == false && !isApart }

    /// Whether paths are for it what they are for the session, and the kernel's record of its file is its own: a process
    /// with a user namespace of its own can make the kernel report another file (PR_SET_MM_MAP).
    var hasSamePaths: Bool { mountNamespaceDiffers == false && !isApart }

    /// Whether the path of its executable is its own choice, or its starter's. A Flatpak's counts where it names another
    /// file outside.
    package var choosesPath: Bool {
        guard case .file(let file) = executable else { return false }
        return file.location == .elsewhere || sandbox == .none && !hasSamePaths
    }

    /// The path of its executable, printable; for users and for the record. It states where that is the process's own
    /// choice.
    package var shownPath: String? {
        guard case .file(let file) = executable, file.location != .elsewhere, choosesPath else {
            return executable.path
        }
        return "\(file.path) (in namespaces of its own)"
    }

    /// The same where another program may make the process's requests too, on a connection that both have.
    package var sharingItsRequests: PeerEvidence {
        var evidence = self
        if case .file(let file) = executable { evidence.executable = .file(file.sharingItsRequests) }
        return evidence
    }

    /// The ID of this boot.
    package var boot: Substring { login.prefix { $0 != "/" } }

    /// The app that its unit, of its user's own service manager, is named after.
    package var appUnit: AppUnit? { controlGroup?.app(of: user) }
}

/// What the process runs.
package enum PeerExecutable: Hashable, Sendable {
    case file(ExecutableFile)
    /// The kernel does not permit inspection: the process is not dumpable, or the daemon is confined. The error number.
    case unreadable(errno: Int32)

    /// The path, printable; for users and for the journal.
    package var path: String? {
        switch self {
        // The name that it has there is its starter's choice.
        case .file(let file):
            file.location == .elsewhere ? "\(file.path) (another file, in a mount namespace)" : file.path
        case .unreadable: nil
        }
    }
}
