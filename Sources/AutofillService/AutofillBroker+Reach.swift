// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import SiteKnowledge

/// What of a credential is reached for: each is an app's own by itself.
enum CredentialPart {
    case password
    case code
}

/// What an app reaches of the site that it is associated with, and of those whose accounts hold there too.
extension AutofillBroker {
    /// Decides about a release of what is saved for a service, or for one that shares its accounts with the app's own.
    ///
    /// The person's word is for that very service either way: what sites share is told by a file that any program of the
    /// user can write.
    func authorise(
        _ client: Client, toReach part: CredentialPart, of service: Service, _ interaction: Interaction
    ) throws(RefusedRequest) -> Authorisation {
        if let decided = decided(client, service) { return .granted(decided) }
        let site = try reach(of: client, to: service)
        try examine(client, .domain(site.value), for: .savedCredential, interaction: interaction)
        if site != service { return try authorise(client, toReach: service, by: site, interaction) }
        if let grant = try standing(client, service) { return .granted(grant) }
        if try ownsAny(part, of: service, client) { return .ownOnly }
        return .granted(try ask(client, service, interaction))
    }

    /// A remembered no for either holds. What is decided here is not kept: it gives no right to change anything there.
    private func authorise(
        _ client: Client, toReach service: Service, by site: Service, _ interaction: Interaction
    ) throws(RefusedRequest) -> Authorisation {
        var grant: Grant?
        for named in [site, service] {
            grant = try remembered(client, named)
            guard grant?.decision != .deny else {
                throw RefusedRequest(
                    .grantDenied, [.app: try subject(of: client).app, .domain: named.value])
            }
        }
        if let grant, !asksEveryTime { return .granted(grant.id) }
        return .granted(try ask(client, service, interaction))
    }

    /// Whether something of a service is the app's own. One that cannot be read is not.
    func ownsAny(
        _ part: CredentialPart, of service: Service, _ client: Client
    ) throws(RefusedRequest) -> Bool {
        guard let written = client.written[service] else { return false }
        let open = try vault.unlocked()
        return written.contains { id in
            guard let found = try? open.credential(id) else { return false }
            return client.sees(part, of: id, found.version, .ownOnly)
        }
    }

    /// Whether the client may change the one-time codes of this user: those that it set, and where there are none those of
    /// a credential that it wrote. All else takes the person's word, as reading it would.
    func authorise(
        _ client: Client, toChangeCodesOf user: String, of service: Service, _ interaction: Interaction
    ) throws(RefusedRequest) {
        let subject = try subject(of: client)
        if try remembered(client, service)?.decision == .deny {
            throw RefusedRequest(.grantDenied, [.app: subject.app, .domain: service.value])
        }
        let open = try vault.unlocked()
        let saved = try attempting { () throws(VaultError) in try open.credential(for: service, user: user) }
        guard let saved, saved.deleted == nil else { return }
        let writer = saved.oneTimeCode == nil ? saved.writer : saved.codeWriter
        if let writer, subject.isAtLeast(writer) { return }
        if decided(client, service) != nil { return }
        if try standing(client, service) == nil { _ = try ask(client, service, interaction) }
    }

    /// The service by which the app reaches what is saved for another: that one itself, where the app is associated with
    /// it; else the app's own one at which its accounts hold too, one that the person allowed before others.
    private func reach(of client: Client, to service: Service) throws(RefusedRequest) -> Service {
        guard let registration = registration(of: client) else { return service }
        let partners = partners(of: service, in: registration)
        for partner in partners where try remembered(client, partner)?.decision == .allow { return partner }
        return partners.first ?? service
    }

    /// The registration's own services at which accounts of another service hold too; none for one of its own.
    func partners(of service: Service, in registration: Registration) -> [Service] {
        guard let name = try? DomainName(service.value), registration.answers(for: name) == nil else { return [] }
        let served = configuration.sites.sites.domainsServed(by: name).flatMap { [$0, "www." + $0] }
        return served.compactMap { try? DomainName($0) }.filter { registration.answers(for: $0) != nil }
            .map { Service(kind: .domain, value: $0.text) }
    }
}

extension Client {
    /// Whether a version of a credential, or its codes, may be shown under what was decided.
    func sees(
        _ part: CredentialPart, of id: ObjectID, _ version: UInt64, _ authorisation: AutofillBroker.Authorisation
    ) -> Bool {
        switch (authorisation, part) {
        case (.granted, _): true
        case (.ownOnly, .password): owns(id, version)
        case (.ownOnly, .code): ownsCode(id, version)
        }
    }
}
