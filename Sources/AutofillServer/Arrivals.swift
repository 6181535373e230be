// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CAutofillLinux
internal import EventLoop
internal import Glibc
internal import PeerIdentity
internal import PeerInspection
internal import Reasons

/// Looks at who has connected, on the worker pool, and has those served who may be. Each process's connections are
/// served in the order in which they came; no process waits for another one's file system.
final class Arrivals {
    /// So many of one process are looked at in one piece of work.
    private static let batch = 64

    private let inspector: PeerInspector
    private let pool: WorkerPool
    private let hashes: ContentHashes
    private let admission: Admission
    /// What waits behind other connections of its process; a process has an entry while one of its connections is
    /// looked at.
    private var waiting: [Int32: Queue<Int32>] = [:]
    /// What was looked at, and waits for the hash of its program or behind others of its process.
    private var known: [Int32: Queue<Known>] = [:]
    /// The processes whose looks were not waited for.
    private var late = LateWork<Int32>()

    /// A connection, and who is at its other end.
    struct Known {
        let descriptor: Int32
        let peer: InspectedPeer
        let program: Admission.Program
        /// How many bytes may have arrived before the look: the peer may have been another program when it sent them.
        let early: Int
    }

    private typealias Look = (peer: InspectedPeer, early: Int)

    init(_ inspector: PeerInspector, _ pool: WorkerPool, _ hashes: ContentHashes, _ admission: Admission) {
        self.inspector = inspector
        self.pool = pool
        self.hashes = hashes
        self.admission = admission
    }

    /// Whether nobody is looked at, or waits to be served.
    var isEmpty: Bool { waiting.isEmpty && known.isEmpty }

    typealias Serve = (_ known: Known, _ hash: String?, _ script: Script?) -> Void

    /// - Parameters:
    ///   - descriptor: a connected socket that has entered the admission.
    ///   - serve: gets it, and its place in the admission.
    func add(_ descriptor: Int32, _ engine: isolated AutofillEngine, serve: @escaping Serve) {
        var credentials = af_credentials()
        _ = af_peer_credentials(descriptor, &credentials)
        let process = credentials.pid
        guard waiting[process, default: Queue()].count < admission.share else {
            return refuse(descriptor, .tooMany)
        }
        let isFirst = waiting[process] == nil
        waiting[process, default: Queue()].append(descriptor)
        guard isFirst else { return }
        Task.immediate { await self.lookAtAll(of: process, engine, serve) }
    }

    private func lookAtAll(of process: Int32, _ engine: isolated AutofillEngine, _ serve: @escaping Serve) async {
        while let batch = takeBatch(of: process) {
            for (descriptor, look) in zip(batch, await look(at: batch, of: process)) {
                switch look {
                case .failure(let refused): refuse(descriptor, refused.refusal)
                case .success(let (peer, early)):
                    let program = Admission.Program(peer.evidence)
                    guard admission.take(for: program) else {
                        refuse(descriptor, .tooMany)
                        continue
                    }
                    let next = Known(descriptor: descriptor, peer: peer, program: program, early: early)
                    add(next, of: process, engine, serve)
                }
            }
        }
    }

    /// The looks at a process's other connections go on while one waits for a hash: all of them take their places.
    private func add(
        _ next: Known, of process: Int32, _ engine: isolated AutofillEngine, _ serve: @escaping Serve
    ) {
        let isFirst = known[process] == nil
        known[process, default: Queue()].append(next)
        guard isFirst else { return }
        Task.immediate { await self.serveAll(of: process, engine, serve) }
    }

    private func serveAll(of process: Int32, _ engine: isolated AutofillEngine, _ serve: Serve) async {
        while let next = known[process]?.popFirst() {
            let hash = await hashes.hash(of: next.peer)
            serve(next, hash, await hashes.script(of: next.peer))
        }
        known[process] = nil
    }

    /// nil, and the process has no entry any more, where none waits.
    private func takeBatch(of process: Int32) -> [Int32]? {
        var batch: [Int32] = []
        while batch.count < Self.batch, let next = waiting[process]?.popFirst() { batch.append(next) }
        guard batch.isEmpty else { return batch }
        waiting[process] = nil
        return nil
    }

    /// A look that is late goes on with descriptors of its own, and what it finds is dropped. Until it is back its process
    /// gets no other.
    private func look(at batch: [Int32], of process: Int32) async -> [Result<Look, RefusedPeer>] {
        guard !late.isOut(process) else { return batch.map { _ in .failure(.late) } }
        let token = WorkToken()
        let own = batch.map { OwnDescriptor(copying: $0) }
        do throws(WaitFailure) {
            return try await pool.run(.files, deadline: .milliseconds(Limits.fileLookMilliseconds)) {
                [inspector, token] in
                withExtendedLifetime(token) {
                    own.map { copy in copy.map { Self.look(at: $0.number, inspector) } ?? .failure(.busy) }
                }
            }
        } catch {
            if error == .deadline { late.note(token, for: process) }
            return batch.map { _ in .failure(error == .busy ? .busy : .late) }
        }
    }

    private static func look(at descriptor: Int32, _ inspector: PeerInspector) -> Result<Look, RefusedPeer> {
        do throws(PeerRefusal) {
            let peer = try inspector.inspect(descriptor)
            // After the look: what is there now may have been there before it.
            return .success((peer, max(0, af_unread(descriptor))))
        } catch {
            return .failure(.known(error))
        }
    }

    /// Tells a peer that is nobody's why, and hangs up.
    private func refuse(_ descriptor: Int32, _ refusal: Refusal) {
        var writer = JSONWriter()
        writer.refuse(nil, [refusal])
        writer.withUnsafeBytes { _ = af_send_now(descriptor, $0.baseAddress, $0.count) }
        // A thread may have it still.
        shutdown(descriptor, Int32(SHUT_RDWR))
        af_close(descriptor)
        admission.leave()
    }
}

/// Why a peer gets no connection.
private enum RefusedPeer: Error {
    case known(PeerRefusal)
    case late
    /// Too many others' looks do not end.
    case busy

    /// What it is told.
    var refusal: Refusal {
        switch self {
        case .known(.otherUser): Refusal(.notPermitted)
        case .known(.ended): Refusal(.peerEnded)
        case .known(let refusal): Refusal(.identityMismatch, [.detail: refusal.description])
        case .late: .notSeen("The program that connected")
        case .busy: .tooMany
        }
    }
}

extension Refusal {
    fileprivate static var tooMany: Refusal { Refusal(.tooManyConnections, retryAfterMilliseconds: 1000) }
}
