// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CAutofillLinux
internal import Credentials

/// Names a connection for as long as it lasts.
package struct SessionID: Hashable, Sendable {
    let number: UInt64
}

/// What is kept of one connection.
final class Session {
    let id: SessionID
    /// Who is at the other end; behind a delegate, whom it speaks for.
    var peer: Peer
    var arriving = ArrivingLine()
    /// Set by `hello`.
    var app: IdentifiedApp?
    var memory = Memory()
    /// Its requests that wait.
    var waiting: [RequestID: RequestContext] = [:]
    /// Its events, once it has subscribed.
    var events: EventQueue?

    /// What is known of its requests of before.
    struct Memory {
        /// What this connection wrote itself.
        var ownership = Ownership()
        /// What was decided for it lately.
        var decisions = SessionDecisions()
        /// What it was told and what it told of its forms.
        var forms = FormMemory()
        /// To whom the person has given their word on the app's own data.
        var ownWord: Subject?
        /// How many inspections of its app have begun again, and which of them `app` is the result of.
        var inspections = (begun: 0, stored: 0)
        /// The keychain items of others that the person has allowed it while it lasts.
        var itemWords: Set<ObjectID> = []
    }

    /// What comes with the line that is being read.
    struct ArrivingLine {
        var bytes = 0
        /// For `hello`.
        var passed: PassedDescriptor?
        /// Whether it may have been sent before the peer was looked at.
        var isEarly = false
        /// Whether another process than the one that connected has sent anything.
        var hasOtherSender = false
    }

    /// Of all connections.
    let waitingBytes: WaitingBytes

    init(_ id: SessionID, peer: Peer, _ waitingBytes: WaitingBytes) {
        self.id = id
        self.peer = peer
        self.waitingBytes = waitingBytes
    }

    /// The vault was locked: what was decided for a name is decided anew.
    func forgetNames() {
        memory.decisions = SessionDecisions()
        memory.itemWords = []
        memory.forms.forgetSubmitted()
    }

    /// What it wrote and knows counts only in the vault that it wrote to.
    func follow(replacements: Int) {
        guard replacements != memory.ownership.replacements else { return }
        memory.ownership = Ownership()
        memory.ownership.replacements = replacements
        memory.decisions = SessionDecisions()
        memory.forms.forgetVault()
        memory.ownWord = nil
        memory.itemWords = []
        for request in waiting.values { request.vaultWasReplaced() }
    }
}

/// A descriptor that came with a line, closed when it goes.
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

/// The connections that there are.
final class SessionList {
    private(set) var all: [SessionID: Session] = [:]
    private var last: UInt64 = 0
    private let waitingBytes = WaitingBytes()

    subscript(_ id: SessionID) -> Session? { all[id] }

    func add(_ peer: Peer) -> Session {
        last += 1
        let session = Session(SessionID(number: last), peer: peer, waitingBytes)
        all[session.id] = session
        return session
    }

    func remove(_ id: SessionID) -> Session? { all.removeValue(forKey: id) }
}
