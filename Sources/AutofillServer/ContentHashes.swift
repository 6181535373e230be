// SPDX-License-Identifier: Apache-2.0
internal import AutofillService
internal import Dispatch
internal import NIOConcurrencyHelpers
internal import PeerIdentity
internal import PeerInspection

/// The SHA-256 of user-owned executables, each read once as long as nobody wrote to it, on a queue of its own: reading a
/// large one holds up nobody else.
final class ContentHashes: Sendable {
    private static let limit = 1024
    private let known = NIOLockedValueBox<[ContentVersion: String]>([:])
    /// Files that could not be read, so that nobody waits for them twice.
    private let unreadable = NIOLockedValueBox<Set<ContentVersion>>([])
    private let queue = DispatchQueue(label: "autofilld.hash")

    /// Whether a grant for this peer would name the content of its executable, and nobody has read it yet.
    func needsReading(_ peer: InspectedPeer) -> Bool {
        guard case .file(let file) = peer.evidence.executable, file.place == .userOwned, file.isOneProgram
        else { return false }
        return self[file.version] == nil
    }

    /// Reads it, then goes on. Where it cannot be read there is none.
    func read(_ peer: InspectedPeer, then proceed: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            if let content = try? peer.content() { keep(content) }
            proceed()
        }
    }

    /// Reads the file that a registration names, then goes on.
    func read(
        _ path: String, _ version: ContentVersion, by inspector: PeerInspector,
        then proceed: @escaping @Sendable () -> Void
    ) {
        queue.async { [self] in
            if let content = inspector.content(ofFileAt: path) { keep(content) }
            if self[version] == nil {
                unreadable.withLockedValue { versions in
                    if versions.count >= Self.limit { versions.removeAll() }
                    versions.insert(version)
                }
            }
            proceed()
        }
    }

    private func keep(_ content: ReadContent) {
        known.withLockedValue { hashes in
            if hashes.count >= Self.limit { hashes.removeAll() }
            hashes[content.version] = content.hash
        }
    }

    subscript(_ version: ContentVersion) -> String? { known.withLockedValue { $0[version] } }

    /// What is known of a file's content.
    func ofFile(_ version: ContentVersion) -> FileHash {
        if let hash = self[version] { return .known(hash) }
        return unreadable.withLockedValue { $0.contains(version) } ? .unreadable : .unread
    }

    subscript(_ peer: InspectedPeer) -> String? {
        guard case .file(let file) = peer.evidence.executable else { return nil }
        return self[file.version]
    }
}
