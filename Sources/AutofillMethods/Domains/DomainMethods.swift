// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// The methods `domain.*`: what sites state of apps, and what the user has decided.
struct DomainMethods: MethodArea {
    let views: DomainViews
    private let associations: SiteAssociations
    private let consents: ConsentRecorder

    init(
        _ associations: SiteAssociations, _ apps: AppDirectory, _ saved: CredentialReader, _ consents: ConsentRecorder
    ) {
        views = DomainViews(associations: associations, apps: apps, saved: saved)
        self.associations = associations
        self.consents = consents
    }

    func effects(for request: RequestContext) -> DomainWriter { DomainWriter(associations, consents, request) }
}

struct DomainViews {
    let associations: SiteAssociations
    let apps: AppDirectory
    let saved: CredentialReader
}

extension DomainViews {
    /// The registration of the app that is asked about: the caller's, or with proof any other's, as its file is now.
    func registration(asked name: String?, _ request: RequestView) throws(Unsettled) -> Registration {
        guard let own = request.bundleID else { throw Unsettled(.internalFault) }
        let app = try name.map { name throws(Unsettled) in try bundleID(name) } ?? own
        guard request.isProven || app == own else { throw Unsettled(.notOwn, [.app: app.text]) }
        if !request.isProven { _ = try request.subject() }
        try request.requireReadFiles()
        guard let registration = apps.registration(named: app) else {
            throw Unsettled(.appNotRegistered, [.app: app.text])
        }
        return registration
    }

    func report(of domain: NamedDomain, _ app: Registration) throws(Unsettled) -> DomainReport {
        let (entry, name) = try entry(domain, of: app)
        try saved.requireOpenVault()
        return report(app, entry, try associations.statements(app, entry, named: name))
    }

    /// The entry of the registration that covers a domain, or is the wildcard that is named.
    func entry(
        _ named: NamedDomain, of app: Registration
    ) throws(Unsettled) -> (entry: AssociatedDomain, name: String) {
        if case .name(let text) = named, text.hasPrefix("*.") {
            let wildcard = app.entitlements.associatedDomains.first { $0.isWildcard && $0.name == text.lowercased() }
            guard let wildcard else {
                let below = try Self.name(String(text.dropFirst(2)), "domain")
                throw Unsettled(.domainNotAssociated, [.app: app.bundleID.text, .domain: "*.\(below)"])
            }
            return (wildcard, wildcard.name)
        }
        let domain = try Self.name(of: named)
        guard let entry = app.answers(for: domain) else {
            throw Unsettled(.domainNotAssociated, [.app: app.bundleID.text, .domain: domain.text])
        }
        return (entry, domain.text)
    }

    private static func name(of domain: NamedDomain) throws(Unsettled) -> DomainName {
        switch domain {
        case .name(let text): return try name(text, "domain")
        case .service(let service):
            switch Service.Kind(rawValue: service.type) {
            case .domain: return try name(service.value, "service.value")
            case .origin:
                guard let name = (try? WebOrigin(service.value))?.securedName else {
                    throw .invalid("service.value", "an origin with https and a domain")
                }
                return name
            default: throw .invalid("service.type", "domain or origin")
            }
        }
    }

    private static func name(_ text: String, _ member: String) throws(Unsettled) -> DomainName {
        do throws(DomainNameError) {
            return try DomainName(text)
        } catch {
            throw .invalid(member, because: error.reason, fix: error.fix)
        }
    }

    func report(
        _ app: Registration, _ entry: AssociatedDomain, _ statements: AssociationStatements
    ) -> DomainReport {
        let stored = associations.association(statements.query)
        let state = AssociationState(statements)
        return DomainReport(
            bundleID: app.bundleID.text, entry: entry.description, site: statements.query.domain,
            siteState: state.site.rawValue, siteEvidence: statements.site.evidence, userState: state.user.rawValue,
            userEvidence: statements.user.evidence, approved: state.isApproved,
            fetched: stored?.fetched?.description, validUntil: stored?.validUntil?.description,
            lastAttempt: stored?.attempted.description, nextAttempt: stored?.nextAttempt.description,
            files: (stored?.attempt.files ?? []).map { $0.naming(app.bundleID.text) })
    }
}

/// A decision of the user about an app and a domain.
struct DomainDecisionChange: Sendable {
    let app: BundleIdentifier
    let name: String
}

extension DomainViews {
    /// What is to be decided; nil where it is decided so already.
    func change(
        to decision: DomainDecision.Decision, by call: some DomainDecisionCall, _ request: RequestView
    ) throws(Unsettled) -> DomainDecisionChange? {
        let app = try registration(asked: call.bundleID, request)
        let name = try entry(call.domain, of: app).name
        if try associations.decision(app.bundleID, name)?.decision == decision { return nil }
        return DomainDecisionChange(app: app.bundleID, name: name)
    }
}

extension DomainWriter {
    func decide(_ decision: DomainDecision.Decision, _ change: DomainDecisionChange?) throws(Refusal) -> Changed {
        guard let change else { return Changed(false) }
        try decide(decision, change.app, change.name)
        return Changed(true)
    }
}

/// The statements of site and user, as the wire has them.
private struct AssociationState {
    let site: DomainReport.SiteState
    let user: DomainReport.UserState

    init(_ statements: AssociationStatements) {
        site =
            switch statements.site {
            case .approved: .approved
            case .notNeeded: .notNeeded
            case .notListing: .notListing
            case .failed: .failed
            case .notFetched, .unknown: .notFetched
            }
        user =
            switch statements.user {
            case .approved: .approved
            case .denied: .denied
            case .silent, .unknown: .silent
            case .needed: .needed
            }
    }

    var isApproved: Bool {
        switch (site, user) {
        case (_, .denied), (_, .needed): false
        case (_, .approved), (.approved, _), (.notNeeded, _): true
        default: false
        }
    }
}

extension AssociationFileReport {
    /// Without the other apps of the site.
    fileprivate func naming(_ app: String) -> AssociationFileReport {
        AssociationFileReport(
            file: file, status: status, failureName: failure, detail: detail,
            apps: apps.filter { $0.utf8.elementsEqual(app.utf8) })
    }
}
