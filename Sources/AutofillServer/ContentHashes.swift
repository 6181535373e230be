// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import NIOConcurrencyHelpers
internal import PeerIdentity
internal import PeerInspection

/// The SHA-256 of user-owned executables, each read once, on a queue of its own: reading a large one holds up nobody else.
final class ContentHashes: Sendable {
    private static let limit = 1024
    private let known = NIOLockedValueBox<[ExecutableIdentity: String]>([:])
    private let queue = DispatchQueue(label: "autofilld.hash")

    /// Whether a grant for this peer would name the content of its executable, and nobody has read it yet.
    func needsReading(_ peer: InspectedPeer) -> Bool {
        guard case .file(let file) = peer.evidence.executable, file.place == .userOwned, file.interpreter == nil
        else { return false }
        return known.withLockedValue { $0[file.identity] } == nil
    }

    /// Reads it, then goes on. Where it cannot be read there is none.
    func read(_ peer: InspectedPeer, then proceed: @escaping @Sendable () -> Void) {
        queue.async { [known] in
            if case .file(let file) = peer.evidence.executable, let hash = try? peer.contentHash() {
                known.withLockedValue { hashes in
                    if hashes.count >= Self.limit { hashes.removeAll() }
                    hashes[file.identity] = hash
                }
            }
            proceed()
        }
    }

    subscript(_ peer: InspectedPeer) -> String? {
        guard case .file(let file) = peer.evidence.executable else { return nil }
        return known.withLockedValue { $0[file.identity] }
    }
}
