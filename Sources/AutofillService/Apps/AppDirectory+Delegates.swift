// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import CAutofillLinux
internal import EventLoop
internal import PeerIdentity
internal import Reasons

/// Programs that speak for others.
extension AppDirectory {
    /// The process that a delegate hands over: the daemon inspects it itself, and checks whether the delegate may do that.
    ///
    /// - Parameters:
    ///   - app: what the delegate is by itself.
    ///   - pidfd: of the process that it speaks for.
    ///   - isShared: whether another program may make the requests of that process too.
    func peer(
        handedOverBy app: IdentifiedApp, _ speaker: Peer, _ pidfd: PassedDescriptor, isShared: Bool
    ) async throws(RefusedRequest) -> (peer: Peer, delegate: Delegate) {
        let files = inspections
        do throws(PeerRefusal) {
            let delegate = try await delegate(app, speaker)
            // The inspection may end after nobody waits for it any more, when the passed descriptor is closed.
            guard af_is_pidfd(pidfd.number), let own = OwnDescriptor(copying: pidfd.number) else { throw .notAProcess }
            let apart = files.ownNamespaces(own.number)
            let handedOver = try await inspect(apart == nil ? .files : .sandboxes, about: apart) {
                files.inspect(own.number)
            }.get()
            let evidence = isShared ? handedOver.evidence.sharingItsRequests : handedOver.evidence
            let hash = await contentHash(of: evidence)
            // What hangs for a program in a sandbox delays sandboxes alone. One that is late is asked for again: without it the
            // program would have another name.
            let lane = apart == nil ? WorkLane.hashing : .sandboxes
            let script = try await inspect(lane, about: apart) { handedOver.script() }
            let isCarrier = handedOver.evidence.isCarrier(running: script)
            let starter = try await isCarrier ? inspect(lane, about: apart) { handedOver.starter() } : nil
            let confirmSpeaker = speaker.confirm
            let peer = Peer(
                evidence: evidence,
                confirm: { () throws(PeerRefusal) in
                    try confirmSpeaker()
                    try handedOver.confirm()
                }, contentHash: hash, script: script, starter: starter)
            return (peer, delegate)
        } catch {
            if error == .late {
                throw RefusedRequest([.notSeen("The program that it speaks for", of: app.bundleID.text)])
            }
            var names: [Refusal.Parameter: String] = [.app: app.bundleID.text, .detail: error.description]
            // What an administrator can make a delegate.
            if case .notADelegate(let executable?) = error { names[.path] = executable }
            throw RefusedRequest(.identityMismatch, names)
        }
    }

    /// As which the administrator names the program of a peer now; throws where it is none.
    func delegate(_ app: IdentifiedApp, _ speaker: Peer) async throws(PeerRefusal) -> Delegate {
        let files = inspections
        let named = try await inspect(about: Self.administrator) { files.delegates() }
        return try speaker.evidence.delegate(identifiedAs: try app.identity.get(), among: named)
    }

    /// The content of a user's program, which a grant for it would name; nil where it could not be read in time.
    private func contentHash(of evidence: PeerEvidence) async -> String? {
        guard case .file(let file) = evidence.executable, file.location == .userOwned, file.isOneProgram,
            case .none = evidence.sandbox, evidence.mountNamespaceDiffers == false
        else { return nil }
        let files = inspections
        return try? await inspect(.hashing, about: file.path) { files.contentHash(file.path, file.version) }
    }

    /// The subject of inspections of what the administrator names; no bundle ID.
    static var administrator: String { "administrator" }

    /// - Parameter subject: as of `WorkerPool.run`.
    func inspect<Seen: Sendable>(
        _ lane: WorkLane = .files, about subject: String? = nil, _ body: @escaping @Sendable () -> Seen
    ) async throws(PeerRefusal) -> Seen {
        do throws(WaitFailure) { return try await pool.run(lane, about: subject, deadline: lane.limit, body) } catch {
            throw .late
        }
    }
}

/// A descriptor of a process or a socket, closed with its last user: that asks no file system, and may be done on any thread.
package final class OwnDescriptor: Sendable {
    package let number: Int32

    package init?(copying other: Int32) {
        number = af_duplicate(other)
        if number < 0 { return nil }
    }

    deinit { af_close(number) }
}
