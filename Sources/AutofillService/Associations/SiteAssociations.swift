// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
package import AutofillProtocol
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import EventLoop
internal import Reasons
internal import SecretMemory
internal import Settings

/// The statements of sites about apps, and the user's decisions that replace them. The vault stores them; another program
/// fetches the statements.
package final class SiteAssociations {
    /// Asks a site.
    typealias Fetch = (AssociationQuery) async -> AssociationReport

    let vault: VaultKeeper
    let settings: SettingsInForce
    let apps: AppDirectory
    private let events: EventHub
    private let fetch: Fetch
    private let fetches: SharedWork<AppQuery, Void>
    private let quotas: FetchQuotas
    /// The sites that were asked for lately; the vault stores all.
    private var cache: SiteCache

    /// A site that is asked in a place of an app's: what waits for another app's place is not waited for.
    private struct AppQuery: Hashable {
        let query: AssociationQuery
        let app: BundleIdentifier
    }

    private struct SiteCache {
        let stored: StoredSites
        var sites = RecentValues<AssociationQuery, StoredAssociation>(limit: Limits.storedAssociations)
        /// How many attempts have ended, and with which number each site's last.
        var attempts: UInt64 = 0
        var lastAttempt = RecentValues<AssociationQuery, UInt64>(limit: Limits.storedAssociations)
        /// The user's decisions that were looked up at this revision; nil for none.
        var decisions: (revision: UInt64, byName: RecentValues<String, DomainDecision?>) = (
            0, .init(limit: Limits.rememberedDomainDecisions)
        )
        /// When the sites were last checked for those to fetch again, and when one of them is due.
        var lastRefresh = Timestamp(milliseconds: 0)
        var nextRefresh: Timestamp?
    }

    init(
        _ vault: VaultKeeper, _ settings: SettingsInForce, _ apps: AppDirectory, _ events: EventHub,
        fetch: @escaping Fetch
    ) {
        self.vault = vault
        self.settings = settings
        self.apps = apps
        self.events = events
        self.fetch = fetch
        fetches = SharedWork(vault.environment.tasks, endsUnawaited: false)
        quotas = FetchQuotas(vault.environment.loop)
        cache = SiteCache(stored: StoredSites(vault))
    }

    private var environment: ServiceContext { vault.environment }
    var clock: ServiceClock { environment.clock }

    /// What is stored of a site; nil where it was never asked, or the vault that stores it is closed.
    package func association(_ query: AssociationQuery) -> StoredAssociation? {
        if let stored = cache.sites[query] { return stored }
        guard let found = cache.stored[query] else { return nil }
        cache.sites[query] = found
        return found
    }

    // MARK: - Asking sites

    /// How many attempts have ended so far.
    var attempts: UInt64 { cache.attempts }

    /// Whether an attempt for this site has ended after the first so many.
    package func wasAttempted(_ query: AssociationQuery, after attempts: UInt64) -> Bool {
        cache.lastAttempt[query] ?? 0 > attempts
    }

    /// Whether an attempt was made just now: no program has a site asked again and again.
    package func wasJustAsked(_ query: AssociationQuery) -> Bool {
        guard let stored = association(query) else { return false }
        let elapsed = clock.steady.milliseconds - stored.attempted.milliseconds
        return (0..<Int64(Limits.associationRefreshMilliseconds)).contains(elapsed)
    }

    /// Has a site asked, whether or not anybody waits for it; once at a time for each app, within the app's quota.
    func requestFetch(_ query: AssociationQuery, for app: BundleIdentifier) {
        weak let own = self
        fetches.begin(AppQuery(query: query, app: app)) { await own?.ask(query, for: app.text) }
    }

    /// Waits for an attempt that is under way or begins now.
    func awaitAnswer(
        _ query: AssociationQuery, for app: BundleIdentifier, within limit: Duration
    ) async throws(WaitFailure) {
        weak let own = self
        try await fetches.outcome(of: AppQuery(query: query, app: app), within: limit) {
            await own?.ask(query, for: app.text)
        }
    }

    private func ask(_ query: AssociationQuery, for app: String) async {
        let before = attempts
        guard await quotas.enter(app) else { return }
        defer { quotas.leave(app) }
        // It was asked meanwhile, within another app's quota.
        guard !wasAttempted(query, after: before) else { return }
        let report = await fetch(query)
        // Cancelled because the daemon ends: that is no result for the site.
        guard !Task.isCancelled else { return }
        take(report, on: query)
    }

    /// Has the sites of an app asked that has come, so that what it asks for next need not wait; where their statement is needed.
    func prefetch(_ registration: Registration?) {
        guard settings.effective.siteAssociation != .advisory, let registration, vault.opened?.state == .unlocked else {
            return
        }
        for entry in registration.entitlements.associatedDomains.prefix(Limits.associationFetches) {
            let query = AssociationQuery(entry, of: registration)
            if association(query) == nil { requestFetch(query, for: registration.bundleID) }
        }
    }

    /// When a stored statement expires, or its site is asked again; nil while the vault is not open, or none is stored.
    var nextRefresh: Timestamp? { vault.opened?.state == .unlocked ? cache.nextRefresh : nil }

    /// Checks the sites when one of them is due; else once a minute, for those that others may have registered.
    func refreshIfDue() {
        let now = clock.steady
        let isDue = cache.nextRefresh.map { $0 <= now } ?? false
        if isDue || now.milliseconds - cache.lastRefresh.milliseconds >= Int64(Limits.associationLookMilliseconds) {
            refreshDue()
        }
    }

    /// Asks again the sites whose time has come, of the apps that are registered.
    func refreshDue() {
        guard vault.opened?.state == .unlocked else { return }
        let now = clock.steady
        cache.nextRefresh = nil
        let sites = registeredSites
        forgetUnregistered(sites, at: now)
        for (query, app) in sites {
            guard let stored = association(query) else { continue }
            // An expired statement is no longer valid: what was decided with it is decided again.
            if let end = stored.validUntil, end <= now, end > self.cache.lastRefresh { environment.revision.advance() }
            if stored.isDue(at: now) { requestFetch(query, for: app) } else { noteNext(stored, at: now) }
        }
        cache.lastRefresh = now
    }

    private func forgetUnregistered(_ all: [AssociationQuery: BundleIdentifier], at now: Timestamp) {
        let byFiles = Set(sites(of: apps.catalog.registrations).keys)
        let deleted = cache.stored.deleteUnregistered(byFiles: byFiles, byApps: Set(all.keys).subtracting(byFiles)) {
            query in
            association(query)?.statement(at: now) != nil
        }
        for query in deleted { (cache.sites[query], cache.lastAttempt[query]) = (nil, nil) }
    }

    private func noteNext(_ site: StoredAssociation, at now: Timestamp) {
        for time in [site.validUntil, site.nextAttempt] {
            guard let time, now < time, cache.nextRefresh.map({ time < $0 }) ?? true else { continue }
            cache.nextRefresh = time
        }
    }

    /// And an app of each.
    private var registeredSites: [AssociationQuery: BundleIdentifier] { sites(of: apps.allRegistrations) }

    private func sites(of registrations: [Registration]) -> [AssociationQuery: BundleIdentifier] {
        registrations.reduce(into: [:]) { sites, registration in
            for entry in registration.entitlements.associatedDomains {
                sites[AssociationQuery(entry, of: registration)] = registration.bundleID
            }
        }
    }

    private func take(_ report: AssociationReport, on query: AssociationQuery) {
        cache.attempts += 1
        cache.lastAttempt[query] = cache.attempts
        // While the vault is closed the site's former statement is not readable: an attempt that failed changes nothing of it.
        if vault.opened?.state != .unlocked, cache.sites[query] == nil, !report.isAnswered { return }
        let old = association(query)
        var entropy = environment.entropy
        let new = StoredAssociation(
            report, after: old, at: clock.steady, chance: Double.random(in: 0...1, using: &entropy))
        cache.sites[query] = new
        noteNext(new, at: clock.steady)
        cache.stored.store(new, of: query)
        if old?.statement != new.statement || old?.attempt.files != new.attempt.files {
            environment.revision.advance()
            events.announce(.associationChanged(Service(kind: .domain, value: query.domain)), causedBy: nil)
        }
    }

    /// The daemon ends.
    func stop() { fetches.cancelAll() }

    // MARK: - The user's decisions

    /// nil where there is none.
    package func decision(_ app: BundleIdentifier, _ name: String) throws(Unsettled) -> DomainDecision? {
        let revision = environment.revision.number
        if cache.decisions.revision != revision {
            cache.decisions = (revision, .init(limit: Limits.rememberedDomainDecisions))
        }
        let key = DomainDecision.vaultName(app, name)
        if let decided = cache.decisions.byName[key] { return decided }
        let found = try vault.read { readers throws(VaultError) in try readers.settings.get(key) }
            .flatMap { DomainDecision.read($0) }
        cache.decisions.byName[key] = .some(found)
        return found
    }

    func forgetDecisions() { cache.decisions.byName.removeAll() }

    func decide(
        _ decision: DomainDecision, _ app: BundleIdentifier, _ name: String, causedBy request: RequestContext?
    ) throws(Refusal) {
        let stored = decision.stored
        try vault.write { writers, now throws(VaultError) in
            try writers.settings.set(DomainDecision.vaultName(app, name), to: stored, at: now)
        }
        environment.revision.advance()
        let domain = name.hasPrefix("*.") ? String(name.dropFirst(2)) : name
        events.announce(.associationChanged(Service(kind: .domain, value: domain)), causedBy: request)
    }
}

extension AssociationQuery {
    /// The site that speaks for an entry. A root-owned registration is held to the same as everybody: the mode is for
    /// what a developer registers for themselves.
    package init(_ entry: AssociatedDomain, of registration: Registration) {
        let isDeveloper = entry.isDeveloperMode && registration.origin.owner == .user
        self.init(domain: entry.domain.text, mode: isDeveloper ? .developer : .standard)
    }
}

extension DomainDecision {
    fileprivate static func vaultName(_ app: BundleIdentifier, _ name: String) -> String { "domain/\(app)/\(name)" }
}
