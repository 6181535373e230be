// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import Reasons

/// One request under way: who asks, and what is known of it besides its parameters.
final class RequestContext {
    let session: Session
    let id: RequestID
    let method: Method
    /// Whether the person may be asked; nil for a method that asks for nothing.
    private let wish: Interaction?
    /// Whether the request has given proof, and so reaches what is not the app's own.
    var isProven = false
    /// Whether its proof was for a vault that has been replaced meanwhile.
    var hasLostProof = false
    /// What the person has just allowed this request and no other.
    private var allowedOnce: Set<Allowance> = []
    /// The domain that it names, for the journal.
    var namedDomain: String?
    var progress = Progress()

    struct Progress {
        /// What performs it, once it has waited.
        var task: Task<Void, Never>?
        /// It has its answer, whatever its task still does.
        var isAnswered = false
        /// Whether the person is asked for it.
        var isAskingPerson = false
        /// Whether another thread works on the vault for it.
        var isWorkingOnVault = false
    }

    init(_ session: Session, _ id: RequestID, _ method: Method, _ interaction: Interaction?) {
        self.session = session
        self.id = id
        self.method = method
        wish = interaction
    }

    /// Whether the person may be asked in the middle of it.
    var interaction: Interaction { wish ?? .allow }

    /// Whether it waits for the vault to be unlocked, where that is all that it lacks.
    var mayPrompt: Bool { wish != nil }

    func allow(_ allowance: Allowance) { allowedOnce.insert(allowance) }

    /// Whether the person has just allowed it this, as who it is now.
    func isAllowed(_ matter: ConsentQuestion.Matter, _ service: Service) throws(RefusedRequest) -> Bool {
        try allowedOnce.contains(Allowance(matter: matter, subject: session.subject(), service: service))
    }

    /// Nothing that was shown or allowed for another vault counts in this one.
    func vaultWasReplaced() {
        allowedOnce = []
        hasLostProof = isProven
        isProven = false
    }

    /// Nobody waits for its answer any more. To be called on the engine.
    func cancel() { progress.task?.cancel() }

    /// To be called before the request waits for anything: so many of a connection may.
    func willWait() throws(RefusedRequest) {
        guard session.waiting[id] == nil else { return }
        guard session.waiting.count < Limits.waitingRequests else { throw RefusedRequest(.tooManyRequests) }
        session.waiting[id] = self
    }
}
