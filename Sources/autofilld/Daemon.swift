// SPDX-License-Identifier: Apache-2.0
internal import AssociationSocket
internal import AutofillProtocol
internal import AutofillServer
internal import AutofillService
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import PeerInspection
internal import Prompting
internal import Reasons
internal import Settings
internal import Systemd
internal import UnixSignals

#if canImport(Glibc)
    internal import Glibc
#endif

/// Puts the rooms together, and runs until it is told to stop.
struct Daemon {
    let options: DaemonCommand

    func run() async {
        do {
            try await serve()
        } catch let failure as DaemonFailure {
            StandardError.print("autofilld: \(failure.text)")
            StandardError.exit(failure.status)
        } catch {
            StandardError.print("autofilld: \(error)")
            StandardError.exit(71)
        }
    }

    private func serve() async throws {
        let service = ServiceEnvironment.ofThisProcess()
        let variables = Self.environment()
        let plan = try DaemonPlan(options, environment: variables)
        let journal = JournalWriter(output: service.journalOutput)
        let settings = try Self.settings(plan)
        signal(SIGPIPE, SIG_IGN)
        // A limit on the size of files is then a save refused for want of room, not the end of the daemon.
        signal(SIGXFSZ, SIG_IGN)
        Self.raiseDescriptorLimit()
        let own = try plan.socketPath.map { path throws(DaemonFailure) in try UnixSocket(listeningAt: path) }
        defer { own?.remove() }
        let descriptors = try own.map { [$0.descriptor] } ?? Self.activated(service)
        let (orders, taken) = AsyncStream.makeStream(of: ErrandOrder.self)
        let inspector = PeerInspector.ofThisProcess(environment: variables)
        let person = PersonErrands(plan.consent, prompter: Self.prompter(variables))
        let server = try await SocketServer(
            descriptors: descriptors, inspector: inspector,
            makeBroker: { try Self.broker(plan, settings, journal) },
            record: { journal.write(JournalEntry($0)) },
            runErrand: { order in
                if !person.run(order) { taken.yield(order) }
            },
            reportFault: { journal.write(JournalEntry(fault: $0)) })
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        async let errands: Void = ErrandRunner(
            server: server, associations: AssociationAsker(socket: plan.associationsSocket)
        ).run(orders)
        person.serve(server)
        server.start()
        let notifier = service.notifier
        try await feedWatchdog(of: service, with: server)
        if !plan.isEphemeral { Self.followLogin(plan, server) }
        _ = notifier.ready(status: try await server.perform { $0.statusLine })
        server.repeating(everyMilliseconds: 5000) { broker in
            broker.lockWhenIdle()
            broker.endLongWaits()
            broker.beginChores()
            ProcessMemory.giveBack()
            if let status = broker.takeChangedStatusLine() { _ = notifier.status(status) }
        }
        server.repeating(everyMilliseconds: 60_000) { $0.refreshAssociations() }
        server.repeating(everyMilliseconds: Int64(Limits.promptPeerMilliseconds)) { $0.endPromptsOfEnded() }
        for await signal in signals {
            guard signal == .sighup else { break }
            _ = notifier.reloading()
            let (status, problem) = try await server.perform { broker in
                let problem = broker.reload()
                return (broker.statusLine, problem)
            }
            if let problem { journal.write(JournalEntry(fault: SettingsNotReloaded(problem: problem))) }
            _ = notifier.ready(status: status)
        }
        _ = notifier.stopping(status: "Stopping")
        taken.finish()
        await errands
        person.stop()
        try await server.stop()
    }

    /// Asks by a program of root's, on the display of the session that the user's manager knows of.
    private static func prompter(_ variables: [String: String]) -> Prompter {
        Prompter(
            path: nil, isTrusted: PeerInspector.isRootOwnedFile,
            surroundings: { PromptSurroundings(session: SessionEnvironment.current(over: variables)) })
    }

    /// The manager hears from us from the loop that answers, and from nowhere else.
    private func feedWatchdog(of service: ServiceEnvironment, with server: SocketServer) async throws {
        guard let interval = service.watchdogInterval else { return }
        let notifier = service.notifier
        let milliseconds = Int64(interval / .milliseconds(1)) / 2
        server.repeating(everyMilliseconds: max(1, milliseconds)) { _ in _ = notifier.feedWatchdog() }
    }

    /// Has the vault locked with the session and before sleep. Where there is no login manager the daemon goes without.
    private static func followLogin(_ plan: DaemonPlan, _ server: SocketServer) {
        let login = LoginManager { signal, done in
            server.post { broker in
                let keyFile = plan.keyFile(broker.configuration.settings)
                broker.follow(SessionSignal(signal), keyFile: keyFile, done: done)
            }
        }
        login.start { state in
            switch state {
            case .following(holdsSleep: true): break
            case .following(holdsSleep: false): server.post { $0.noteSleepNotHeld() }
            case .absent(let why): server.post { $0.noteLoginAbsent(why) }
            }
        }
    }

    private static func broker(
        _ plan: DaemonPlan, _ settings: SettingsLayers, _ journal: JournalWriter
    ) throws -> AutofillBroker {
        let now = { SystemClock.now }
        let vault: OpenVault
        do throws(VaultError) {
            vault = try OpenVault(at: plan.location, now: now()) { opensVault throws(VaultError) in
                try Vault(at: plan.location, program: "autofilld", openedAt: now(), opensVault: opensVault)
            }
        } catch {
            throw DaemonFailure.held("the vault cannot be opened. \(error.refusal.fix)")
        }
        let broker = AutofillBroker(
            .init(
                version: ProductVersion.text, isEphemeral: plan.isEphemeral, settings: settings,
                settingsFiles: plan.settings, settingsPath: plan.settings?.user ?? "the file of --settings",
                registrations: RegistrationDirectories(plan.registrations, userID: geteuid()),
                registrationPaths: plan.registrations, consent: plan.consent,
                sites: SiteKnowledgeFile(plan.siteKnowledge, userID: geteuid()),
                now: now), vault: vault)
        if plan.isEphemeral {
            do {
                try plan.makeEphemeralKey()
                try broker.createEphemeralVault(keyFile: plan.keyFile(settings.effective))
            } catch let error as VaultError {
                throw DaemonFailure.usage("the key of the vault cannot be used. \(error.refusal.fix)")
            }
        }
        if let keyFile = plan.keyFile(settings.effective), !plan.isEphemeral {
            do {
                try broker.unlock(withKeyFile: keyFile)
            } catch {
                journal.write(JournalEntry(fault: error))
            }
        }
        return broker
    }

    private static func activated(_ service: ServiceEnvironment) throws -> [Int32] {
        do throws(ActivationError) {
            let sockets = try service.activationSockets()
            guard sockets.isEmpty else { return sockets.map(\.descriptor) }
        } catch {
            throw DaemonFailure.usage("\(error)")
        }
        throw DaemonFailure.usage(
            "no socket: start it through systemd (systemctl --user start autofilld.socket), or give --socket PATH")
    }

    private static func settings(_ plan: DaemonPlan) throws(DaemonFailure) -> SettingsLayers {
        do throws(ConfigurationFileProblem) {
            return try plan.settings?.load() ?? SettingsLayers(administrator: plan.settingsForTests)
        } catch {
            throw .usage("\(error)")
        }
    }

    /// As many clients as the administrator lets this user have descriptors.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private static func environment() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let line = entry.pointee {
            let text = String(cString: line)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            entry += 1
        }
        return variables
    }
}

extension SessionSignal {
    fileprivate init(_ signal: LoginManager.Signal) {
        self =
            switch signal {
            case .locked: .locked
            case .unlocked: .unlocked
            case .fallsAsleep: .fallsAsleep
            case .wokeUp: .wokeUp
            }
    }
}
