// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
internal import AutofillProtocol
package import ConfigurationFiles
internal import Credentials
internal import EventLoop
internal import PeerIdentity
internal import Reasons
internal import SiteKnowledge

/// Which apps are registered, which of them is connected, and what is publicly known of sites. The files are read on the
/// worker pool; this is what they contained at the last reading.
package final class AppDirectory {
    var registrations: RegistrationDirectories
    /// The directories of registrations.
    let paths: [String]
    var sites: SiteKnowledgeFile
    let sessions: SessionList
    let environment: ServiceContext
    let userID: UInt32
    var reading: ReadingState
    /// Domains that were asked for lately, as written and in canonical form: checking one costs more than the rest of a
    /// look-up's parameters.
    private var cachedDomains = RecentValues<String, Service>(limit: Limits.rememberedDomains)

    /// The state of the reading of the files.
    struct ReadingState {
        /// Read for the mistakes in it alone: what it declares is read where it is needed.
        var administrator: AdministratorFiles
        /// When the last one began, in milliseconds of the steady clock.
        var last: Int64 = 0
        var isUnderWay = false
        /// Whether files changed while it was under way.
        var isWantedAgain = false
        /// The delegates that the administrator named at the last reading.
        var delegates: [DelegateEvidence] = []
        /// Whether a connection could not be evaluated, since the files of its app did not answer.
        var hasUnevaluated = false
    }

    init(
        _ files: AppFiles, _ sessions: SessionList, _ environment: ServiceContext
    ) {
        (registrations, paths, sites, userID) = (files.registrations, files.paths, files.sites, files.userID)
        reading = ReadingState(administrator: files.administrator)
        self.sessions = sessions
        self.environment = environment
    }

    package var catalog: RegistrationCatalog { registrations.catalog }
    /// Mistakes in the files of apps, and in what the administrator declares.
    var problems: [ConfigurationFileProblem] { catalog.problems + reading.administrator.problems }
    var inspections: FileInspections { environment.files }
    var pool: WorkerPool { environment.pool }

    // MARK: - Registrations

    /// For the app that a connection speaks for: root's registration, else the one that its Flatpak brought, else the user's.
    func registration(of app: IdentifiedApp?) -> Registration? {
        app.flatMap { app in
            app.named?.registration ?? registration(of: app.bundleID, deployed: app.deployed)
        }
    }

    /// For any app. What a Flatpak brings is known while it is connected.
    package func registration(named bundleID: BundleIdentifier) -> Registration? {
        registration(of: bundleID, deployed: connectedFlatpak(bundleID)?.deployed)
    }

    /// The app of a connection whose Flatpak brought its registration; one that speaks for itself before others.
    func connectedFlatpak(_ bundleID: BundleIdentifier) -> IdentifiedApp? {
        let connected = sessions.all.values.lazy.compactMap(\.app).filter {
            $0.bundleID == bundleID && $0.deployed != nil
        }
        return connected.first { $0.delegate == nil } ?? connected.first
    }

    func registration(
        of bundleID: BundleIdentifier, deployed: Result<Registration, ConfigurationFileProblem>?
    ) -> Registration? {
        Self.registration(of: bundleID, deployed: deployed, in: catalog)
    }

    static func registration(
        of bundleID: BundleIdentifier, deployed: Result<Registration, ConfigurationFileProblem>?,
        in catalog: RegistrationCatalog
    ) -> Registration? {
        let listed = catalog[bundleID]
        if let listed, listed.origin.owner == .root { return listed }
        guard let deployed else { return listed }
        // An invalid one still overrides the user's.
        return try? deployed.get()
    }

    /// Those that are registered, and those that a connected Flatpak brought.
    var allRegistrations: [Registration] {
        catalog.registrations + sessions.all.values.compactMap { try? $0.app?.deployed?.get() }
    }

    // MARK: - Services

    /// A domain that a request names, in canonical form.
    func domain(_ text: String, member: String) throws(Unsettled) -> Service {
        // Equal as strings is not yet equal: a letter that is only equivalent to an ASCII one takes more bytes.
        if let cached = cachedDomains[text], cached.value.utf8.count == text.utf8.count { return cached }
        do throws(DomainNameError) {
            let domain = Service(kind: .domain, value: try DomainName(text).text)
            cachedDomains[text] = domain
            return domain
        } catch {
            throw .invalid("\(member).value", because: error.reason, fix: error.fix)
        }
    }

    func forgetDomains() { cachedDomains.removeAll() }
}
