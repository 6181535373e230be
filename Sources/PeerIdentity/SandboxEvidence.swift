// SPDX-License-Identifier: Apache-2.0

/// Whether the peer runs in a sandbox, and in which.
package enum SandboxEvidence: Hashable, Sendable {
    /// No `/.flatpak-info` in its root directory.
    case none
    case flatpak(FlatpakInstance, FlatpakDeployment)
    /// There is one, and it cannot be understood.
    case malformed(String)
    /// Its root directory is closed to us: unknown, which is not the same as none. The kernel's error number; EREMOTE
    /// where a program of the user's serves it (FUSE).
    case unreadable(errno: Int32)
}

/// How the files that a sandbox runs compare with those that Flatpak deployed.
package enum FlatpakDeployment: Hashable, Sendable {
    /// What is mounted at `/app` is what lies in the installation of this name (`system`, `user`, or the
    /// administrator's own), at this path outside the sandbox.
    case deployed(installation: String, files: String)
    /// The process is Flatpak's proxy, root's program, between the sandbox and the bus: outside the sandbox, and marked
    /// as that app's by Flatpak alone. What was deployed in the installation of this name lies at this path; what runs
    /// inside was not inspected. It counts only where a delegate handed the process over.
    case proxied(installation: String, files: String)
    /// What Flatpak deployed lies at this path, where a program of the user's serves it (FUSE): it is not inspected.
    case served(files: String)
    /// It is not; the reason, in a few words.
    case differs(String)
}
