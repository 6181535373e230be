// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import ConfigurationFiles
internal import Credentials
internal import EventLoop
internal import PeerIdentity
internal import SiteKnowledge

/// Reading the files again, and judging the connections by what they hold now.
extension AppDirectory {
    /// Takes the app's word and holds it against the evidence and the files as they are now.
    func identify(
        _ bundleID: BundleIdentifier, isStrict: Bool, of peer: Peer, spokesman: IdentifiedApp.Spokesman? = nil
    ) async throws(RefusedRequest) -> IdentifiedApp {
        if await readDirectories() { judgeSoon() }
        return try await judge(bundleID, isStrict: isStrict, of: peer, spokesman: spokesman)
    }

    /// The app of a process that the bridge of Secret Service hands over, which nobody names.
    func identify(
        _ peer: Peer, isStrict: Bool, spokesman: IdentifiedApp.Spokesman
    ) async throws(RefusedRequest) -> IdentifiedApp {
        let bundleID = try await name(of: peer)
        return try await judge(
            bundleID, isStrict: isStrict, of: peer, spokesman: spokesman, named: await named(bundleID, peer))
    }

    /// The same by the registrations that are known.
    private func judge(
        _ bundleID: BundleIdentifier, isStrict: Bool, of peer: Peer, spokesman: IdentifiedApp.Spokesman?,
        named: Named? = nil
    ) async throws(RefusedRequest) -> IdentifiedApp {
        while true {
            let seen = try await look(at: peer, claiming: bundleID)
            // Others may have read another registration meanwhile.
            guard registration(of: bundleID, deployed: seen.deployed) == seen.registration else { continue }
            return IdentifiedApp(
                bundleID, isStrict: isStrict, of: peer, registration: seen.registration, deployed: seen.deployed,
                executables: seen.executables, spokesman: spokesman, named: named)
        }
    }

    /// Looks at the files again, where that was not done in the last second: what was taken away counts no more for whoever is
    /// connected. Nobody waits for it.
    func lookSoon() {
        guard surroundings.clock.steady.milliseconds - looking.last >= 1000 else { return }
        lookNow()
    }

    /// The same at once; once more where it is under way.
    func lookNow() {
        looking.isWantedAgain = true
        guard !looking.isUnderWay else { return }
        looking.isUnderWay = true
        // With a capture list an async closure would run beside the engine.
        weak let own = self
        _ = surroundings.tasks.start { await own?.lookWhileWanted() }
    }

    private func lookWhileWanted() async {
        while looking.isWantedAgain, !Task.isCancelled {
            looking.isWantedAgain = false
            await look()
        }
        looking.isUnderWay = false
    }

    /// Reads the registrations and what is known of sites again where a file has changed; then every connection is judged anew.
    func look() async {
        let haveChanged = await readDirectories()
        let haveDelegatesChanged = await readDelegates()
        if haveChanged || haveDelegatesChanged || looking.hasUnjudged { await judgeAnew() }
    }

    /// Whether the administrator names other delegates now; looked at while somebody is spoken for.
    private func readDelegates() async -> Bool {
        guard sessions.all.values.contains(where: { $0.app?.spokesman != nil }) else { return false }
        let (files, limit) = (looks, Duration.milliseconds(Limits.fileLookMilliseconds))
        guard let named = try? await pool.run(.files, deadline: limit, { files.delegates() }),
            named != looking.delegates
        else { return false }
        looking.delegates = named
        return true
    }

    private func judgeSoon() {
        weak let own = self
        _ = surroundings.tasks.start { await own?.judgeAnew() }
    }

    /// Holds every connection's word against the registrations of now. One whose files do not answer stays who it was, and is
    /// judged at the next look; the registration that counts for it is that of now all the same.
    private func judgeAnew() async {
        looking.hasUnjudged = false
        for session in sessions.all.values {
            guard let app = session.app else { continue }
            do throws(RefusedRequest) {
                try await storeInspection(of: session, app)
            } catch {
                looking.hasUnjudged = true
            }
            // What was decided for it while it was taken for what it was before. What the person has just allowed a program that
            // asks through Secret Service holds for as long as it is the same one: others come and go, and are judged anew.
            session.memory.decisions = SessionDecisions()
            if app.named == nil || session.app?.subject != app.subject { session.memory.itemWords = [] }
        }
        surroundings.revision.advance()
    }

    /// Reads the registrations again, and holds the connection's word against them and the program's files as they are now.
    func identifyAgain(_ session: Session) async throws(RefusedRequest) {
        await look()
        guard let app = session.app else { return }
        try await storeInspection(of: session, app)
        guard session.app?.subject != app.subject else { return }
        // What was decided for it was for what it was taken for before.
        (session.memory.decisions, session.memory.itemWords) = (SessionDecisions(), [])
    }

    /// Inspects a connection's app again. A result of an inspection that began before the last one that is stored is dropped.
    private func storeInspection(of session: Session, _ app: IdentifiedApp) async throws(RefusedRequest) {
        session.memory.inspections.begun += 1
        let number = session.memory.inspections.begun
        let inspected = try await judgeAgain(app, of: session.peer)
        guard number > session.memory.inspections.stored else { return }
        session.memory.inspections.stored = number
        session.app = inspected
    }

    /// Whoever speaks for it must still be one who may.
    private func judgeAgain(_ app: IdentifiedApp, of peer: Peer) async throws(RefusedRequest) -> IdentifiedApp {
        if let spokesman = app.spokesman {
            let own = try await judge(
                spokesman.bundleID, isStrict: app.isStrict, of: spokesman.peer, spokesman: nil)
            do throws(PeerRefusal) {
                let delegate = try await delegate(own, spokesman.peer)
                if app.named != nil, !isSecretService(own) { throw .notADelegate(executable: delegate.path) }
            } catch {
                return app.contradicted(by: error)
            }
        }
        let named = app.named == nil ? nil : await named(app.bundleID, peer)
        return try await judge(
            app.bundleID, isStrict: app.isStrict, of: peer, spokesman: app.spokesman, named: named)
    }

    /// Reads the directories again. Where one of them hangs, what they held at the last look stays in force.
    ///
    /// - Returns: whether the registrations are others now.
    private func readDirectories() async -> Bool {
        looking.last = surroundings.clock.steady.milliseconds
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
}
