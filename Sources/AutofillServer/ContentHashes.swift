// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop
internal import PeerIdentity
internal import PeerInspection

/// The SHA-256 of user-owned executables, each read once as long as nobody wrote to it, on a lane of the worker pool.
/// What is too large, cannot be read or takes too long has none.
final class ContentHashes {
    /// As many are remembered.
    private static let limit = 1024

    private let loop: EventLoop
    private let pool: WorkerPool
    private let longest: UInt64
    private var known: [ContentVersion: String?] = [:]
    /// Who waits for what is being read.
    private var reading: [ContentVersion: WaitList<Void>] = [:]

    /// - Parameter longest: how long a file may be that is read, in bytes.
    init(on loop: EventLoop, pool: WorkerPool, longest: UInt64 = UInt64(Limits.programBytes)) {
        self.loop = loop
        self.pool = pool
        self.longest = longest
    }

    /// The hash of a peer's executable, where a grant would name its content; nil where nothing would name it, in a
    /// sandbox and where paths mean something else, and where there is none.
    func hash(of peer: InspectedPeer) async -> String? {
        guard let version = Self.namedContent(of: peer.evidence) else { return nil }
        return await hash(of: version) { [longest] in try? peer.content(upTo: longest) }
    }

    /// What a grant for this peer would name.
    static func namedContent(of peer: PeerEvidence) -> ContentVersion? {
        guard case .none = peer.sandbox, peer.mountNamespaceDiffers == false, case .file(let file) = peer.executable,
            file.place == .userOwned, file.isOneProgram
        else { return nil }
        return file.version
    }

    /// - Parameter read: on a thread of the pool.
    func hash(of version: ContentVersion, _ read: @escaping @Sendable () -> ReadContent?) async -> String? {
        if let hash = known[version] { return hash }
        if let others = reading[version] {
            try? await others.value()
            return known[version] ?? nil
        }
        let waiting = WaitList<Void>(on: loop)
        reading[version] = waiting
        defer {
            reading[version] = nil
            waiting.resumeAll()
        }
        do throws(WaitFailure) {
            let content = try await pool.run(.hashing, deadline: .milliseconds(Limits.hashMilliseconds), read)
            keep(nil, of: version)
            if let content { keep(content.hash, of: content.version) }
        } catch {
            // Whoever comes next may find a thread.
            if error == .deadline { keep(nil, of: version) }
        }
        return known[version] ?? nil
    }

    private func keep(_ hash: String?, of version: ContentVersion) {
        if known.count >= Self.limit { known.removeAll() }
        known.updateValue(hash, forKey: version)
    }
}
