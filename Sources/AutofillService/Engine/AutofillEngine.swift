// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
package import AutofillProtocol
package import ConfigurationFiles
package import CredentialStorage
internal import Credentials
package import EventLoop
internal import PeerIdentity
internal import Prompting
internal import Reasons
package import Settings

/// Answers requests, at once or in one task each. It and all that it owns live on one thread, the event loop's.
package actor AutofillEngine {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let modules: Modules
    let sessions: SessionList
    var outbox = Outbox()
    var scanner = JSONScanner(maximumDepth: Limits.depth)
    let maintenance: VaultMaintenance
    var life = Life()

    /// What of the engine's life is told to others.
    struct Life {
        /// What would have to wait is refused.
        var isStopping = false
        /// The state that the status line has told.
        var toldState: ShownState?
        /// Told of a new line, and whether all of it may wait a moment.
        var tellStatus: (_ line: String, _ mayWait: Bool) -> Void = { _, _ in }
        /// Whether anything was answered, and whether what reads forms is to be built once something was.
        var hasAnswered = false
        var formsWait = false
    }

    /// What the status line tells.
    struct ShownState: Equatable {
        var vault: String
        var credentials: Int?
        var clients: Int
    }

    /// What the engine is made of.
    package struct Parts {
        package var surroundings: Surroundings
        package var vault: VaultSource
        package var settings: SettingsLayers
        /// nil where changes are kept in memory only.
        package var settingsFiles: SettingsFiles?
        package var settingsPath: String
        package var registrations: RegistrationDirectories
        /// Where registrations were looked for.
        package var registrationPaths: [String]
        /// What is publicly known of sites.
        package var sites: SiteKnowledgeFile
        package var userID: UInt32
        package var person: any Person
        /// Asks a site what apps it lists.
        package var fetch: (AssociationQuery) async -> AssociationReport

        package init(
            surroundings: Surroundings, vault: VaultSource, settings: SettingsLayers, settingsFiles: SettingsFiles?,
            settingsPath: String,
            registrations: RegistrationDirectories, registrationPaths: [String], sites: SiteKnowledgeFile,
            userID: UInt32, person: any Person, fetch: @escaping (AssociationQuery) async -> AssociationReport
        ) {
            self.surroundings = surroundings
            self.vault = vault
            self.settings = settings
            self.settingsFiles = settingsFiles
            self.settingsPath = settingsPath
            self.registrations = registrations
            self.registrationPaths = registrationPaths
            self.sites = sites
            self.userID = userID
            self.person = person
            self.fetch = fetch
        }
    }

    package init(_ parts: sending Parts) {
        loop = parts.surroundings.loop
        sessions = SessionList()
        modules = Modules(parts, sessions)
        maintenance = VaultMaintenance(modules.vault, modules.settings)
    }

    /// To be called once, before anything else: what starts tasks, and who is told of what.
    ///
    /// - Parameters:
    ///   - keyFile: the file that opens the vault without the person, by the settings in force.
    ///   - armTurnEnd: has `endTurn` called at the end of the loop's turn.
    ///   - tellStatus: takes the line for `systemctl status` when it has changed, before the answers of that turn leave; but
    ///     for the state of the vault it may wait a moment.
    package func begin(
        keyFile: @escaping (DaemonSettings) -> String?, armTurnEnd: @escaping () -> Void,
        tellStatus: @escaping (_ line: String, _ mayWait: Bool) -> Void = { _, _ in }
    ) {
        let modules = modules
        life.tellStatus = tellStatus
        modules.surroundings.turn.arm = armTurnEnd
        modules.surroundings.prompts.begin(on: loop) { self.endPromptsOfEnded() }
        // `untie` breaks the cycles.
        modules.surroundings.tasks.begin { body in self.start(body) }
        modules.settings.onChange = { changed, before, request in
            let names = changed.map(\.name)
            modules.audit.journal.log(.notice, "[AutoFill] Settings changed", settings: names.joined(separator: " "))
            modules.events.announce(.settingsChanged(names, before: before), causedBy: request)
        }
        modules.vault.keyFile = { keyFile(modules.settings.effective) }
        if let person = modules.authoriser.prompts.person as? PromptedPerson {
            person.place = { self.promptPlace }
            person.onUnavailable = { modules.audit.journal.log(.warning, "[AutoFill] Cannot ask the user: \($0)") }
        }
        modules.vault.notices.unlocked.tell = { modules.authoriser.prompts.noteUnlocked() }
        modules.vault.notices.locked.tell = { modules.forgetNames() }
        modules.vault.noteExposure()
    }

    /// Forgets who is told of what, so that nothing keeps the modules and the loop.
    func untie() {
        modules.surroundings.tasks.end()
        modules.surroundings.turn.arm = {}
        modules.surroundings.prompts.end()
        life.tellStatus = { _, _ in }
        modules.settings.onChange = { _, _, _ in }
        modules.vault.keyFile = { nil }
        modules.vault.notices.unlocked.tell = {}
        modules.vault.notices.locked.tell = {}
        guard let person = modules.authoriser.prompts.person as? PromptedPerson else { return }
        person.place = { (nil, PrompterList(), nil) }
        person.onUnavailable = { _ in }
    }

    private func start(_ body: @escaping TaskStarter.Body) -> Task<Void, Never> {
        Task.immediate {
            await body()
            self.modules.surroundings.turn.arm()
        }
    }

    // MARK: - Connections

    /// A new connection.
    package func connect(_ peer: sending Peer) -> SessionID { sessions.add(peer).id }

    package func disconnect(_ id: SessionID) {
        guard let session = sessions.remove(id) else { return }
        modules.events.forget(id)
        modules.attachments.detach(id)
        // Nobody would be told what came of it, nor get a recovery key that was drawn for it.
        for request in session.waiting.values { request.cancel() }
        modules.surroundings.turn.arm()
    }

    /// Another process than the one that connected has sent something, and nothing is known of it.
    package func noteOtherSender(_ id: SessionID) { sessions[id]?.arriving.hasOtherSender = true }

    /// Whether the connection has said who it is.
    package func hasGreeted(_ id: SessionID) -> Bool { sessions[id]?.app != nil }

    /// Whether requests of this connection still wait.
    package func hasWaiting(_ id: SessionID) -> Bool { sessions[id]?.waiting.isEmpty == false }

    /// Whether nothing more is to be taken from this connection for now: it is being greeted, or so much of it waits for the vault.
    package func takesNothing(from id: SessionID) -> Bool {
        guard let session = sessions[id] else { return false }
        if session.app == nil { return !session.waiting.isEmpty }
        return modules.vault.isAway && session.waiting.count >= Limits.waitingRequests
    }

    /// Tells whether a client takes what it is sent. While it does not its events wait, up to a limit.
    package func setTaking(_ isTaking: Bool, _ id: SessionID) {
        guard let session = sessions[id] else { return }
        modules.events.setTaking(isTaking, session)
    }

    /// Answers all that waits with `stopping`.
    package func stopWaiting(_ id: SessionID) {
        guard let session = sessions[id] else { return }
        for request in session.waiting.values { stop(request) }
        modules.surroundings.turn.arm()
    }

    /// Answers a request that waits with `stopping`.
    func stop(_ request: RequestContext) {
        request.session.waiting[request.id] = nil
        refuse(request, RefusedRequest(.stopping))
        request.cancel()
    }

    // MARK: - The turn's end

    /// Bytes that were written and have not left.
    package var outgoingBytes: Int { outbox.count }

    /// Gives `send` what leaves at the end of a turn. What was released with it is on record since before it was written.
    package func endTurn<Result>(_ send: (borrowing Outbox) -> Result) -> Result {
        modules.events.write(into: &outbox)
        defer {
            if outbox.count > 0 { noteAnswered() }
            outbox.reset()
        }
        tellStatus()
        return send(outbox)
    }

    private func noteAnswered() {
        life.hasAnswered = true
        if life.formsWait { prepareForms(isAwaited: false) }
    }

    /// Takes what the journal is to have, after the answers have left.
    package func takeJournal() -> [JournalEvent] { modules.audit.journal.take() }

    /// Whether there is something that `syncReleases` would bring to the disk; within a second of its coming about.
    package var hasUnsyncedReleases: Bool { modules.vault.hasUnsyncedReleases }

    package func syncReleases() throws(VaultError) { try modules.vault.syncReleases() }
}
