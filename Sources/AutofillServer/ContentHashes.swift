// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import Dispatch
internal import NIOConcurrencyHelpers
internal import PeerIdentity
internal import PeerInspection

/// The SHA-256 of user-owned executables, each read once as long as nobody wrote to it, on a queue of its own. Those that
/// are too large are not read: they would hold up the others in the queue.
final class ContentHashes: Sendable {
    private static let limit = 1024
    private let known = NIOLockedValueBox<[ContentVersion: FileHash]>([:])
    private let queue = DispatchQueue(label: "autofilld.hash")
    private let longest: UInt64

    /// - Parameter longest: how long a file may be that is read, in bytes.
    init(longest: UInt64 = UInt64(Limits.programBytes)) { self.longest = longest }

    /// Whether a grant for this peer would name the content of its executable, and nobody has tried to read it yet. In a
    /// sandbox, and where paths mean something else, nothing would name it.
    func needsReading(_ peer: PeerEvidence) -> Bool {
        guard case .none = peer.sandbox, peer.mountNamespaceDiffers == false, case .file(let file) = peer.executable,
            file.place == .userOwned, file.isOneProgram
        else { return false }
        return ofFile(file.version) == .unread
    }

    /// Reads it, then goes on. Where it cannot be read there is none.
    func read(_ peer: InspectedPeer, then proceed: @escaping @Sendable () -> Void) {
        guard case .file(let file) = peer.evidence.executable else { return proceed() }
        read(file.version, then: proceed) { [longest] in try? peer.content(upTo: longest) }
    }

    /// Reads the file that a registration names, then goes on.
    func read(
        _ path: String, _ version: ContentVersion, by inspector: PeerInspector,
        then proceed: @escaping @Sendable () -> Void
    ) {
        read(version, then: proceed) { [longest] in inspector.content(ofFileAt: path, upTo: longest) }
    }

    private func read(
        _ version: ContentVersion, then proceed: @escaping @Sendable () -> Void,
        _ content: @escaping @Sendable () -> ReadContent?
    ) {
        queue.async { [self] in
            // Another connection's turn may have come before.
            if ofFile(version) == .unread {
                let content = content()
                keep(version, .unreadable)
                if let content { keep(content.version, .known(content.hash)) }
            }
            proceed()
        }
    }

    private func keep(_ version: ContentVersion, _ hash: FileHash) {
        known.withLockedValue { hashes in
            if hashes.count >= Self.limit { hashes.removeAll() }
            hashes[version] = hash
        }
    }

    /// What is known of a file's content.
    func ofFile(_ version: ContentVersion) -> FileHash { known.withLockedValue { $0[version] } ?? .unread }

    subscript(_ peer: PeerEvidence) -> String? {
        guard case .file(let file) = peer.executable, case .known(let hash) = ofFile(file.version) else { return nil }
        return hash
    }
}
