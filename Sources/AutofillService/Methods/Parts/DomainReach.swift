// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import ConfigurationFiles
internal import Credentials
internal import Reasons

/// The associated domains of apps: what the site says, what the person says, and what was last heard.
extension Modules {
    /// The registration of the app that is asked about: the caller's, or with proof any other's, as its file is now.
    func registration(
        asked name: String?, _ request: RequestContext
    ) async throws(RefusedRequest) -> Registration {
        guard let own = request.session.app?.bundleID else { throw RefusedRequest(.internalFault) }
        let app = try name.map { name throws(RefusedRequest) in try bundleID(name) } ?? own
        guard request.isProven || app == own else { throw RefusedRequest(.notOwn, [.app: app.text]) }
        if !request.isProven { _ = try request.session.subject() }
        try request.willWait()
        await apps.look()
        guard let registration = apps.registration(named: app) else {
            throw RefusedRequest(.appNotRegistered, [.app: app.text])
        }
        return registration
    }

    func report(of domain: String, _ app: Registration) throws(RefusedRequest) -> DomainReport {
        let (entry, name) = try entry(domain, of: app)
        _ = try vault.unlocked()
        return report(app, entry, try associations.statements(app, entry, named: name))
    }

    /// Keeps the person's decision.
    func decide(
        _ decision: DomainDecision.Word, _ call: some DomainDecisionCall, _ request: RequestContext
    ) async throws(RefusedRequest) -> Changed {
        let app = try await registration(asked: call.bundleID, request)
        let name = try entry(call.domain, of: app).name
        return try await decide(request) { () throws(RefusedRequest) in
            if try associations.decision(app.bundleID, name)?.word == decision { return Changed(false) }
            try associations.decide(
                DomainDecision(decision, at: clock.now), app.bundleID, name, causedBy: request)
            forgetDenials(of: app.bundleID.text)
            return Changed(true)
        }
    }

    /// The entry of the registration that covers a domain, or is the wildcard that is named.
    func entry(
        _ text: String, of app: Registration
    ) throws(RefusedRequest) -> (entry: AssociatedDomain, name: String) {
        if text.hasPrefix("*.") {
            let wildcard = app.entitlements.associatedDomains.first { $0.isWildcard && $0.name == text.lowercased() }
            guard let wildcard else {
                let below = try named(String(text.dropFirst(2)))
                throw RefusedRequest(.domainNotAssociated, [.app: app.bundleID.text, .domain: "*.\(below)"])
            }
            return (wildcard, wildcard.name)
        }
        let domain = try named(text)
        guard let entry = app.answers(for: domain) else {
            throw RefusedRequest(.domainNotAssociated, [.app: app.bundleID.text, .domain: domain.text])
        }
        return (entry, domain.text)
    }

    private func named(_ text: String) throws(RefusedRequest) -> DomainName {
        do throws(DomainNameError) {
            return try DomainName(text)
        } catch {
            throw .invalid("domain", because: error.reason, fix: error.fix)
        }
    }

    func report(
        _ app: Registration, _ entry: AssociatedDomain, _ statements: AssociationStatements
    ) -> DomainReport {
        let known = associations.association(statements.query)
        let state = AssociationState(statements)
        return DomainReport(
            bundleID: app.bundleID.text, entry: entry.description, site: statements.query.domain,
            siteState: state.site, siteEvidence: statements.site.evidence, userState: state.user,
            userEvidence: statements.user.evidence, approved: state.isApproved,
            fetched: known?.fetched?.description, validUntil: known?.validUntil?.description,
            lastAttempt: known?.attempted.description, nextAttempt: known?.nextAttempt.description,
            files: (known?.attempt.files ?? []).map { $0.naming(app.bundleID.text) })
    }
}

/// What site and person say, as the wire has it.
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
            file: file, status: status, failure: failure, detail: detail,
            apps: apps.filter { $0.utf8.elementsEqual(app.utf8) })
    }
}
