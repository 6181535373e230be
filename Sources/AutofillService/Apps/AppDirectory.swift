// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import ConfigurationFiles
internal import Credentials
internal import EventLoop
internal import PeerIdentity
internal import Reasons
internal import SiteKnowledge

/// Which apps are registered, which of them is connected, and what is publicly known of sites. The files are looked at on the
/// worker pool; what is known here is what they held at the last look.
final class AppDirectory {
    private(set) var registrations: RegistrationDirectories
    /// Where registrations were looked for.
    let paths: [String]
    private(set) var sites: SiteKnowledgeFile
    private let sessions: SessionList
    private let surroundings: Surroundings
    /// When the files were last looked at.
    private var lastLook: Int64 = 0
    private let userID: UInt32
    /// Domains that were asked for lately, as written and in canonical form: checking one costs more than the rest of a
    /// look-up's parameters.
    private var knownDomains = RecentValues<String, Service>(limit: 512)

    init(
        _ registrations: RegistrationDirectories, paths: [String], sites: SiteKnowledgeFile, userID: UInt32,
        _ sessions: SessionList, _ surroundings: Surroundings
    ) {
        self.registrations = registrations
        self.paths = paths
        self.sites = sites
        self.userID = userID
        self.sessions = sessions
        self.surroundings = surroundings
    }

    var catalog: RegistrationCatalog { registrations.catalog }
    var looks: FileLooks { surroundings.files }
    var pool: WorkerPool { surroundings.pool }

    // MARK: - Looking at the files

    /// Takes the app's word and holds it against the evidence and the files as they are now.
    func identify(
        _ bundleID: BundleIdentifier, isStrict: Bool, of peer: Peer, spokesman: IdentifiedApp.Spokesman? = nil
    ) async throws(RefusedRequest) -> IdentifiedApp {
        while true {
            if await readDirectories() { judgeSoon() }
            let seen = try await look(at: peer, claiming: bundleID)
            // Others may have read another registration meanwhile.
            guard registration(of: bundleID, deployed: seen.deployed) == seen.registration else { continue }
            return IdentifiedApp(
                bundleID, isStrict: isStrict, of: peer, registration: seen.registration, deployed: seen.deployed,
                executables: seen.executables, spokesman: spokesman)
        }
    }

    /// Looks at the files again, where that was not done in the last second: what was taken away counts no more for whoever is
    /// connected. Nobody waits for it.
    func lookSoon() {
        guard surroundings.clock.steady.milliseconds - lastLook >= 1000 else { return }
        lookNow()
    }

    /// The same at once.
    func lookNow() {
        lastLook = surroundings.clock.steady.milliseconds
        // With a capture list an async closure would run beside the engine.
        weak let own = self
        _ = surroundings.tasks.start { await own?.look() }
    }

    /// Reads the registrations and what is known of sites again where a file has changed; then every connection is judged anew.
    func look() async {
        if await readDirectories() { await judgeAnew() }
    }

    private func judgeSoon() {
        weak let own = self
        _ = surroundings.tasks.start { await own?.judgeAnew() }
    }

    /// Holds every connection's word against the registrations of now.
    private func judgeAnew() async {
        for session in sessions.all.values {
            guard let app = session.app else { continue }
            let again = try? await identify(
                app.bundleID, isStrict: app.isStrict, of: session.peer, spokesman: app.spokesman)
            if let again { session.app = again }
        }
        surroundings.revision.advance()
    }

    /// Reads the directories again. Where one of them hangs, what they held at the last look stays in force.
    ///
    /// - Returns: whether the registrations are others now.
    private func readDirectories() async -> Bool {
        lastLook = surroundings.clock.steady.milliseconds
        let (registrations, sites) = (registrations, sites)
        let limit = Duration.milliseconds(Limits.fileLookMilliseconds)
        let seen = try? await surroundings.pool.run(.registrations, deadline: limit) { FilesSeen(registrations, sites) }
        return seen.map { take($0) } ?? false
    }

    private struct FilesSeen: Sendable {
        var registrations: RegistrationDirectories
        var sites: SiteKnowledgeFile
        var registrationsChanged: Bool
        var sitesChanged: Bool

        init(_ registrations: RegistrationDirectories, _ sites: SiteKnowledgeFile) {
            self.registrations = registrations
            self.sites = sites
            registrationsChanged = self.registrations.reloadIfChanged()
            sitesChanged = self.sites.reloadIfChanged()
        }
    }

    /// - Returns: whether the registrations are others now.
    private func take(_ seen: FilesSeen) -> Bool {
        registrations = seen.registrations
        sites = seen.sites
        if seen.registrationsChanged || seen.sitesChanged { surroundings.revision.advance() }
        return seen.registrationsChanged
    }

    /// What the file system says of a peer that claims to be an app.
    private struct PeerSeen: Sendable {
        let registration: Registration?
        let deployed: Result<Registration, ConfigurationFileProblem>?
        let executables: [RegisteredExecutable]
    }

    private func look(
        at peer: Peer, claiming bundleID: BundleIdentifier
    ) async throws(RefusedRequest) -> PeerSeen {
        let (catalog, files, evidence, userID) = (catalog, surroundings.files, peer.evidence, userID)
        do {
            return try await surroundings.pool.run(.files, deadline: .milliseconds(Limits.fileLookMilliseconds)) {
                let deployed = evidence.deployedRegistration(claiming: bundleID, userID: userID)
                let registration = Self.registration(of: bundleID, deployed: deployed, in: catalog)
                return PeerSeen(
                    registration: registration, deployed: deployed,
                    executables: registration.map { files.registered($0.executables.map(\.text)) } ?? [])
            }
        } catch {
            throw error.refused(
                Refusal(.identityMismatch, [.app: bundleID.text, .detail: "its registration's files do not answer"]))
        }
    }

    /// What lies at the paths that a registration names, as it is now.
    func executables(of registration: Registration) async throws(RefusedRequest) -> [RegisteredExecutable] {
        let (files, paths) = (surroundings.files, registration.executables.map(\.text))
        do {
            return try await surroundings.pool.run(.files, deadline: .milliseconds(Limits.fileLookMilliseconds)) {
                files.registered(paths)
            }
        } catch {
            throw error.refused(
                Refusal(
                    .appNotInstalled, [.app: registration.bundleID.text, .path: registration.origin.file]))
        }
    }

    /// The content of a file that a registration names; nil when it cannot be read.
    func contentHash(of executable: RegisteredExecutable) async throws(RefusedRequest) -> String? {
        guard let version = executable.version else { return nil }
        let (files, path) = (surroundings.files, executable.path)
        do {
            return try await surroundings.pool.run(.hashing, deadline: .milliseconds(Limits.promptMilliseconds)) {
                files.contentHash(path, version)
            }
        } catch {
            throw error.refused(Refusal(.internalFault))
        }
    }

    // MARK: - Registrations

    /// For the app that a connection speaks for: root's registration, else the one that its Flatpak brought, else the user's.
    func registration(of session: Session) -> Registration? {
        session.app.flatMap { registration(of: $0.bundleID, deployed: $0.deployed) }
    }

    /// For any app. What a Flatpak brings is known while it is connected.
    func registration(named bundleID: BundleIdentifier) -> Registration? {
        registration(of: bundleID, deployed: connectedFlatpak(bundleID)?.deployed)
    }

    /// The app of a connection whose Flatpak brought its registration.
    func connectedFlatpak(_ bundleID: BundleIdentifier) -> IdentifiedApp? {
        sessions.all.values.lazy.compactMap(\.app).first { $0.bundleID == bundleID && $0.deployed != nil }
    }

    private func registration(
        of bundleID: BundleIdentifier, deployed: Result<Registration, ConfigurationFileProblem>?
    ) -> Registration? {
        Self.registration(of: bundleID, deployed: deployed, in: catalog)
    }

    private static func registration(
        of bundleID: BundleIdentifier, deployed: Result<Registration, ConfigurationFileProblem>?,
        in catalog: RegistrationCatalog
    ) -> Registration? {
        let listed = catalog[bundleID]
        if let listed, listed.origin.owner == .root { return listed }
        guard let deployed else { return listed }
        // A broken one still keeps the user's from its place.
        return try? deployed.get()
    }

    // MARK: - Services

    /// A domain that a request names, in canonical form.
    func domain(_ text: String, member: String) throws(RefusedRequest) -> Service {
        // Equal as strings is not yet equal: a letter that is only equivalent to an ASCII one takes more bytes.
        if let known = knownDomains[text], known.value.utf8.count == text.utf8.count { return known }
        do throws(DomainNameError) {
            let domain = Service(kind: .domain, value: try DomainName(text).text)
            knownDomains[text] = domain
            return domain
        } catch {
            throw .invalid("\(member).value", "\(error.reason) \(error.fix)")
        }
    }
}

extension PeerEvidence {
    /// What the Flatpak that the peer runs in brought, if the files are those of an installation that was verified. Reads files.
    fileprivate func deployedRegistration(
        claiming bundleID: BundleIdentifier, userID: UInt32
    ) -> Result<Registration, ConfigurationFileProblem>? {
        guard case .flatpak(let instance, .deployed(_, let files)) = sandbox, !instance.isBuild,
            instance.originalAppPath == nil, instance.appID.utf8.elementsEqual(bundleID.text.utf8)
        else { return nil }
        return RegistrationFile.deployed(by: bundleID, in: files, userID: userID)
    }
}
