// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
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
    private var proof = ProofState.none
    /// What the person has just allowed this request and no other.
    private var allowedOnce: Set<Allowance> = []
    var place = Place()
    var progress = Progress()

    private enum ProofState {
        case none
        /// It came with the request, and was not checked yet.
        case brought
        case given
        /// It was for a vault that has been replaced meanwhile.
        case lost
    }

    /// What it is about.
    struct Place {
        /// The service that it names, for record and journal.
        var service: Service?
        /// Whether it names that as a page of the web, and not as a domain of its own.
        var isPage = false
        /// Where a browser shows that page.
        var page = PageContext()
        /// What its answer warns of.
        fileprivate(set) var warnings: [String] = []
    }

    struct Progress {
        /// How many bytes its line had.
        var bytes = 0
        /// Whether that may have been sent before the peer was looked at.
        var isEarly = false
        /// Against whom these count while it waits.
        var account: String?
        /// What performs it, once it has waited.
        var task: Task<Void, Never>?
        /// It has its answer, whatever its task still does.
        var isAnswered = false
        /// Whether the person is asked for it.
        var isAskingPerson = false
        /// Whether another thread works on the vault for it.
        var isWorkingOnVault = false
        /// Whether its peer was looked at for the judgement under way.
        var isPeerConfirmed = false
        /// Whether it has opened as much of the vault as one turn may, and goes on in another one.
        var hasSpentTurn = false
    }

    init(_ session: Session, _ id: RequestID, _ method: Method, _ interaction: Interaction?) {
        self.session = session
        self.id = id
        self.method = method
        wish = interaction
        progress.bytes = session.arriving.bytes
        progress.isEarly = session.arriving.isEarly
    }

    deinit {
        if let account = progress.account { session.waitingBytes.leave(account, progress.bytes) }
    }

    /// Whether the request has given proof, and so reaches what is not the app's own.
    var isProven: Bool { proof == .given }
    var hasLostProof: Bool { proof == .lost }
    /// Whether it asks as who brings proof, and not as an app.
    var bringsProof: Bool { proof != .none }

    func noteBroughtProof() { proof = .brought }
    func noteProof() { proof = .given }

    /// Whether the person may be asked in the middle of it.
    var interaction: Interaction { wish ?? .allow }

    /// Whether it waits for the vault to be unlocked, where that is all that it lacks.
    var mayPrompt: Bool { wish != nil }

    func allow(_ allowance: Allowance) { allowedOnce.insert(allowance) }

    /// Whether the person has just allowed it this, as who it is now.
    func isAllowed(_ matter: ConsentQuestion.Matter, _ service: Service) throws(RefusedRequest) -> Bool {
        try allowedOnce.contains(Allowance(matter: matter, subject: session.subject(), service: service))
    }

    func isAllowed(_ allowance: Allowance) -> Bool { allowedOnce.contains(allowance) }

    /// Nothing that was shown or allowed for another vault counts in this one.
    func vaultWasReplaced() {
        allowedOnce = []
        if proof == .given { proof = .lost }
    }

    /// Makes sure, before a release, that the peer is still the one that was looked at, and that what was looked at has sent
    /// this. A program that connects, asks, and becomes another at once has asked before that. The look at which a judgement
    /// begins serves to its end: nothing else runs in between, and after each wait there is another one.
    func confirmPeer() throws(RefusedRequest) {
        if !progress.isPeerConfirmed { try session.confirmPeer() }
        guard progress.isEarly, !isProven, session.app?.isKnownByProgram == true else { return }
        throw RefusedRequest(.peerChanged)
    }

    /// The keychain items that the person has just allowed it, as who it is now.
    func allowedItems() throws(RefusedRequest) -> [ObjectID] {
        let subject = try session.subject()
        return allowedOnce.flatMap { allowance -> [ObjectID] in
            guard case .read(let items) = allowance.matter, allowance.subject == subject else { return [] }
            return items.ids
        }
    }

    /// What the person has just said to filling, or saving for, one account of a service, for who it is now; nil where they were
    /// not asked.
    func pick(of service: Service, toSave: Bool = false) throws(RefusedRequest) -> Allowance? {
        let subject = try session.subject()
        return allowedOnce.first { allowed in
            let isMeant =
                switch allowed.matter {
                case .fillOne: !toSave
                case .saveFor: toSave
                case .fill, .save, .approval, .own, .read: false
                }
            return isMeant && allowed.subject == subject && allowed.service == service
        }
    }

    /// The page that it asks for is answered by whoever is on its network: what is filled there is no secret to them.
    func note(_ origin: WebOrigin) {
        place.warnings = []
        guard origin.scheme == .http, origin.isServed else { return }
        place.warnings.append("not secure: whoever is on the way to \(origin) can read what is filled there")
    }

    /// Nobody waits for its answer any more. To be called on the engine.
    func cancel() { progress.task?.cancel() }

    /// To be called before the request waits for anything: so many of a connection may, and so many bytes of one program.
    func willWait() throws(RefusedRequest) {
        guard session.waiting[id] == nil else { return }
        let account = session.account
        guard session.waiting.count < Limits.waitingRequests,
            progress.account != nil || session.waitingBytes.enter(account, progress.bytes)
        else { throw RefusedRequest(.tooManyRequests) }
        progress.account = progress.account ?? account
        session.waiting[id] = self
    }
}
