// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
package import AutofillProtocol
internal import CredentialStorage
package import Credentials
package import Forms
package import PeerIdentity
internal import Reasons

/// A request as `judge` sees it: nothing of it can be changed, but for what the readers remember by name.
package struct RequestView {
    private let context: RequestContext

    init(_ context: RequestContext) { self.context = context }

    private var session: Session { context.session }

    // MARK: - The request

    package var method: Method { context.method }
    /// Whether it has given proof, and so may access what is not the app's own.
    package var isProven: Bool { context.isProven }
    /// Whether it asks as one that brings proof, and not as an app.
    var bringsProof: Bool { context.consents.proof != .none }
    package var interaction: Interaction { context.interaction }
    var mayPrompt: Bool { context.mayPrompt }
    /// Where a browser shows the page that it asks for.
    var page: PageContext { context.notes.page }
    /// The service that it has named.
    var service: Service? { context.notes.service }
    var isPage: Bool { context.notes.isPage }
    var results: AwaitedResults { context.state.results }

    // MARK: - The client

    package var sessionID: SessionID { session.id }
    var app: IdentifiedApp? { session.app }
    var peer: Peer { session.peer }
    var staging: ImportStaging? { session.memory.staging }
    var export: BegunExport? { session.memory.export }
    package var bundleID: BundleIdentifier? { session.app?.bundleID }
    var quotaKey: String { session.quotaKey }
    /// Whether the client is `autofillctl`, or another program that no evidence contradicts when it claims to be it.
    package var isCommandLine: Bool { session.isCommandLine }
    /// Whether the Secret Service bridge is the app's delegate: then it may access that group alone.
    package var isOfSecretService: Bool { session.isOfSecretService }
    package var isOutsideSandbox: Bool { session.peer.evidence.isOutsideSandbox }

    /// The client as the vault knows it; throws where claim and evidence contradict each other.
    package func subject() throws(Unsettled) -> Subject { try session.subject() }

    /// The writer of what the request writes: with proof the user, through `autofillctl`.
    package func writer() throws(Unsettled) -> Subject {
        isProven ? administrator : try session.subject()
    }

    /// The writer of what the user writes with proof, through `autofillctl`.
    package var administrator: Subject {
        Subject(app: Session.commandLineBundleID, assurance: "claimed", executable: "administrator")
    }

    /// Whether no evidence contradicts the client's claim.
    package var isConsistent: Bool { session.app?.subject != nil }
    /// The terminal of the peer now.
    package var terminal: TerminalSession? { session.peer.terminal() }

    package func confirmPeer() throws(Unsettled) { try context.confirmPeer() }

    /// What is done to the vault as a whole, and every passphrase and key, is for programs outside any sandbox: a sandboxed app
    /// must neither make the vault before the user does, nor lock it, nor keep the user out by wrong tries. A program that hides
    /// its root directory does not count as outside, nor does one that has files, users or processes of its own, by bubblewrap
    /// or a container.
    package func requireOutsideSandbox() throws(Unsettled) {
        guard !isOutsideSandbox else { return }
        throw Unsettled(.outsideSandboxOnly, [.app: bundleID?.text ?? ""])
    }

    // MARK: - What the connection has written

    package func owns(_ field: CredentialField, of id: ObjectID, _ version: UInt64) -> Bool {
        session.memory.ownership.owns(field, of: id, version)
    }
    package func ownsDetails(_ id: ObjectID, _ version: UInt64) -> Bool {
        session.memory.ownership.ownsDetails(id, version)
    }
    package func hasMade(_ id: ObjectID, _ version: UInt64 = 0) -> Bool {
        session.memory.ownership.hasMade(id, version)
    }
    package func hasDeleted(_ id: ObjectID, _ version: UInt64) -> Bool {
        session.memory.ownership.hasDeleted(id, version)
    }
    /// The credentials of a service that are, or were once, the connection's own.
    func written(for service: Service) -> Set<ObjectID>? { session.memory.ownership.written[service] }

    // MARK: - What the user has decided

    /// What the user has just answered for one account of a service, for the client as it is now.
    package func pick(of service: Service, toSave: Bool = false) throws(Unsettled) -> Allowance? {
        context.consents.pick(of: service, toSave: toSave, for: try subject())
    }

    /// Whether the user has just allowed it this, as the client that it is now.
    func isAllowed(_ matter: ConsentQuestion.Matter, _ service: Service) throws(Unsettled) -> Bool {
        context.consents.contains(Allowance(matter: matter, subject: try subject(), service: service))
    }
    func isAllowed(_ allowance: Allowance) -> Bool { context.consents.contains(allowance) }

    /// Whether the user allowed the connection, or its script's run, an item of another program, or has just allowed it to this request.
    func isAllowed(_ item: ObjectID) throws(Unsettled) -> Bool {
        if isProven || session.consents.items.contains(item) { return true }
        return context.consents.items(for: try subject()).contains(item)
    }
    /// The subject to which the user gave the app's own data on this connection, or in this run of its script.
    var ownDataConsent: Subject? { session.consents.ownData }

    // MARK: - Forms

    /// What a form is; the one that was read last is remembered.
    package func analysis(of form: DescribedForm) throws(Unsettled) -> FormAnalysis {
        try analysis(of: form.fields.formFields(), form.words)
    }
    package func analysis(of fields: [FormField], _ words: FormWords) -> FormAnalysis {
        session.memory.forms.analysis(of: fields, words.context)
    }
    package func form(of offer: ObjectID) -> DescribedForm? { session.memory.forms.form(of: offer) }
    /// The offers of this connection that are remembered.
    package var formOffers: [ObjectID] { session.memory.forms.offers }
    package func submittedUser(for service: Service) -> String? { session.memory.forms.submittedUser(for: service) }
    /// A form of this connection that was sent and not withdrawn.
    package func pendingSubmission(_ id: String, at now: Timestamp) -> PendingSubmission? {
        session.memory.forms.submissions.submission(id, at: now)
    }

    // MARK: - What it has waited for

    /// Throws that the files of registrations are read, where they were not since the request came.
    package func requireReadFiles() throws(Unsettled) {
        if !context.state.results.hasReadFiles { throw .waits(for: .files) }
    }

    package func grantedPrograms(_ query: GrantedPrograms.Query) throws(Unsettled) -> GrantedPrograms {
        guard let programs = context.state.results.grantedPrograms else { throw .waits(for: .grantedPrograms(query)) }
        return programs
    }

    /// How many attempts to ask sites had ended when the request was judged first.
    package func attemptsBefore(_ associations: SiteAssociations) -> UInt64 {
        let before = context.state.results.attemptsBefore ?? associations.attempts
        context.state.results.attemptsBefore = before
        return before
    }

    package func slots(from secrets: [NewSecret]) throws(Unsettled) -> DerivedSlots {
        guard let slots = context.state.results.slots else { throw .waits(for: .slots(secrets)) }
        return slots
    }

    // MARK: - What readers remember

    func note(_ service: Service, isPage: Bool = false) { context.notes.note(service, isPage: isPage) }
    func noteOrigin(_ origin: WebOrigin) { context.notes.noteOrigin(origin) }
    func noteFetch(_ query: AssociationQuery, _ app: BundleIdentifier) {
        context.notes.followUps.append(.fetch(query, app))
    }
    /// The consent of a browser was read for a site.
    func noteRead(of key: BrowserConsents.Key, for site: Service) { context.notes.followUps.append(.count(site, key)) }
    var notedSites: [Service] { context.notes.followUps.compactMap(\.site) }
    /// Reads further services; the request stays one about the service that it named.
    func keepingService<Result>(_ body: () throws(Unsettled) -> Result) throws(Unsettled) -> Result {
        let notes = context.notes
        defer {
            let followUps = context.notes.followUps
            context.notes = notes
            context.notes.followUps = followUps
        }
        return try body()
    }
    func decided(_ service: Service, at revision: UInt64) -> ObjectID? {
        session.memory.decisions.grant(for: service, at: revision)
    }
    func keep(_ grant: ObjectID, for service: Service, at revision: UInt64) {
        session.memory.decisions.keep(grant, for: service, at: revision)
    }
    func decidedOwn(_ field: CredentialField, of service: Service, at revision: UInt64, written: Int) -> Bool {
        session.memory.decisions.owns(field, of: service, at: revision, written: written)
    }
    /// Keeps nothing where the user has just allowed this request, and no other, what it lacked.
    func keepOwn(_ field: CredentialField, of service: Service, at revision: UInt64, written: Int) {
        guard context.consents.isEmpty else { return }
        session.memory.decisions.keepOwn(field, of: service, at: revision, written: written)
    }
}
