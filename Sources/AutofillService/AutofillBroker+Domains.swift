// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import ConfigurationFiles
internal import Credentials
internal import Reasons
internal import Settings

/// The associated domains of apps: what the site says, what the person says, and what was last heard.
extension AutofillBroker {
    func listDomains(
        _ call: DomainList, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> DomainList.Answer {
        _ = try vault.unlocked()
        reloadRegistrations()
        let registrations: [Registration]
        if isProven, call.bundleID == nil {
            registrations = configuration.registrations.catalog.registrations
        } else {
            registrations = [try registration(call.bundleID, client, isProven)]
        }
        let entries = registrations.flatMap { app in app.entitlements.associatedDomains.map { (app, $0) } }
        let start = try place(call.page.cursor)
        var domains: [DomainReport] = []
        for (app, entry) in entries.dropFirst(start).prefix(call.page.limit) {
            domains.append(report(app, entry, try words(app, entry, named: entry.name)))
        }
        let end = start + domains.count
        return DomainList.Answer(domains: domains, next: end < entries.count ? "\(end)" : nil)
    }

    /// A cursor of this list is the number of entries before it.
    private func place(_ cursor: String?) throws(RefusedRequest) -> Int {
        guard let cursor else { return 0 }
        guard let place = Int(cursor), place >= 0 else { throw .invalid("cursor", "next of the page before") }
        return place
    }

    func getDomain(_ call: DomainGet, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> DomainReport {
        try report(of: call, client, isProven)
    }

    /// The handler of one request: it waits for an attempt that ended after the request came.
    func refreshDomain() -> (DomainRefresh, Client, Bool) throws(RefusedRequest) -> DomainReport {
        let before = concluded
        return { [unowned self] call, client, isProven throws(RefusedRequest) in
            let app = try registration(call.bundleID, client, isProven)
            let query = AssociationQuery(try entry(call.domain, of: app).entry, of: app)
            guard concludedAt[query] ?? 0 > before || !isProven && wasJustAsked(query) else {
                throw .waits(on: .association(query))
            }
            return try report(of: call, client, isProven)
        }
    }

    /// No program has a site asked again and again.
    private func wasJustAsked(_ query: AssociationQuery) -> Bool {
        guard let known = association(query) else { return false }
        let interval = Int64(Limits.associationRefreshMilliseconds)
        return (0..<interval).contains(now.milliseconds - known.attempted.milliseconds)
    }

    func approveDomain(_ call: DomainApprove, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> Changed {
        try decide(.approve, call, client, isProven)
    }

    func denyDomain(_ call: DomainDeny, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> Changed {
        try decide(.deny, call, client, isProven)
    }

    private func decide(
        _ word: DomainDecision.Word, _ call: some DomainDecisionCall, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> Changed {
        guard isProven else { throw RefusedRequest(.proofRequired) }
        let app = try registration(call.bundleID, client, isProven)
        let name = try entry(call.domain, of: app).name
        if try decision(app.bundleID, name)?.word == word { return Changed(false) }
        try decide(DomainDecision(word, at: now), app.bundleID, name)
        forgetDenials(of: app.bundleID.text, Service(kind: .domain, value: name))
        return Changed(true)
    }

    private func report(
        of call: some DomainCall, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> DomainReport {
        let app = try registration(call.bundleID, client, isProven)
        let (entry, name) = try entry(call.domain, of: app)
        _ = try vault.unlocked()
        return report(app, entry, try words(app, entry, named: name))
    }

    /// The app that is asked about: the caller, or with proof any other.
    private func registration(
        _ name: String?, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> Registration {
        guard let own = client.app?.bundleID else { throw RefusedRequest(.internalFault) }
        var app = own
        if let name {
            do throws(BundleIdentifierError) {
                app = try BundleIdentifier(name)
            } catch {
                throw .invalid("bundleID", "\(error.reason) \(error.fix)")
            }
        }
        guard isProven || app == own else { throw RefusedRequest(.notOwn, [.app: app.text]) }
        if !isProven { _ = try subject(of: client) }
        reloadRegistrations()
        guard let registration = registration(named: app) else {
            throw RefusedRequest(.appNotRegistered, [.app: app.text])
        }
        return registration
    }

    /// The entry of the registration that covers a domain, or is the wildcard that is named.
    private func entry(
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
            throw .invalid("domain", "\(error.reason) \(error.fix)")
        }
    }

    private func report(_ app: Registration, _ entry: AssociatedDomain, _ words: AssociationWords) -> DomainReport {
        let known = association(words.query)
        let facts = AssociationState(words)
        return DomainReport(
            bundleID: app.bundleID.text, entry: entry.description, site: words.query.domain, siteState: facts.site,
            siteEvidence: words.site.evidence, userState: facts.user, userEvidence: words.user.evidence,
            approved: facts.isApproved, fetched: known?.fetched?.description,
            validUntil: known?.validUntil?.description,
            lastAttempt: known?.attempted.description, nextAttempt: known?.nextAttempt.description,
            files: (known?.attempt.files ?? []).map { $0.naming(app.bundleID.text) })
    }
}

/// The two words as the wire has them.
private struct AssociationState {
    let site: DomainReport.SiteState
    let user: DomainReport.UserState

    init(_ words: AssociationWords) {
        site =
            switch words.site {
            case .approved: .approved
            case .notNeeded: .notNeeded
            case .notListing: .notListing
            case .failed: .failed
            case .notFetched, .unknown: .notFetched
            }
        user =
            switch words.user {
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
