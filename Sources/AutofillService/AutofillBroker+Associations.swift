// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
package import AutofillProtocol
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import SecretMemory
internal import Settings

/// What sites say of apps: kept in the vault, fetched by another program.
extension AutofillBroker {
    /// What is known of a site; nil where it was never asked, or the vault is closed that has it.
    func association(_ query: AssociationQuery) -> KnownAssociation? {
        if let known = associations[query] { return known }
        guard let known: KnownAssociation = try? read(query.vaultName) else { return nil }
        associations[query] = known
        return known
    }

    /// The person's word; nil where there is none.
    func decision(_ app: BundleIdentifier, _ name: String) throws(RefusedRequest) -> DomainDecision? {
        if decisions.generation != generation { decisions = (generation, [:]) }
        let key = DomainDecision.vaultName(app, name)
        if let known = decisions.known[key] { return known }
        let found: DomainDecision? = try read(key)
        if decisions.known.count >= 1024 { decisions.known.removeAll() }
        decisions.known[key] = .some(found)
        return found
    }

    func decide(
        _ decision: DomainDecision, _ app: BundleIdentifier, _ name: String
    ) throws(RefusedRequest) {
        generation += 1
        try write(decision, as: DomainDecision.vaultName(app, name))
        let domain = name.hasPrefix("*.") ? String(name.dropFirst(2)) : name
        announce(.associationChanged(Service(kind: .domain, value: domain)))
    }

    /// Has the sites of an app asked that has come, so that what it asks for next need not wait; where their word counts.
    func prefetch(_ registration: Registration?) {
        guard configuration.settings.siteAssociation != .advisory, let registration,
            case .unlocked? = vault.opened?.state
        else { return }
        for entry in registration.entitlements.associatedDomains.prefix(Limits.associationFetches) {
            let query = AssociationQuery(entry, of: registration)
            if association(query) == nil { waitingRoom.order(.association(query)) }
        }
    }

    /// Takes what the outside brought, and answers those who waited for it.
    package func conclude(_ query: AssociationQuery, with report: AssociationReport) {
        concluded += 1
        concludedAt[query] = concluded
        defer { end(.association(query)) }
        // While the vault is closed nobody knows what the site said before: an attempt that failed takes nothing of that.
        if vault.opened?.state != .unlocked, associations[query] == nil, !report.isAnswered { return }
        let old = association(query)
        let known = KnownAssociation(report, after: old, at: now, chance: Double.random(in: 0...1, using: &entropy))
        associations[query] = known
        // While the vault is closed it is kept here only, and asked again after the next start.
        try? write(known, as: query.vaultName)
        if old?.word != known.word || old?.attempt.files != known.attempt.files {
            generation += 1
            announce(.associationChanged(Service(kind: .domain, value: query.domain)))
        }
    }

    /// Asks again the sites whose time has come, of the apps that are registered; called now and then.
    package func refreshAssociations() {
        guard case .unlocked? = vault.opened?.state else { return }
        let now = now
        for query in registeredSites {
            guard let known = association(query) else { continue }
            // A word that has expired counts no more for what was decided with it.
            if let end = known.validUntil, end <= now, end > lastRefresh { generation += 1 }
            if known.nextAttempt <= now { waitingRoom.order(.association(query)) }
        }
        lastRefresh = now
    }

    private var registeredSites: Set<AssociationQuery> {
        let registrations = configuration.registrations.catalog.registrations
        return Set(
            registrations.flatMap { registration in
                registration.entitlements.associatedDomains.map { AssociationQuery($0, of: registration) }
            })
    }

    private func read<Value: WireValue>(_ name: String) throws(RefusedRequest) -> Value? {
        let open = try vault.unlocked()
        guard let saved = try attempting({ () throws(VaultError) in try open.setting(name) }) else { return nil }
        return saved.withUnsafeBytes { try? Value(line: $0) }
    }

    private func write(_ value: some WireValue, as name: String) throws(RefusedRequest) {
        let open = try vault.unlocked()
        let line = value.line
        let sealed = SecretBytes(copying: line, count: line.count)
        let now = now
        try attempting { () throws(VaultError) in try open.set(name, to: sealed, at: now) }
    }
}

extension AssociationQuery {
    /// The site that speaks for an entry. A root-owned registration is held to the same as everybody: the mode is for
    /// what a developer registers for themselves.
    init(_ entry: AssociatedDomain, of registration: Registration) {
        let isDeveloper = entry.isDeveloperMode && registration.origin.owner == .user
        self.init(domain: entry.domain.text, mode: isDeveloper ? .developer : .standard)
    }

    /// Under what it is kept.
    fileprivate var vaultName: String { "association/\(mode.rawValue)/\(domain)" }
}

extension DomainDecision {
    fileprivate static func vaultName(_ app: BundleIdentifier, _ name: String) -> String { "domain/\(app)/\(name)" }
}
