// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AssociationSocket
internal import AutofillMethods
internal import AutofillProtocol
internal import AutofillService
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import EventLoop
internal import Glibc
internal import PeerIdentity
internal import PeerInspection
internal import Prompting
internal import Reasons
internal import SecretMemory
internal import Settings
internal import Systemd

/// Puts the modules together, and runs until a signal stops it.
struct Daemon {
    let options: DaemonOptions

    func run() {
        do {
            StandardError.exit(try serve())
        } catch let failure as DaemonFailure {
            StandardError.print("autofilld: \(failure.text)")
            StandardError.exit(failure.status)
        } catch {
            StandardError.print("autofilld: \(error)")
            StandardError.exit(71)
        }
    }

    /// - Returns: the exit status.
    private func serve() throws -> Int32 {
        let service = ServiceEnvironment.ofThisProcess()
        let variables = ProcessEnvironment.variables()
        let plan = try DaemonPlan(options, environment: variables)
        let journal = JournalWriter(output: service.journalOutput)
        let settings = try Self.settings(plan)
        ProcessLimits.prepare()
        let own = try plan.socketPath.map { path throws(DaemonFailure) in try UnixSocket(listeningAt: path) }
        defer { own?.remove() }
        let listening = try own.map { [$0.descriptor] } ?? Self.activated(service)
        let loop = try EventLoop()
        // Before there are threads: they inherit what is blocked.
        let signals = try Signals(on: loop)
        let engine = try Self.engine(plan, settings, variables, loop)
        return try engine.assumeIsolated { engine in
            let running = try RunningDaemon(
                engine, plan, service, journal, PeerInspector.ofThisProcess(environment: variables))
            try running.begin(listening, signals, engine)
            return try withExtendedLifetime((running, signals)) { try loop.run() }
        }
    }

    private static func engine(
        _ plan: DaemonPlan, _ settings: SettingsLayers, _ variables: [String: String], _ loop: EventLoop
    ) throws -> AutofillEngine {
        let pool = WorkerPool(on: loop)
        let inspector = PeerInspector.ofThisProcess(environment: variables)
        let clock = ServiceClock(loop.clocks)
        let vault: VaultSource
        do throws(VaultError) {
            vault = try VaultSource(at: plan.location) { opensVault throws(VaultError) in
                try Vault(at: plan.location, program: "autofilld", openedAt: clock.steady, opensVault: opensVault)
            }
        } catch {
            throw DaemonFailure.held("the vault cannot be opened. \(error.refusal.fix)")
        }
        let session = SessionEnvironment(on: loop, pool: pool)
        let prompter = Prompter(on: loop, pool: pool, end: PeerInspector.rootOwnedFile) {
            PromptEnvironment(session: await session.current(over: variables))
        }
        let associations = AssociationRequester(socket: plan.associationsSocket, on: loop)
        let files = FileInspections(
            registered: { inspector.registered($0) },
            contentHash: { path, version in
                inspector.content(ofFileAt: path, upTo: UInt64(Limits.programBytes))
                    .flatMap { $0.version == version ? $0.hash : nil }
            },
            delegates: {
                DelegateDirectories().declarations.map { declared in
                    DelegateEvidence(
                        name: declared.name, executables: inspector.registered(declared.executables.map(\.text)))
                }
            },
            families: { path in
                SecretFamilyDirectories().declarations.filter { $0.executables.contains { $0.text == path } }
                    .map { family in
                        FamilyEvidence(
                            schemas: family.schemas, executables: inspector.registered(family.executables.map(\.text)))
                    }
            },
            nameHash: { NameHash.digits(of: $0) }, ownNamespaces: { inspector.ownNamespaces(pidfd: $0) },
            inspect: { pidfd in
                Result { () throws(PeerRefusal) in
                    let peer = try inspector.inspect(pidfd: pidfd)
                    return HandedOverPeer(
                        evidence: peer.evidence, confirm: { () throws(PeerRefusal) in try peer.confirm() },
                        script: { peer.script(upTo: UInt64(Limits.scriptBytes)) },
                        starter: { inspector.starter(of: peer, upTo: UInt64(Limits.scriptBytes)) })
                }
            })
        let product = ServiceProduct(version: ProductVersion.text, isEphemeral: plan.isEphemeral)
        let configuration = EngineConfiguration(
            environment: ServiceContext(product, loop: loop, pool: pool, files: files), vault: vault,
            settings: SettingsSource(
                settings, files: plan.settings, path: plan.settings?.user ?? "the file of --settings"),
            apps: AppFiles(
                registrations: RegistrationDirectories(plan.registrations, userID: geteuid()),
                paths: plan.registrations, sites: SiteKnowledgeFile(plan.siteKnowledge, userID: geteuid()),
                administrator: AdministratorFiles(), userID: geteuid()),
            prompter: DesktopPrompter(plan.consent, prompter),
            fetch: { query in await associations.report(on: query) },
            keyFile: { plan.keyFile($0) })
        return AutofillEngine(configuration, methods: MethodAreas.init)
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
}
