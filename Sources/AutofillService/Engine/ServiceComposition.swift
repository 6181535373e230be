// SPDX-License-Identifier: Apache-2.0

/// Creates the components of the service.
struct ServiceComposition {
    let stores: ServiceStores
    let services: RequestServices
    let decider: RequestDecider
    let proofs: RequestProofs
    let prompts: PromptQueue
    let watch: PromptWatch
    let followUp: VaultFollowUp

    init(_ configuration: EngineConfiguration) {
        let (environment, sessions) = (configuration.environment, SessionList(configuration.environment))
        let settings = SettingsInForce(configuration.settings, environment)
        let apps = AppDirectory(configuration.apps, sessions, environment)
        let keyFile = configuration.keyFile
        let vault = VaultKeeper(configuration.vault, environment) { keyFile(settings.effective) }
        let browsers = BrowserConsents(environment)
        let grants = GrantReader(vault, apps, settings, browsers)
        let events = EventHub(apps, settings, grants, environment)
        let journal = Journal(settings, environment)
        let audit = Audit(vault, journal, environment.clock)
        let associations = SiteAssociations(vault, settings, apps, events, fetch: configuration.fetch)

        let attachment = PrompterAttachment()
        let screen = PromptScreen(configuration.prompter, settings, attachment, journal, environment)
        let prompts = PromptQueue(screen, environment)
        let watch = PromptWatch()
        let questions = ConsentQuestions(prompts, grants, apps, settings)
        let policy = PolicyFacts(settings, apps, associations, vault)
        let access = Access(settings, apps, grants, CredentialReader(vault, apps), questions, policy)

        let derivations = KeyDerivations(environment)
        let generators = PasswordGenerators(environment)
        let unlocker = VaultUnlocker(vault, prompts, questions, derivations)
        let consents = ConsentRecorder(prompts, vault, settings, browsers, associations)
        let quotas = Quotas()
        let computations = RequestComputations(generators, derivations, vault)
        let waiter = RequestWaiter(
            vault, UserQuestions(unlocker, consents, watch), computations, associations, apps, quotas)
        let decider = RequestDecider(vault, apps, associations, browsers, policy, unlocker, waiter)
        let terminals = TerminalProofs()
        let proofs = RequestProofs(
            vault, decider, derivations, terminals, settings, unlocker,
            RequestApprovals(prompts, questions, watch))

        let care = VaultCare(vault, decider, derivations, computations, proofs, unlocker)
        let exchange = SyncExchange(vault, events, spool: vault.directory.map { $0 + "/sync" })

        stores = ServiceStores(
            environment: environment, settings: settings, apps: apps, vault: vault, associations: associations,
            events: events, audit: audit, sessions: sessions)
        services = RequestServices(
            access: access, care: care, consents: consents, terminals: terminals, generators: generators,
            quotas: quotas, attachment: attachment, sync: SyncMembership(exchange, care, audit))
        (self.decider, self.proofs) = (decider, proofs)
        self.prompts = prompts
        self.watch = watch
        followUp = VaultFollowUp(journal, events, terminals, prompts, sessions, apps, associations, audit)
        vault.observer = followUp
    }
}
