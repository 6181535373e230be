// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
package import AutofillPolicy
package import AutofillProtocol
internal import ConfigurationFiles
internal import CredentialStorage
package import Credentials
internal import Reasons
internal import Settings

/// The statements of the site and the user about an app and a domain that its registration covers.
package struct AssociationStatements {
    package let query: AssociationQuery
    package let site: AutofillFacts.SiteStatement
    package let user: AutofillFacts.UserDecision

    /// With the user's yes to one request; a remembered no overrides it.
    var approvedOnce: AssociationStatements {
        if case .denied = user { return self }
        return AssociationStatements(query: query, site: site, user: .approved("approved for this request"))
    }
}

extension SiteAssociations {
    /// nil where the registration does not cover the domain.
    ///
    /// - Parameter subjects: of which a grant that counts as approval has to cover one; nil for any of the app.
    func statements(
        _ registration: Registration, _ domain: DomainName, for subjects: [Subject]?
    ) throws(Unsettled) -> AssociationStatements? {
        guard let entry = registration.answers(for: domain) else { return nil }
        return try statements(registration, entry, named: domain.text, for: subjects)
    }

    /// - Parameter name: the domain that the entry covers, or the wildcard itself.
    package func statements(
        _ registration: Registration, _ entry: AssociatedDomain, named name: String, for subjects: [Subject]? = nil
    ) throws(Unsettled) -> AssociationStatements {
        let query = AssociationQuery(entry, of: registration)
        let site = siteStatement(registration, query)
        return AssociationStatements(
            query: query, site: site, user: try userDecision(registration, entry, name, query, site, subjects))
    }

    private func siteStatement(_ registration: Registration, _ query: AssociationQuery) -> AutofillFacts.SiteStatement {
        let answer = lastAnswer(registration.bundleID, query)
        let setting = settings.effective.siteAssociation
        switch setting {
        case .advisory: return .notNeeded("siteAssociation is \(setting.rawValue); \(answer.evidence)")
        case .requiredUnlessInstalled where registration.origin.owner == .root:
            return .notNeeded("the registration is root's and siteAssociation \(setting.rawValue); \(answer.evidence)")
        case .required, .requiredUnlessInstalled: return answer
        }
    }

    /// The site's statement, whatever the settings.
    private func lastAnswer(_ app: BundleIdentifier, _ query: AssociationQuery) -> AutofillFacts.SiteStatement {
        guard let stored = association(query) else {
            return vault.fact == .unlocked
                ? .notFetched("\(query.domain) has not been asked yet")
                : .unknown("the statement of \(query.domain) is stored in the vault, which is not open")
        }
        if let statement = stored.statement(at: clock.steady), let fetched = stored.fetched, let end = stored.validUntil
        {
            let isStale = stored.attempt != statement
            let later = isStale ? "; asked again at \(stored.attempted): \(stored.attempt.failureText)" : ""
            let times = "fetched \(fetched), valid until \(end)\(later)"
            if statement.lists(app.text) {
                return .approved("\(query.domain) lists it: \(statement.answeredText(app.text)); \(times)")
            }
            // The file that could not be fetched may.
            if statement.isPartial {
                return .failed("\(query.domain) asked at \(stored.attempted): \(stored.attempt.failureText)")
            }
            return .notListing("\(query.domain) does not list linux.\(app): \(statement.answeredText(nil)); \(times)")
        }
        guard !stored.isDue(at: clock.steady), !stored.attempt.isAnswered else {
            return .notFetched("the statement of \(query.domain) has expired, and has not been fetched again yet")
        }
        return .failed("\(query.domain) asked at \(stored.attempted): \(stored.attempt.failureText)")
    }

    /// A grant is a decision of the user too; it is read only where it matters.
    private func userDecision(
        _ registration: Registration, _ entry: AssociatedDomain, _ name: String, _ query: AssociationQuery,
        _ site: AutofillFacts.SiteStatement, _ subjects: [Subject]?
    ) throws(Unsettled) -> AutofillFacts.UserDecision {
        guard vault.fact == .unlocked else { return .unknown("kept in the vault, which is not open") }
        let app = registration.bundleID
        var approval: AutofillFacts.UserDecision?
        for name in entry.isWildcard ? [name, entry.name] : [name] {
            guard let decision = try decision(app, name) else { continue }
            switch decision.decision {
            case .deny: return .denied("denied for \(name) at \(decision.decided)")
            case .approve: approval = .approved("approved for \(name) at \(decision.decided)")
            }
        }
        if let approval { return approval }
        if case .approved = site, query.mode == .standard { return .silent }
        if case .notNeeded = site, settings.effective.siteAssociation == .advisory { return .silent }
        let service = Service(kind: .domain, value: name)
        let grants = try vault.read { readers throws(VaultError) in
            try readers.grants.all(app: app.text, service: service)
        }
        // A yes to a prompt is to what is filled: it did not say that the site states otherwise.
        let isDenied = if case .notListing = site { true } else { false }
        let counts = { (grant: Grant) in
            grant.decision == .allow && (subjects?.contains(where: grant.covers) ?? true)
                && !(isDenied && grant.origin == "prompt")
        }
        if let grant = grants.first(where: counts) {
            return .approved("grant \(grant.id) of \(grant.created)")
        }
        return query.mode == .developer ? .needed("the entry is in developer mode, which always asks") : .silent
    }
}

extension AutofillFacts.SiteStatement {
    package var evidence: String {
        switch self {
        case .approved(let text), .notNeeded(let text), .notListing(let text), .failed(let text), .notFetched(let text),
            .unknown(let text):
            text
        }
    }
}

extension AutofillFacts.UserDecision {
    package var evidence: String {
        switch self {
        case .approved(let text), .denied(let text), .needed(let text), .unknown(let text): text
        case .silent: "the user has not decided"
        }
    }
}

extension AssociatedDomain {
    /// `example.com` or `*.example.com`.
    package var name: String { (isWildcard ? "*." : "") + domain.text }
}

extension AssociationReport {
    /// The files that were read, with their HTTP status.
    fileprivate func answeredText(_ app: String?) -> String {
        files.filter { file in file.failure == nil && app.map { file.apps.contains($0) } ?? true }
            .map { "\($0.file) (HTTP \($0.status ?? 200))" }.joined(separator: ", ")
    }

    /// Why no file was read.
    fileprivate var failureText: String {
        files.compactMap { file in
            file.failure.map { failure in
                "\(file.file): \(failure)\(file.status.map { " (HTTP \($0))" } ?? ""), \(file.failureText ?? "")"
            }
        }.joined(separator: "; ")
    }
}
