// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import EventLoop
internal import PeerIdentity
internal import PeerInspection

/// The SHA-256 of user-owned executables, each read once while it is not written, on a lane of the worker pool, the
/// smaller ones first. A file that is too large, or served by a program of the user's, has none; a file that could not
/// be read, or not in time, has none for now.
final class ContentHashes {
    /// The subject of the readings of all scripts; no bundle ID, path or process.
    private static let scripts = "scripts"

    private let loop: EventLoop
    private let pool: WorkerPool
    private let longest: UInt64
    /// nil: this version has none.
    private var cached = RecentValues<ContentVersion, String?>(limit: Limits.rememberedContents)
    /// The tasks that wait for a file that is being read.
    private var reading: [ContentVersion: WaitList<Void>] = [:]
    /// The versions that were not read in time.
    private var late = LateWork<ContentVersion>()
    /// The processes whose scripts were not read in time.
    private var lateScripts = LateWork<Int32>()
    private let readings: SmallestFirst

    /// - Parameter longest: the size limit of a file that is read, in bytes.
    init(on loop: EventLoop, pool: WorkerPool, longest: UInt64 = UInt64(Limits.programBytes)) {
        self.loop = loop
        self.pool = pool
        self.longest = longest
        readings = SmallestFirst(on: loop)
    }

    /// The hash of a peer's executable, where a grant would name its content; nil where a grant would not, in a
    /// sandbox, where paths mean something else, and where there is none.
    func hash(of peer: InspectedPeer) async -> String? {
        guard let version = Self.namedContent(of: peer.evidence) else { return nil }
        return await hash(of: version) { [longest] () throws(PeerRefusal) in
            try peer.content(upTo: longest)
        }
    }

    /// The content that a grant for this peer would name.
    static func namedContent(of peer: PeerEvidence) -> ContentVersion? {
        guard case .none = peer.sandbox, peer.mountNamespaceDiffers == false, case .file(let file) = peer.executable,
            file.location == .userOwned, file.isOneProgram
        else { return nil }
        return file.version
    }

    /// - Parameter read: on a thread of the pool.
    func hash(
        of version: ContentVersion, _ read: @escaping @Sendable () throws(PeerRefusal) -> ReadContent
    ) async -> String? {
        if let hash = cached[version] { return hash }
        if let others = reading[version] {
            try? await others.value()
            return cached[version] ?? nil
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
        guard await readings.enter(version.identity.size, until: end) else { return nil }
        defer { readings.leave() }
        do throws(WaitFailure) {
            let content = try await pool.run(.hashing, deadline: end - loop.clocks.monotonic()) { [token] in
                withExtendedLifetime(token) { Result { () throws(PeerRefusal) in try read() } }
            }
            switch content {
            case .success(let content): keep(content.hash, of: content.version)
            case .failure(let refusal): if refusal.holdsForVersion { keep(nil, of: version) }
            }
        } catch {
            // A later call may find a thread.
            if error == .deadline { late.note(token, for: version) }
        }
        return cached[version] ?? nil
    }

    /// The script that an interpreter runs; nil where it runs none, or none that can be found.
    func script(of peer: InspectedPeer) async -> Script? {
        let process = peer.evidence.process
        guard peer.mayRunScript, !lateScripts.isOut(process) else { return nil }
        let token = WorkToken()
        do throws(WaitFailure) {
            // Not behind the hash of a large program. On a file system that hangs scripts take few of the threads.
            return try await pool.run(
                .files, about: Self.scripts, deadline: .milliseconds(Limits.fileLookMilliseconds)
            ) { [token] in
                withExtendedLifetime(token) { peer.script(upTo: UInt64(Limits.scriptBytes)) }
            }
        } catch {
            if error == .deadline { lateScripts.note(token, for: process) }
            return nil
        }
    }

    private func keep(_ hash: String?, of version: ContentVersion) {
        cached[version] = .some(hash)
    }
}
