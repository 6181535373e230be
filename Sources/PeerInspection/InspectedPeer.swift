// SPDX-License-Identifier: Apache-2.0
internal import PathInspection
package import PeerIdentity

/// A peer as it was when it connected, and the descriptor of its process, which it owns.
package final class InspectedPeer: Sendable {
    package let evidence: PeerEvidence
    let directory: ProcessDirectory

    init(evidence: PeerEvidence, directory: ProcessDirectory) {
        self.evidence = evidence
        self.directory = directory
    }

    /// Called before each release: the process that connected still runs, and runs the same executable. One system
    /// call, which waits for no file system's server: it may be made on an event loop.
    package func confirm() throws(PeerRefusal) {
        guard case .file(let file) = evidence.executable else { throw .unreadable("executable") }
        guard try directory.executable() == file.identity else { throw .executableChanged }
    }

    /// Whether the process has ended, or may not be inspected any more. Never blocks.
    package var hasEnded: Bool {
        do throws(PeerRefusal) {
            _ = try directory.executable()
            return false
        } catch {
            if case .ended = error { return true }
            return false
        }
    }

    /// The SHA-256 of its executable's content, and the version of the file; refused where that is longer than so many
    /// bytes, and where a program of the user's serves it (FUSE): such content is no evidence. Reads the whole file:
    /// takes milliseconds, on a network's file system for as long as that hangs, and must not run on an event loop.
    package func content(upTo longest: UInt64) throws(PeerRefusal) -> ReadContent {
        guard case .file(let inspected) = evidence.executable else { throw .unreadable("executable") }
        let located = try directory.locateExecutable()
        guard let (facts, mount) = try? located.inspect(askingServer: false) else { throw .ended }
        guard ExecutableIdentity(facts) == inspected.identity else { throw .executableChanged }
        let hasSameMounts = evidence.mountNamespaceDiffers == false
        guard mount.server(of: located, seenBy: directory.descriptor, readsAll: hasSameMounts) == .system else {
            throw .fault(operation: "reading the peer's executable", errno: SystemCallFailure.served.code)
        }
        let content = try ReadContent(located, upTo: longest)
        guard content.version.identity == inspected.identity else { throw .executableChanged }
        return content
    }
}
