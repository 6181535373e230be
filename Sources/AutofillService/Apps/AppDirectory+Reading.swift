// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import ConfigurationFiles
internal import Credentials
internal import EventLoop
internal import PeerIdentity
internal import SiteKnowledge

/// Reading the files again, and evaluating the connections by what they contain now.
extension AppDirectory {
    /// Compares the app's claim with the evidence and the files as they are now.
    func identify(
        _ bundleID: BundleIdentifier, isStrict: Bool, of peer: Peer, delegate: DelegateConnection? = nil
    ) async throws(RefusedRequest) -> IdentifiedApp {
        if await readDirectories() { reevaluateSoon() }
        return try await judge(bundleID, isStrict: isStrict, of: peer, delegate: delegate)
    }

    /// The app of a process that the bridge of Secret Service hands over, which has no name.
    func identify(
        _ peer: Peer, isStrict: Bool, delegate: DelegateConnection
    ) async throws(RefusedRequest) -> IdentifiedApp {
        let bundleID = try await name(of: peer)
        return try await judge(
            bundleID, isStrict: isStrict, of: peer, delegate: delegate, named: await named(bundleID, peer))
    }

    /// The same by the registrations that were read.
    private func judge(
        _ bundleID: BundleIdentifier, isStrict: Bool, of peer: Peer, delegate: DelegateConnection?,
        named: Named? = nil
    ) async throws(RefusedRequest) -> IdentifiedApp {
        while true {
            let seen = try await inspect(peer, claiming: bundleID)
            // Others may have read another registration meanwhile.
            guard registration(of: bundleID, deployed: seen.deployed) == seen.registration else { continue }
            return IdentifiedApp(
                bundleID, isStrict: isStrict, of: peer, registration: seen.registration, deployed: seen.deployed,
                executables: seen.executables, delegate: delegate, named: named)
        }
    }

    /// Reads the files again, where that was not done in the last second: what was removed no longer counts for the
    /// connected programs. Nobody waits for it.
    func reloadSoon() {
        guard environment.clock.steady.milliseconds - reading.last >= 1000 else { return }
        reloadNow()
    }

    /// Reads the files again now; if a reading is under way, once more after it.
    func reloadNow() {
        reading.isWantedAgain = true
        guard !reading.isUnderWay else { return }
        reading.isUnderWay = true
        // With a capture list an async closure would run beside the engine.
        weak let own = self
        _ = environment.tasks.start { await own?.reloadWhileWanted() }
    }

    private func reloadWhileWanted() async {
        while reading.isWantedAgain, !Task.isCancelled {
            reading.isWantedAgain = false
            await reload()
        }
        reading.isUnderWay = false
    }

    /// Reads changed files of registrations and sites again, and then evaluates every connection again.
    func reload() async {
        let haveChanged = await readDirectories(withAdministrators: true)
        let haveDelegatesChanged = await readDelegates()
        if haveChanged || haveDelegatesChanged || reading.hasUnevaluated { await reevaluate() }
    }

    /// Whether the administrator names other delegates now; read while a delegate is connected.
    private func readDelegates() async -> Bool {
        guard sessions.all.values.contains(where: { $0.app?.delegate != nil }) else { return false }
        let files = inspections
        guard let named = try? await inspect(about: Self.administrator, { files.delegates() }),
            named != reading.delegates
        else { return false }
        reading.delegates = named
        return true
    }

    private func reevaluateSoon() {
        weak let own = self
        _ = environment.tasks.start { await own?.reevaluate() }
    }

    /// Compares every connection's claim with the present registrations. One whose files do not answer stays identified as it was,
    /// and is evaluated at the next reading; the registration that counts for it is the present one all the same.
    private func reevaluate() async {
        reading.hasUnevaluated = false
        for session in sessions.all.values {
            guard let app = session.app else { continue }
            do throws(RefusedRequest) {
                try await storeInspection(of: session, app)
            } catch {
                reading.hasUnevaluated = true
            }
            // What was decided for it while it was identified as before. What the user has just allowed a program that asks
            // through Secret Service holds for as long as it is the same one: others connect and disconnect, and are evaluated
            // again.
            session.memory.decisions = SessionDecisions()
            if app.named == nil || session.app?.subject != app.subject { session.memory.consents.items = [] }
        }
        environment.revision.advance()
    }

    /// Reads the registrations again, and compares the connection's claim with them and the program's files as they are now.
    func identifyAgain(_ session: Session) async throws(RefusedRequest) {
        await reload()
        guard let app = session.app else { return }
        try await storeInspection(of: session, app)
        guard session.app?.subject != app.subject else { return }
        // What was decided for it was for what it was identified as before.
        (session.memory.decisions, session.memory.consents.items) = (SessionDecisions(), [])
    }

    /// Inspects a connection's app again. A result of an inspection that began before the last one that is stored is dropped.
    private func storeInspection(of session: Session, _ app: IdentifiedApp) async throws(RefusedRequest) {
        session.memory.inspections.begun += 1
        let number = session.memory.inspections.begun
        let inspected = try await reevaluated(app, of: session.peer)
        guard number > session.memory.inspections.stored else { return }
        session.memory.inspections.stored = number
        session.app = inspected
    }

    /// Its delegate must still be one.
    private func reevaluated(_ app: IdentifiedApp, of peer: Peer) async throws(RefusedRequest) -> IdentifiedApp {
        if let delegate = app.delegate {
            let own = try await judge(
                delegate.bundleID, isStrict: app.isStrict, of: delegate.peer, delegate: nil)
            do throws(PeerRefusal) {
                let program = try await self.delegate(own, delegate.peer)
                if app.named != nil, !isSecretService(own) { throw .notADelegate(executable: program.path) }
            } catch {
                return app.contradicted(by: error)
            }
        }
        let named = app.named == nil ? nil : await named(app.bundleID, peer)
        return try await judge(
            app.bundleID, isStrict: app.isStrict, of: peer, delegate: app.delegate, named: named)
    }

    /// Reads the directories again. Where one of them hangs, what they contained at the last reading stays in force.
    ///
    /// - Parameter withAdministrators: whether mistakes in what the administrator declares are searched too.
    /// - Returns: whether the registrations are others now.
    private func readDirectories(withAdministrators: Bool = false) async -> Bool {
        reading.last = environment.clock.steady.milliseconds
        let (registrations, sites) = (registrations, sites)
        let administrator = withAdministrators ? reading.administrator : nil
        let limit = Duration.milliseconds(Limits.fileLookMilliseconds)
        let seen = try? await environment.pool.run(.registrations, deadline: limit) {
            FilesSeen(registrations, sites, administrator)
        }
        return seen.map { take($0) } ?? false
    }

    private struct FilesSeen: Sendable {
        var registrations: RegistrationDirectories
        var sites: SiteKnowledgeFile
        var administrator: AdministratorFiles?
        var registrationsChanged: Bool
        var sitesChanged: Bool

        init(
            _ registrations: RegistrationDirectories, _ sites: SiteKnowledgeFile, _ administrator: AdministratorFiles?
        ) {
            self.registrations = registrations
            self.sites = sites
            self.administrator = administrator
            self.administrator?.reloadIfChanged()
            registrationsChanged = self.registrations.reloadIfChanged()
            sitesChanged = self.sites.reloadIfChanged()
        }
    }

    /// - Returns: whether the registrations are others now.
    private func take(_ seen: FilesSeen) -> Bool {
        registrations = seen.registrations
        sites = seen.sites
        if let administrator = seen.administrator { reading.administrator = administrator }
        if seen.registrationsChanged || seen.sitesChanged { environment.revision.advance() }
        return seen.registrationsChanged
    }
}
