// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import Reasons

/// One request under way.
package final class RequestContext {
    let session: Session
    let id: RequestID
    let declaration: MethodDeclaration
    /// Whether the user may be asked; nil for a method that asks for nothing.
    private let wish: Interaction?
    var consents = RequestConsents()
    var notes: RequestNotes
    var state = RequestState()
    /// The quota key that its bytes count against while it waits.
    private var quotaKey: String?

    init(
        _ session: Session, _ id: RequestID, _ declaration: MethodDeclaration, _ interaction: Interaction?,
        page: PageContext?
    ) {
        self.session = session
        self.id = id
        self.declaration = declaration
        wish = interaction
        notes = RequestNotes(page: page ?? PageContext())
        state.bytes = session.arriving.bytes
        state.isEarly = session.arriving.isEarly
    }

    deinit {
        if let quotaKey { session.waitingBytes.leave(quotaKey, state.bytes) }
    }

    var method: Method { declaration.method }

    /// The request as `judge` sees it.
    package var view: RequestView { RequestView(self) }

    var isProven: Bool { consents.proof == .given }

    /// Whether the user may be asked in the middle of it.
    var interaction: Interaction { wish ?? .allow }

    /// Whether it waits for the vault to be unlocked, where nothing else is missing.
    var mayPrompt: Bool { wish != nil }

    /// Makes sure, before a release, that the peer is still the one that was inspected, and that the inspected one has sent
    /// this: a program that connects, asks, and becomes another at once has asked before that. The inspection at which a
    /// judgement begins serves to its end: nothing else runs in between, and after each wait there is another one.
    func confirmPeer() throws(Unsettled) {
        if !state.isPeerConfirmed { try session.confirmPeer() }
        guard state.isEarly, !isProven, session.app?.isIdentifiedByProgram == true else { return }
        throw Unsettled(.peerChanged)
    }

    /// Keeps the export of its connection; nil ends it.
    package func keep(_ export: BegunExport?) { session.memory.export = export }

    /// Nobody waits for its answer any more. To be called on the engine.
    func cancel() { state.task?.cancel() }

    /// To be called before the request waits for anything: the requests of a connection that wait are limited, and the bytes
    /// of one program.
    package func willWait() throws(RefusedRequest) {
        guard session.waiting[id] == nil else { return }
        let key = session.quotaKey
        guard session.waiting.count < Limits.waitingRequests,
            quotaKey != nil || session.waitingBytes.enter(key, state.bytes)
        else { throw RefusedRequest(.tooManyRequests) }
        quotaKey = quotaKey ?? key
        session.waiting[id] = self
    }

    /// To be called where it is performed, and the answer waits for work of which there is one at a time: that is not limited, and it
    /// is neither cancelled nor refused any more.
    func answersLater() {
        state.isDone = true
        session.waiting[id] = session.waiting[id] ?? self
    }
}
