// SPDX-License-Identifier: Apache-2.0

/// Why a peer is refused: it cannot be identified, or is not what it claims to be.
package enum PeerRefusal: Error, Hashable, Sendable {
    /// It belongs to another user.
    case otherUser(UInt32)
    /// The process that called connect() has ended; the present holder of its descriptor cannot be identified.
    case ended
    /// Since it was inspected it has started another program, or its executable was written to.
    case executableChanged
    /// The kernel shows no such process: it is in another process namespace.
    case invisible
    /// The descriptor that was handed over for it is not a pidfd.
    case notAProcess
    /// It acts for another, and is no installed program that an administrator names as a delegate. Its executable, if
    /// known.
    case notADelegate(executable: String?)
    /// The kernel does not permit reading this file of it.
    case unreadable(String)
    /// An inspection did not end in time.
    case late
    /// Its `/.flatpak-info` cannot be understood.
    case sandboxMalformed(String)
    case contradiction(Contradiction)
    /// A system call failed for a reason that does not concern the peer.
    case fault(operation: String, errno: Int32)
}

extension PeerRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .otherUser(let user): "The peer belongs to user \(user)."
        case .ended: "The process that connected has ended."
        case .executableChanged: "The peer's executable is not the one that connected."
        case .invisible: "The peer's process is not visible from here: it runs in another process namespace."
        case .notAProcess: "What was handed over is no descriptor of a process (pidfd_open, SO_PEERPIDFD)."
        case .notADelegate(let executable):
            "\(executable ?? "The peer") is no installed program that an administrator names as a delegate."
        case .unreadable(let file):
            "The peer's \(file) may not be read. A client must stay dumpable (use RLIMIT_CORE=1 against core dumps)."
        case .late: "The peer could not be inspected in time: a file system is slow, or hangs."
        case .sandboxMalformed(let why): "The peer's /.flatpak-info is malformed: \(why)."
        case .contradiction(let contradiction): "\(contradiction)"
        case .fault(let operation, let errno): "\(operation) failed with error \(errno)."
        }
    }
}
