// SPDX-License-Identifier: Apache-2.0

/// What a method works with: one module for each business, each with its own state.
struct Modules {
    let surroundings: Surroundings
    let settings: SettingsInForce
    let apps: AppDirectory
    let events: EventHub
    let vault: VaultKeeper
    let associations: SiteAssociations
    let authoriser: Authoriser
    let audit: Audit
    let derivations: KeyDerivations
    let laterTurns: LaterTurns
    let terminals = TerminalProofs()
    /// What the methods of one area keep between requests.
    let offers = OfferDesk()
    let generators: PasswordGenerators
    let codes: CodeDesk
    let verifiers = VerifierDesk()
    let attachments = PrompterAttachment()
    let sessions: SessionList

    var clock: ServiceClock { surroundings.clock }

    init(_ parts: AutofillEngine.Parts, _ sessions: SessionList) {
        surroundings = parts.surroundings
        self.sessions = sessions
        settings = SettingsInForce(parts.settings, files: parts.settingsFiles, path: parts.settingsPath, surroundings)
        apps = AppDirectory(
            parts.registrations, paths: parts.registrationPaths, sites: parts.sites, userID: parts.userID, sessions,
            surroundings)
        events = EventHub(apps, settings, surroundings)
        let journal = Journal(settings, surroundings)
        vault = VaultKeeper(
            parts.vault, surroundings,
            VaultNotices(
                journal: journal, events: events, terminals: terminals, unlocked: VaultNotice(), locked: VaultNotice()))
        associations = SiteAssociations(vault, settings, apps, events, fetch: parts.fetch)
        authoriser = Authoriser(
            settings, apps, vault, associations, PromptDesk(parts.person, surroundings), surroundings)
        events.mayHear = { [weak authoriser] subject, id, service in
            authoriser?.mayHear(of: id, service, subject) ?? false
        }
        audit = Audit(vault, journal, surroundings.clock)
        codes = CodeDesk(surroundings.entropy)
        derivations = KeyDerivations(surroundings)
        laterTurns = LaterTurns(surroundings.loop)
        generators = PasswordGenerators(surroundings)
    }
}
