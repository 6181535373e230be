// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CAutofillLinux
internal import EventLoop
internal import Glibc
internal import PeerIdentity
internal import PeerInspection
internal import Reasons

/// Inspects the peers that have connected, on the worker pool, and passes on the ones that may be served. The
/// connections of a process are served in the order in which they arrived; no process waits for the file system of
/// another, and none outside of a sandbox for the inspection of one in a sandbox.
final class Arrivals {
    private let inspector: PeerInspector
    private let pool: WorkerPool
    private let hashes: ContentHashes
    private let admission: Admission
    private let passed: PassedDescriptors
    private var waiting = WaitingPeers()
    /// The inspected connections that wait for the hash of their program, or for others of their process.
    private var inspected: [Int32: Queue<InspectedConnection>] = [:]
    /// The processes whose inspections are late.
    private var late = LateWork<Int32>()

    /// A connection and its peer.
    struct InspectedConnection {
        let descriptor: Int32
        let peer: InspectedPeer
        let program: Admission.Program
        /// How many bytes may have arrived before the inspection: the peer may have been another program when it sent
        /// them.
        let early: Int
    }

    private typealias Inspection = (peer: InspectedPeer, early: Int)

    init(
        _ inspector: PeerInspector, _ pool: WorkerPool, _ hashes: ContentHashes, _ admission: Admission,
        _ passed: PassedDescriptors
    ) {
        self.inspector = inspector
        self.passed = passed
        self.pool = pool
        self.hashes = hashes
        self.admission = admission
    }

    /// Whether no peer is inspected or waits to be served.
    var isEmpty: Bool { waiting.isEmpty && inspected.isEmpty }

    typealias Serve = (_ inspected: InspectedConnection, _ hash: String?, _ script: Script?) -> Void

    /// - Parameters:
    ///   - descriptor: a connected socket that has entered the admission.
    ///   - serve: receives it, counted in the admission.
    func add(_ descriptor: Int32, _ engine: isolated AutofillEngine, serve: @escaping Serve) {
        var credentials = af_credentials()
        _ = af_peer_credentials(descriptor, &credentials)
        let process = credentials.pid
        guard waiting.mayWait(process, quota: admission.quota) else { return refuse(descriptor, .tooMany, engine) }
        let isSandboxed = inspector.ownNamespaces(process: process) != nil
        let unit = isSandboxed ? inspector.unit(process: process) ?? "" : nil
        guard let isFirst = waiting.append(descriptor, of: process, sandboxedIn: unit) else {
            return refuse(descriptor, .tooMany, engine)
        }
        guard isFirst else { return }
        Task.immediate { await self.inspectAll(of: process, engine, serve) }
    }

    private func inspectAll(of process: Int32, _ engine: isolated AutofillEngine, _ serve: @escaping Serve) async {
        while true {
            let apart = inspector.ownNamespaces(process: process)
            guard let batch = waiting.take(of: process, isSandboxed: apart != nil) else { return }
            for (descriptor, inspection) in zip(batch, await inspect(at: batch, of: process, in: apart)) {
                waiting.end(descriptor)
                switch inspection {
                case .failure(let refused): refuse(descriptor, refused.refusal, engine)
                case .success(let (peer, early)):
                    let program = Admission.Program(peer.evidence)
                    guard admission.reserve(for: program) else {
                        refuse(descriptor, .tooMany, engine)
                        continue
                    }
                    let next = InspectedConnection(descriptor: descriptor, peer: peer, program: program, early: early)
                    add(next, of: process, engine, serve)
                }
            }
        }
    }

    /// The other connections of a process are inspected while one waits for a hash, and then wait in order.
    private func add(
        _ next: InspectedConnection, of process: Int32, _ engine: isolated AutofillEngine, _ serve: @escaping Serve
    ) {
        let isFirst = inspected[process] == nil
        inspected[process, default: Queue()].append(next)
        guard isFirst else { return }
        Task.immediate { await self.serveAll(of: process, engine, serve) }
    }

    private func serveAll(of process: Int32, _ engine: isolated AutofillEngine, _ serve: Serve) async {
        while let next = inspected[process]?.popFirst() {
            let hash = await hashes.hash(of: next.peer)
            serve(next, hash, await hashes.script(of: next.peer))
        }
        inspected[process] = nil
    }

    /// A late inspection continues with descriptors of its own, and its result is dropped. Until it ends its process gets no
    /// other, and where that is in a sandbox no process with the same mounts does.
    ///
    /// - Parameter apart: the namespaces that the process has of its own; nil where it has none.
    private func inspect(
        at batch: [Int32], of process: Int32, in apart: String?
    ) async -> [Result<Inspection, RefusedPeer>] {
        guard !late.isOut(process) else { return batch.map { _ in .failure(.late) } }
        let token = WorkToken()
        let own = batch.map { OwnDescriptor(copying: $0) }
        do throws(WaitFailure) {
            return try await pool.run(
                apart == nil ? .files : .sandboxes, about: apart, deadline: .milliseconds(Limits.fileLookMilliseconds)
            ) { [inspector, token] in
                withExtendedLifetime(token) {
                    own.map { copy in copy.map { Self.inspect(at: $0.number, inspector) } ?? .failure(.busy) }
                }
            }
        } catch {
            if error == .deadline { late.note(token, for: process) }
            return batch.map { _ in .failure(error == .busy ? .busy : .late) }
        }
    }

    private static func inspect(at descriptor: Int32, _ inspector: PeerInspector) -> Result<Inspection, RefusedPeer> {
        do throws(PeerRefusal) {
            let peer = try inspector.inspect(descriptor)
            // After the inspection: what has arrived now may have arrived before it.
            return .success((peer, max(0, af_unread(descriptor))))
        } catch {
            return .failure(error == .late ? .late : .refused(error))
        }
    }

    /// Sends the reason to a peer without a session, and closes the connection.
    private func refuse(_ descriptor: Int32, _ refusal: Refusal, _ engine: isolated AutofillEngine) {
        var writer = JSONWriter()
        writer.refuse(nil, [refusal])
        writer.withUnsafeBytes { _ = af_send_now(descriptor, $0.baseAddress, $0.count) }
        passed.closeSocket(descriptor, engine) { [admission] in admission.leave() }
    }
}

/// Why a peer gets no connection.
private enum RefusedPeer: Error {
    case refused(PeerRefusal)
    case late
    /// Too many other inspections do not end.
    case busy

    /// The reason that is sent to it.
    var refusal: Refusal {
        switch self {
        case .refused(.otherUser): Refusal(.notPermitted)
        case .refused(.ended): Refusal(.peerEnded)
        case .refused(let refusal): Refusal(.identityMismatch, [.detail: refusal.description])
        case .late: .notSeen("The program that connected")
        case .busy: .tooMany
        }
    }
}

extension Refusal {
    fileprivate static var tooMany: Refusal { Refusal(.tooManyConnections, retryAfterMilliseconds: 1000) }
}
