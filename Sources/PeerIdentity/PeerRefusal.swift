// SPDX-License-Identifier: Apache-2.0

/// Why nothing can be done for a peer: it cannot be known, or is known not to be what it says.
package enum PeerRefusal: Error, Hashable, Sendable {
    /// It belongs to another user.
    case otherUser(UInt32)
    /// The process that called connect() has ended; who holds its descriptor now cannot be known.
    case ended
    /// Since it was inspected it has started another program, or its executable was written to.
    case executableChanged
    /// The kernel shows us no such process: it lives in a process namespace that is not ours.
    case invisible
    /// What was handed over for it is no descriptor of a process.
    case notAProcess
    /// It speaks for another, and is no installed program that an administrator names as a delegate. Its executable, where
    /// that is known.
    case notADelegate(executable: String?)
    /// The kernel does not let us look at this part of it.
    case unreadable(String)
    /// A look at it did not end in time.
    case late
    /// Its `/.flatpak-info` cannot be understood.
    case sandboxMalformed(String)
    case contradiction(Contradiction)
    /// A system call failed in a way that says nothing about the peer.
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
        case .unreadable(let part):
            "The peer's \(part) may not be read. A client must stay dumpable (use RLIMIT_CORE=0 against core dumps)."
        case .late: "The peer could not be looked at in time: a file system is slow, or hangs."
        case .sandboxMalformed(let why): "The peer's /.flatpak-info is malformed: \(why)."
        case .contradiction(let contradiction): "\(contradiction)"
        case .fault(let operation, let errno): "\(operation) failed with error \(errno)."
        }
    }
}
