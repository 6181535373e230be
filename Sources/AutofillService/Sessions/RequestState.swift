// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import Credentials

/// How far a request has come.
struct RequestState {
    /// The length of its line.
    var bytes = 0
    /// Whether that may have been sent before the peer was inspected.
    var isEarly = false
    /// What its answer warns of as unknown in its parameters.
    var unknown: [String] = []
    /// What performs it, once it has waited.
    var task: Task<Void, Never>?
    /// Whether it is answered, whatever its task still does.
    var isAnswered = false
    /// Whether the user is asked for it.
    var isPromptingUser = false
    /// Whether another thread works on the vault for it.
    var isWorkingOnVault = false
    /// Whether it is done, and its answer alone waits: nothing undoes it any more.
    var isDone = false
    /// Whether its peer was inspected for the judgement under way.
    var isPeerConfirmed = false
    /// What it has waited for.
    var results = AwaitedResults()
}

/// What a judgement notes of a request for the record, the journal and the answer; refusals need it too.
struct RequestNotes {
    /// Where a browser shows the page that the request is for. A parameter: it stays from judgement to judgement.
    let page: PageContext
    /// The service that the request names.
    private(set) var service: Service?
    /// Whether it names that as a page of the web, and not as a domain of its own.
    private(set) var isPage = false
    /// What the answer warns of.
    private(set) var warnings: [String] = []
    /// What is done after the judgement, whatever its outcome.
    var followUps: [FollowUp] = []

    enum FollowUp {
        /// A site is asked about an app.
        case fetch(AssociationQuery, BundleIdentifier)
        /// A site is counted for which the consent of a browser was read.
        case count(Service, BrowserConsents.Key)

        /// The site that is counted.
        var site: Service? { if case .count(let site, _) = self { site } else { nil } }
    }

    init(page: PageContext) { self.page = page }

    /// Another judgement begins.
    mutating func reset() { if service != nil || !followUps.isEmpty { self = RequestNotes(page: page) } }

    mutating func note(_ service: Service, isPage: Bool = false) {
        self.service = service
        self.isPage = self.isPage || isPage
    }

    /// The page is answered by anybody on its network: what is filled there is no secret to them.
    mutating func noteOrigin(_ origin: WebOrigin) {
        warnings = []
        guard origin.scheme == .http, origin.isServed else { return }
        warnings.append("not secure: whoever is on the way to \(origin) can read what is filled there")
    }
}
