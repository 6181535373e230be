// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
package import AutofillProtocol
package import ConfigurationFiles
internal import CredentialStorage
package import Credentials
internal import DequeModule
internal import PeerIdentity
package import Prompting
internal import Reasons
internal import SecretMemory
package import Settings

/// Answers requests. It belongs to one thread (the server's event loop) and never waits: what takes long it gives back as
/// `Deferred`.
package final class AutofillBroker {
    package struct Configuration {
        package var version: String
        package var isEphemeral: Bool
        package var layers: SettingsLayers
        /// nil where changes are kept in memory only.
        package var settingsFiles: SettingsFiles?
        package var settingsPath: String
        package var registrations: RegistrationDirectories
        /// Where registrations were looked for.
        package var registrationPaths: [String]
        package var consent: Consent
        /// What is publicly known of sites.
        package var sites: SiteKnowledgeFile
        package var now: () -> Timestamp

        package init(
            version: String, isEphemeral: Bool, settings: SettingsLayers, settingsFiles: SettingsFiles?,
            settingsPath: String,
            registrations: RegistrationDirectories, registrationPaths: [String], consent: Consent,
            sites: SiteKnowledgeFile = SiteKnowledgeFile(nil, userID: 0), now: @escaping () -> Timestamp
        ) {
            self.version = version
            self.isEphemeral = isEphemeral
            self.layers = settings
            self.settingsFiles = settingsFiles
            self.settingsPath = settingsPath
            self.registrations = registrations
            self.registrationPaths = registrationPaths
            self.consent = consent
            self.sites = sites
            self.now = now
        }

        /// What is in force.
        package var settings: DaemonSettings { layers.effective }
    }

    package internal(set) var configuration: Configuration
    let vault: OpenVault
    var clients: [ClientID: Client] = [:]
    /// Events that wait until the answers are on their way.
    package internal(set) var journal: [JournalEvent] = []
    var gate: JournalGate
    var gateOfDetails: JournalGate
    /// For refusals in the record: what was released is always on it.
    var gateOfRecord: JournalGate
    /// The domain that the request which is being performed has named, for the journal.
    var namedDomain: String?
    var entropy = SystemEntropy()
    /// Key derivations that run or wait, in the whole daemon; and those of them that are apps' verifiers.
    private var derivations = 0
    private var verifiers: [BundleIdentifier: Int] = [:]
    /// Domains that were asked for lately, as written and in canonical form: checking one costs more than the rest of a
    /// look-up's parameters.
    var knownDomains: [String: Service] = [:]
    /// When offers were last looked through for those that have expired.
    var lastExpiry = Timestamp(milliseconds: 0)
    /// How many new credentials each app has made since the start.
    var madeCredentials: [String: Int] = [:]
    /// How often another file had taken the vault's place when connections last forgot what is their own in it.
    var knownReplacements = 0
    var lastStatusLine = ""
    /// Grows whenever what a decision rests on has changed: settings, registrations, grants.
    var generation: UInt64 = 0
    /// Work of the daemon's own on the vault that is to be run, and when there was some last.
    var chore: Deferred.Work?
    var lastChores: Timestamp?
    /// When something was last asked for that needs the vault.
    var lastUse: Timestamp
    /// Whose request is performed, for the events that it brings about.
    var acting: (client: ClientID, request: RequestID)?
    /// The connections that are told of events.
    var subscribers: Set<ClientID> = []
    /// Names this run of the daemon.
    let epoch: String
    /// Why the vault was locked, while it is.
    var lockedBy: ServiceEvent.LockCause?
    /// Why it is to be locked when another thread gives it back, and who waits for that.
    var lockOnReturn: ServiceEvent.LockCause?
    var whenLocked: [() -> Void] = []
    /// What keeps the vault shut by the settings: the locked session, sleep.
    var shutBy: Set<ServiceEvent.LockCause> = []
    /// What stands for domains in the journal where they are hashed.
    let domainNames: PseudonymKey
    /// How much was found wrong with the vault when it was last looked at.
    var unsound = 0
    var waitingRoom = WaitingRoom()
    /// What is known of sites, as far as it was asked for since the start; the vault has it all.
    var associations: [AssociationQuery: KnownAssociation] = [:]
    /// How many attempts have ended, and with which number each site's last.
    var concluded: UInt64 = 0
    var concludedAt: [AssociationQuery: UInt64] = [:]
    /// The person's words about domains that were looked up at this generation; nil for none.
    var decisions: (generation: UInt64, known: [String: DomainDecision?]) = (0, [:])
    /// When the sites were last looked through for those to ask again.
    var lastRefresh = Timestamp(milliseconds: 0)
    /// When the registrations were last looked at.
    var lastReload = Timestamp(milliseconds: 0)
    /// Wrong passwords that could not be noted in the vault.
    var unnotedFailures: [ObjectID: UnnotedFailure] = [:]
    var denials = Denials()
    var attached: AttachedTerminal?
    var deliveries: Deque<Delivery> = []
    /// Codes that came in, by the id that they are filled by.
    var offeredCodes: [String: OfferedCode] = [:]
    var generators = RecentGenerators()
    private var scanner = JSONScanner(maximumDepth: Limits.depth)
    private var lastClient: UInt64 = 0

    package init(_ configuration: Configuration, vault: OpenVault) {
        self.configuration = configuration
        self.vault = vault
        lastUse = configuration.now()
        var entropy = SystemEntropy()
        domainNames = PseudonymKey(using: &entropy)
        epoch = (0..<2).map { _ in String(UInt64.random(in: 1 << 63 ... .max, using: &entropy), radix: 16) }.joined()
        gate = JournalGate(.journal, at: lastUse)
        gateOfDetails = JournalGate(.journal, at: lastUse)
        gateOfRecord = JournalGate(.record, at: lastUse)
    }

    var now: Timestamp { configuration.now() }

    /// A new connection.
    package func connect(_ peer: Peer) -> ClientID {
        lastClient += 1
        let id = ClientID(number: lastClient)
        clients[id] = Client(id, peer: peer)
        return id
    }

    package func disconnect(_ id: ClientID) {
        guard let client = clients.removeValue(forKey: id) else { return }
        subscribers.remove(id)
        if attached?.client == id { attached = nil }
        // Nobody would be told what came of it, nor get a recovery key that was drawn for it.
        stopVaultWork(of: id)
        guard !client.waiting.isEmpty else { return }
        client.waiting.removeAll()
        waitingRoom.leave { $0.client == id }
    }

    /// Answers one line, without its line feed, into `writer`; a message without an answer writes nothing. What has to wait
    /// comes back instead.
    package func receive(
        _ line: UnsafeRawBufferPointer, from id: ClientID, into writer: inout JSONWriter
    ) -> Deferred? {
        guard let client = clients[id] else { return nil }
        var deferred: Deferred?
        do throws(JSONError) {
            try scanner.scan(line) { value throws(JSONError) in
                deferred = answer(value, from: client, into: &writer)
            }
        } catch {
            writer.reject(
                nil, ProtocolProblem(.notJSON, detail: "\(error.problem.message), at byte \(error.offset)"))
        }
        return deferred
    }

    private func answer(_ line: JSONValue, from client: Client, into writer: inout JSONWriter) -> Deferred? {
        do throws(Request.Failure) {
            let request = try Request(line)
            if let id = request.id, client.waiting.contains(id) {
                writer.reject(id, ProtocolProblem(.idInUse))
                return nil
            }
            return dispatch(request, from: client, into: &writer).flatMap { admit($0, client, &writer) }
        } catch {
            writer.reject(error.id, error.problem)
            return nil
        }
    }

    /// Lets a request wait, if not too many do; when it is taken back meanwhile, nothing comes of it.
    func admit(_ deferred: Deferred, _ client: Client, _ writer: inout JSONWriter) -> Deferred? {
        guard client.waiting.count < Limits.waitingRequests else {
            writer.refuse(deferred.id, [Refusal(.tooManyRequests)])
            drop(deferred)
            return nil
        }
        guard hasRoom(for: deferred.work, client) else {
            writer.refuse(deferred.id, [Refusal(.keyDerivationBusy, retryAfterMilliseconds: 2000)])
            return nil
        }
        let derives = !deferred.work.hasVault
        if derives { derivations += 1 }
        let verifying = deferred.work.isVerifier ? client.app?.bundleID : nil
        if let verifying { verifiers[verifying, default: 0] += 1 }
        client.waiting.insert(deferred.id)
        return Deferred(id: deferred.id, work: deferred.work) { [unowned self, weak client] derived, writer in
            if let verifying {
                let left = verifiers[verifying, default: 1] - 1
                verifiers[verifying] = left > 0 ? left : nil
            }
            if derives { derivations -= 1 } else { takeVaultBack() }
            guard let client, clients[client.id] === client, client.waiting.remove(deferred.id) != nil else {
                return nil
            }
            return deferred.resume(derived, &writer).flatMap { admit($0, client, &writer) }
        }
    }

    /// Whether work may wait for the thread that runs it. Verifiers leave room for the person's proof.
    private func hasRoom(for work: Deferred.Work, _ client: Client) -> Bool {
        if work.hasVault { return true }
        guard derivations < Limits.waitingKeyDerivations else { return false }
        guard work.isVerifier, let app = client.app?.bundleID else { return true }
        return verifiers.values.reduce(0, +) < Limits.waitingVerifiers
            && verifiers[app, default: 0] < Limits.waitingVerifiersPerApp
    }

    /// Nothing will come of what has to wait.
    package func drop(_ deferred: Deferred) {
        if deferred.work.hasVault { takeVaultBack() }
    }

    /// Whether the connection has said who it is.
    package func hasGreeted(_ id: ClientID) -> Bool { clients[id]?.app != nil }

    /// Whether requests of this connection still wait.
    package func hasWaiting(_ id: ClientID) -> Bool { clients[id]?.waiting.isEmpty == false }

    /// Whether so much of this connection waits for the vault to come back that nothing more is taken from it meanwhile.
    package func isHeldUp(_ id: ClientID) -> Bool {
        vault.isAway && (clients[id]?.waiting.count ?? 0) >= Limits.waitingRequests
    }

    /// Whether another thread has the vault for itself.
    package var isVaultAway: Bool { vault.isAway }

    /// Answers all that waits with `stopping`.
    package func stopWaiting(_ id: ClientID, into writer: inout JSONWriter) {
        guard let client = clients[id] else { return }
        for request in client.waiting { writer.refuse(request, [Refusal(.stopping)]) }
        client.waiting.removeAll()
        waitingRoom.leave { $0.client == id }
    }

    /// Answers what a request that waits asked, with what was derived for it; or has it wait for a further part.
    package func resume(
        _ deferred: Deferred, with derived: Deferred.Derived, into writer: inout JSONWriter
    ) -> Deferred? {
        deferred.resume(derived, &writer)
    }

    /// Makes the record of what was released in this turn of the loop, before the answers leave. Throws when it cannot be
    /// written: then they must not leave.
    package func commitReleases() throws {
        try vault.atHand?.commitReleases()
    }

    /// Brings the record of releases to the disk; called at least once a second while there is something to bring.
    package func syncReleases() throws {
        try vault.atHand?.syncReleases(at: now)
    }

    package var hasUnsyncedReleases: Bool { vault.atHand?.hasUnsyncedReleases ?? false }

    /// Takes the events out.
    package func takeJournal() -> [JournalEvent] {
        defer { journal.removeAll(keepingCapacity: true) }
        return journal
    }

    /// Closes the vault, for the end.
    package func close() {
        vault.opened?.close(at: now)
    }
}
