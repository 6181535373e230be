// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CAutofillLinux
internal import Credentials

/// Names a connection for as long as it lasts.
package struct SessionID: Hashable, Sendable {
    let number: UInt64
}

/// One connection.
final class Session {
    let id: SessionID
    /// The process at the other end; behind a delegate, the one that it acts for.
    var peer: Peer
    /// What comes with the line that is being read.
    var arriving = ArrivingLine()
    /// Set by `hello`.
    var app: IdentifiedApp?
    var memory = SessionMemory()
    /// Its requests that wait.
    var waiting: [RequestID: RequestContext] = [:]
    /// Its events, once it has subscribed.
    var events: EventQueue?

    private let shared: SharedState

    var waitingBytes: WaitingBytes { shared.waitingBytes }
    var runs: ScriptRuns { shared.runs }

    init(_ id: SessionID, peer: Peer, _ shared: SharedState) {
        self.id = id
        self.peer = peer
        self.shared = shared
    }

    /// The vault was locked: what was decided for a name is decided again.
    func forgetNames() { memory.forgetNames() }

    /// What it wrote and was allowed counts only in the vault that it wrote to.
    func follow(replacements: Int) {
        guard replacements != memory.ownership.replacements else { return }
        memory = SessionMemory(after: memory, replacements: replacements)
        for request in waiting.values { request.consents.vaultWasReplaced() }
    }
}

/// Of all connections.
struct SharedState {
    let waitingBytes = WaitingBytes()
    let runs = ScriptRuns()
}

/// What comes with a line beside its text.
struct ArrivingLine {
    var bytes = 0
    /// For `hello`.
    var passed: PassedDescriptor?
    /// Whether it may have been sent before the peer was inspected.
    var isEarly = false
    /// Whether another process than the one that connected has sent anything.
    var hasOtherSender = false
}

/// A descriptor that came with a line, closed with its last user.
package final class PassedDescriptor {
    package let number: Int32
    private let close: (Int32) -> Void

    /// - Parameter close: closes it; called once.
    package init(number: Int32, close: @escaping (Int32) -> Void = { af_close($0) }) {
        self.number = number
        self.close = close
    }

    deinit { close(number) }
}

/// All connections, and the one-time codes that came in by them.
package final class SessionList {
    package let codes: IncomingCodes
    private(set) var all: [SessionID: Session] = [:]
    private var last: UInt64 = 0
    /// The one that was asked for last: a line asks for its session several times.
    private var current: Session?
    private let shared = SharedState()
    var runs: ScriptRuns { shared.runs }

    package var count: Int { all.count }

    init(_ environment: ServiceContext) { codes = IncomingCodes(environment) }

    subscript(_ id: SessionID) -> Session? {
        if let current, current.id == id { return current }
        current = all[id]
        return current
    }

    func add(_ peer: Peer) -> Session {
        last += 1
        let session = Session(SessionID(number: last), peer: peer, shared)
        all[session.id] = session
        return session
    }

    func remove(_ id: SessionID) -> Session? {
        current = nil
        return all.removeValue(forKey: id)
    }
}

extension Session {
    /// Whether the Secret Service bridge is the app's delegate: then it may access that group alone.
    var isOfSecretService: Bool { app?.named != nil }
}
