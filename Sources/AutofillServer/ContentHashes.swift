// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import EventLoop
internal import PeerIdentity
internal import PeerInspection

/// The SHA-256 of user-owned executables, each read once as long as nobody wrote to it, on a lane of the worker pool, the
/// smaller ones first. What is too large, or served by a program of the user's, has none; what could not be read, or not in
/// time, has none for now.
final class ContentHashes {
    private let loop: EventLoop
    private let pool: WorkerPool
    private let longest: UInt64
    /// nil: it has none for as long as it is this version.
    private var known = RecentValues<ContentVersion, String?>(limit: 2 * Limits.rememberedContents)
    /// Who waits for what is being read.
    private var reading: [ContentVersion: WaitList<Void>] = [:]
    /// What was not read in time.
    private var late = LateWork<ContentVersion>()
    /// The processes whose scripts were not read in time.
    private var lateScripts = LateWork<Int32>()
    private let turns: SmallestFirst

    /// - Parameter longest: how long a file may be that is read, in bytes.
    init(on loop: EventLoop, pool: WorkerPool, longest: UInt64 = UInt64(Limits.programBytes)) {
        self.loop = loop
        self.pool = pool
        self.longest = longest
        turns = SmallestFirst(on: loop)
    }

    /// The hash of a peer's executable, where a grant would name its content; nil where nothing would name it, in a
    /// sandbox and where paths mean something else, and where there is none.
    func hash(of peer: InspectedPeer) async -> String? {
        guard let version = Self.namedContent(of: peer.evidence) else { return nil }
        return await hash(of: version) { [longest] () throws(PeerRefusal) in
            try peer.content(upTo: longest)
        }
    }

    /// What a grant for this peer would name.
    static func namedContent(of peer: PeerEvidence) -> ContentVersion? {
        guard case .none = peer.sandbox, peer.mountNamespaceDiffers == false, case .file(let file) = peer.executable,
            file.place == .userOwned, file.isOneProgram
        else { return nil }
        return file.version
    }

    /// - Parameter read: on a thread of the pool.
    func hash(
        of version: ContentVersion, _ read: @escaping @Sendable () throws(PeerRefusal) -> ReadContent
    ) async -> String? {
        if let hash = known[version] { return hash }
        if let others = reading[version] {
            try? await others.value()
            return known[version] ?? nil
        }
        guard !late.isOut(version) else { return nil }
        let token = WorkToken()
        let waiting = WaitList<Void>(on: loop)
        reading[version] = waiting
        defer {
            reading[version] = nil
            waiting.resumeAll()
        }
        let end = loop.clocks.monotonic() + .milliseconds(Limits.hashMilliseconds)
        guard await turns.enter(version.identity.size, until: end) else { return nil }
        defer { turns.leave() }
        do throws(WaitFailure) {
            let content = try await pool.run(.hashing, deadline: end - loop.clocks.monotonic()) { [token] in
                withExtendedLifetime(token) { Result { () throws(PeerRefusal) in try read() } }
            }
            switch content {
            case .success(let content): keep(content.hash, of: content.version)
            case .failure(let refusal): if refusal.holdsForVersion { keep(nil, of: version) }
            }
        } catch {
            // Whoever comes next may find a thread.
            if error == .deadline { late.note(token, for: version) }
        }
        return known[version] ?? nil
    }

    /// The script that an interpreter runs; nil where it runs none that is known.
    func script(of peer: InspectedPeer) async -> Script? {
        let process = peer.evidence.process
        guard peer.mayRunScript, !lateScripts.isOut(process) else { return nil }
        let token = WorkToken()
        do throws(WaitFailure) {
            return try await pool.run(.hashing, deadline: .milliseconds(Limits.fileLookMilliseconds)) { [token] in
                withExtendedLifetime(token) { peer.script(upTo: UInt64(Limits.scriptBytes)) }
            }
        } catch {
            if error == .deadline { lateScripts.note(token, for: process) }
            return nil
        }
    }

    private func keep(_ hash: String?, of version: ContentVersion) {
        known[version] = .some(hash)
    }
}
