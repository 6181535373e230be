// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc
internal import PathInspection
package import PeerIdentity

/// Identifies the peer of a connected UNIX socket, once per connection.
///
/// Needs no privilege beyond being the same user, but an unrestricted view of `/proc`. Each call blocks for tens of
/// microseconds; for as long as a file system of root's hangs (NFS, a disk), if the peer's executable is on one that
/// hangs, so it must not run on an event loop. No call waits for a file system that a program of the user's serves
/// (FUSE), except behind an overlay file system that is the root directory of a process with mounts of its own: see
/// `ForeignRoots`.
package struct PeerInspector: Sendable {
    private let owner: UInt32
    private let usesPidfd: Bool
    private let installations: FlatpakInstallations
    /// The mount namespaces in which paths have the meaning that they have for the user: the daemon's own, and its
    /// parent's (the user's service manager), for the daemon may have private mounts.
    private let mountNamespaces: Set<UInt64>
    private let own: OwnNamespaces
    private let foreignRoots = ForeignRoots()
    private let boot: String

    /// - Parameters:
    ///   - owner: the only user whose processes are inspected.
    ///   - usesPidfd: false: SO_PEERPIDFD is not used even where the kernel has it.
    ///   - installations: where a Flatpak may have been deployed.
    package init(owner: UInt32, usesPidfd: Bool = true, installations: FlatpakInstallations) {
        self.owner = owner
        self.usesPidfd = usesPidfd
        self.installations = installations
        mountNamespaces = Set(
            ["/proc/self", "/proc/\(getppid())"].compactMap { ProcessDirectory.namespace("mnt", at: $0) })
        own = OwnNamespaces(
            user: ProcessDirectory.namespace("user", at: "/proc/self"),
            process: ProcessDirectory.namespace("pid", at: "/proc/self"))
        let content = try? Descriptor.open("/proc/sys/kernel/random/boot_id", O_RDONLY).read(atMost: 64)
        boot = content.map { PrintableBytes.text($0.prefix { $0 != UInt8(ascii: "\n") }) } ?? "unknown-boot"
    }

    private struct OwnNamespaces {
        let user: UInt64?
        let process: UInt64?
    }

    /// For this process's own user. `FLATPAK_USER_DIR`, `XDG_DATA_HOME` and `HOME` locate the user's Flatpaks.
    package static func ofThisProcess(environment: [String: String]) -> PeerInspector {
        let userData = environment["XDG_DATA_HOME"] ?? environment["HOME"].map { "\($0)/.local/share" }
        let user = environment["FLATPAK_USER_DIR"] ?? userData.map { "\($0)/flatpak" }
        return PeerInspector(owner: geteuid(), installations: FlatpakInstallations(user: user))
    }

    /// Identifies the process that called connect() on the other end of `socket`.
    package func inspect(_ socket: Int32) throws(PeerRefusal) -> InspectedPeer {
        var credentials = af_credentials()
        let result = af_peer_credentials(socket, &credentials)
        guard result == 0 else { throw .fault(operation: "SO_PEERCRED", errno: -result) }
        guard credentials.uid == owner else { throw .otherUser(credentials.uid) }
        guard credentials.pid > 0 else { throw .invisible }
        let pidfd = usesPidfd ? af_peer_pidfd(socket) : -ENOPROTOOPT
        switch -pidfd {
        case ...0: return try inspect(at: credentials, pidfd: Descriptor(number: pidfd))
        case ENOPROTOOPT: return try inspect(at: credentials, pidfd: nil)
        case ESRCH, EINVAL: throw .ended
        default: throw .fault(operation: "SO_PEERPIDFD", errno: -pidfd)
        }
    }

    /// The name of the mounts, or else of the users, that a process has of its own now, as in a sandbox: it can then make
    /// its inspection take long. nil where it has none; a name of the process where that cannot be read. Two system calls,
    /// which wait for nothing: it may be called on an event loop.
    package func ownNamespaces(process: Int32) -> String? {
        let mounts = ProcessDirectory.namespace("mnt", at: "/proc/\(process)")
        guard mounts.map({ mountNamespaces.contains($0) }) == true else {
            return mounts.map { "mnt:\($0)" } ?? "process:\(process)"
        }
        let users = ProcessDirectory.namespace("user", at: "/proc/\(process)")
        return users == own.user ? nil : users.map { "user:\($0)" } ?? "process:\(process)"
    }

    /// What the systemd unit of a process is named after now, an app or the unit itself; nil where it has none, or that
    /// cannot be read. Reads one file of `/proc`, and waits for no file system: it may be called on an event loop.
    package func unit(process: Int32) -> String? {
        (try? ProcessDirectory(process: process))?.controlGroup.flatMap { unit(of: $0) }
    }

    /// An app gets any number of units, as by Flatpak's portal, all of its name.
    private func unit(of group: ControlGroup) -> String? { group.app(of: owner)?.appID ?? group.unit }

    /// Inspects a process and, where a pidfd is available, verifies that it ran all the time: then the number was not
    /// reused in between.
    func inspect(
        at credentials: af_credentials, pidfd: Descriptor?, isHandedOver: Bool = false
    ) throws(PeerRefusal) -> InspectedPeer {
        guard credentials.uid == owner else { throw .otherUser(credentials.uid) }
        let directory = try ProcessDirectory(process: credentials.pid)
        if pidfd == nil { try refuseReused(directory, by: credentials.uid) }
        try confirmRunning(pidfd)
        var evidence = try read(directory, credentials, isPinned: pidfd != nil)
        evidence.isHandedOver = isHandedOver
        try confirmRunning(pidfd)
        return InspectedPeer(evidence: evidence, directory: directory)
    }

    private func confirmRunning(_ pidfd: Descriptor?) throws(PeerRefusal) {
        if let pidfd, !af_pidfd_is_alive(pidfd.number) { throw .ended }
    }

    /// Without a pidfd a later process may have the number; one of another user is detected by its directory's owner.
    private func refuseReused(_ directory: ProcessDirectory, by user: UInt32) throws(PeerRefusal) {
        guard let facts = try? directory.descriptor.facts(), facts.userID == user || facts.userID == 0 else {
            throw .ended
        }
    }

    private func read(
        _ directory: ProcessDirectory, _ credentials: af_credentials, isPinned: Bool
    ) throws(PeerRefusal) -> PeerEvidence {
        // The root first: a process that has left our mounts never gets back into them.
        let root = directory.root()
        let hasSameMounts = directory.namespace("mnt").map { mountNamespaces.contains($0) }
        let hasOtherRoot = directory.hasOtherRoot
        let executable: PeerExecutable
        do throws(PeerRefusal) {
            executable = .file(try directory.executableFile(hasSameMounts: hasSameMounts == true))
        } catch {
            guard case .unreadable = error else { throw error }
            executable = .unreadable(errno: EACCES)
        }
        func readSandbox() -> SandboxEvidence {
            directory.sandbox(in: root, hasSameMounts: hasSameMounts == true, installations: installations)
        }
        let isForeign = hasSameMounts != true || hasOtherRoot
        let controlGroup = directory.controlGroup
        let unit = controlGroup.flatMap { self.unit(of: $0) } ?? ""
        let sandbox = try isForeign ? foreignRoots.read(of: unit) { readSandbox() } : readSandbox()
        let startTime = directory.content(of: "stat").flatMap { ProcessStatus.startTime(in: $0) }
        let auditSession = directory.content(of: "sessionid").flatMap { ProcessStatus.auditSession(in: $0) }
        let session = auditSession ?? controlGroup?.session.map { "session-\($0)" } ?? "any-session"
        return PeerEvidence(
            process: credentials.pid, user: credentials.uid, group: credentials.gid, isPinned: isPinned,
            startTime: startTime ?? 0, executable: executable, controlGroup: controlGroup, sandbox: sandbox,
            mountNamespaceDiffers: hasSameMounts.map { !$0 }, login: "\(boot)/\(session)",
            isApart: hasOtherRoot || directory.namespace("user") != own.user
                || directory.namespace("pid") != own.process)
    }
}
