// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import PeerIdentity
internal import Reasons
internal import SecretMemory

/// Whether an app may be given what is saved.
extension AutofillBroker {
    /// What the client may see of a service.
    enum Authorisation {
        /// Under this grant, or this once.
        case granted(ObjectID?)
        /// Only what this connection made or saved itself.
        case ownOnly
    }

    /// The subject of a client whose word and evidence agree.
    func subject(of client: Client) throws(RefusedRequest) -> Subject {
        guard let app = client.app else { throw RefusedRequest(.internalFault) }
        guard let subject = app.subject else {
            throw RefusedRequest(.identityMismatch, [.app: app.bundleID.text])
        }
        return subject
    }

    /// Every condition but the grant; throws all that fail. A site that has not been asked yet is waited for, and so is
    /// the person, where their word can stand in its place.
    func examine(
        _ client: Client, _ site: AutofillFacts.Site, for purpose: Examination.Purpose,
        consent: AutofillFacts.Consent = .granted(""), interaction: Interaction = .allow
    ) throws(RefusedRequest) {
        let examination = Examination(of: facts(for: client, site: site, consent: consent), for: purpose)
        if examination.isPermitted { return }
        try hear(client, site, examination, mayWait: interaction == .allow)
        try askApproval(client, site, examination, interaction)
        throw RefusedRequest(examination.refusals)
    }

    /// The remembered word for this client and service.
    func remembered(_ client: Client, _ service: Service) throws(RefusedRequest) -> Grant? {
        let subject = try subject(of: client)
        let open = try vault.unlocked()
        let grants = try attempting { () throws(VaultError) in
            try open.grants(app: subject.app, service: service)
        }
        let fitting = grants.filter { $0.covers(subject) }
        return fitting.first { $0.decision == .deny } ?? fitting.first
    }

    /// Decides about a release, asking the person where that is possible. The order of the checks keeps an app without a
    /// grant from learning whether anything is saved.
    func authorise(
        _ client: Client, _ service: Service, _ interaction: Interaction
    ) throws(RefusedRequest) -> Authorisation {
        if let decided = decided(client, service) { return .granted(decided) }
        try examine(client, .domain(service.value), for: .savedCredential, interaction: interaction)
        if let grant = try standing(client, service) { return .granted(grant) }
        if try ownsAny(.password, of: service, client) { return .ownOnly }
        return .granted(try ask(client, service, interaction))
    }

    /// The grant that was decided before, while nothing has changed that it rests on.
    func decided(_ client: Client, _ service: Service) -> ObjectID? {
        guard let decided = client.decided[service], decided.generation == generation, vault.fact == .unlocked else {
            return nil
        }
        return decided.grant
    }

    /// The person's remembered yes; throws for a remembered no.
    func standing(_ client: Client, _ service: Service) throws(RefusedRequest) -> ObjectID? {
        guard let grant = try remembered(client, service) else { return nil }
        guard grant.decision == .allow else {
            throw RefusedRequest(.grantDenied, [.app: grant.subject.app, .domain: service.value])
        }
        if asksEveryTime { return nil }
        if client.decided.count >= 64 { client.decided.removeAll() }
        client.decided[service] = Client.Decided(generation: generation, grant: grant.id)
        return grant.id
    }

    /// Asks the person, unless they have just said yes to this request; then nil, for a yes that is not remembered.
    func ask(
        _ client: Client, _ service: Service, _ interaction: Interaction
    ) throws(RefusedRequest) -> ObjectID? {
        if client.allowedOnce.contains(Allowance(.fill, service)) { return nil }
        let names: [Refusal.Parameter: String] = [.app: try subject(of: client).app, .domain: service.value]
        if interaction == .forbid { throw RefusedRequest(.interactionRequired, names) }
        throw try asking(.fill, client, service, unasked: Refusal(.grantMissing, names))
    }

    /// Keeps the person's word in the vault.
    func remember(
        _ decision: Grant.Decision, _ subject: Subject, _ service: Service
    ) throws(RefusedRequest) -> ObjectID? {
        // Without anything to know the program by again, the word holds for this time only.
        guard !Peer.isPassing(subject.executable) else { return nil }
        let grant = Grant(
            id: .random(.grant, using: &entropy), subject: subject, service: service, decision: decision,
            created: now, origin: "prompt")
        let open = try vault.unlocked()
        generation += 1
        return try attempting { () throws(VaultError) in try open.put(grant) }.id
    }

    /// Whether the client may save for this user. What nobody has saved yet, and what it wrote itself, it may; to change
    /// what another program or the person saved takes the person's word, as reading it would.
    func authorise(
        _ client: Client, toChange user: String, of service: Service, _ interaction: Interaction
    ) throws(RefusedRequest) {
        let subject = try subject(of: client)
        if try remembered(client, service)?.decision == .deny {
            throw RefusedRequest(.grantDenied, [.app: subject.app, .domain: service.value])
        }
        let open = try vault.unlocked()
        let saved = try attempting { () throws(VaultError) in try open.credential(for: service, user: user) }
        guard let saved else { return try takeRoom(for: service, writtenBy: subject.app) }
        guard saved.deleted == nil, !subject.isAtLeast(saved.writer) else { return }
        if case .ownOnly = try authorise(client, service, interaction) {
            throw RefusedRequest(.grantMissing, [.app: subject.app, .domain: service.value])
        }
    }

    /// Makes sure, right before a release, that the peer is still the one that was looked at.
    func confirmPeer(of client: Client) throws(RefusedRequest) {
        do throws(PeerRefusal) {
            try client.peer.confirm()
        } catch {
            switch error {
            case .ended: throw RefusedRequest(.peerEnded)
            case .executableChanged: throw RefusedRequest(.peerChanged)
            default: throw RefusedRequest(.identityMismatch, [.app: client.app?.bundleID.text ?? ""])
            }
        }
    }
}

extension Grant {
    /// Whether it speaks of this subject: the same app, at this assurance or a higher one, and the same executable unless
    /// it is for any.
    func covers(_ other: Subject) -> Bool {
        guard let mine = Assurance(rawValue: subject.assurance), let theirs = Assurance(rawValue: other.assurance)
        else {
            return false
        }
        // By bytes: two paths that only look alike are two files.
        return subject.app.utf8.elementsEqual(other.app.utf8) && theirs >= mine
            && (subject.executable.isEmpty || subject.executable.utf8.elementsEqual(other.executable.utf8))
    }
}
