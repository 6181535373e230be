// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import CredentialStorage
package import Credentials
internal import Settings

/// Events: who gets which, and how they leave.
package final class EventHub {
    /// Names this run of the daemon.
    package let epoch: String
    private let apps: AppDirectory
    private let settings: SettingsInForce
    private let environment: ServiceContext
    private let grants: GrantReader
    private var subscribers: [SessionID: Session] = [:]
    /// Those that have events to be sent.
    private var leaving: [SessionID] = []

    init(
        _ apps: AppDirectory, _ settings: SettingsInForce, _ grants: GrantReader, _ environment: ServiceContext
    ) {
        self.apps = apps
        self.grants = grants
        self.settings = settings
        self.environment = environment
        var entropy = environment.entropy
        epoch = (0..<2).map { _ in String(UInt64.random(in: 1 << 63 ... .max, using: &entropy), radix: 16) }.joined()
    }

    /// Sends events to a connection from now on. May be repeated.
    ///
    /// - Returns: the number of its last event.
    func subscribe(_ session: Session) -> Int {
        if session.events == nil {
            session.events = EventQueue()
            subscribers[session.id] = session
        }
        return session.events?.sequence ?? 0
    }

    func forget(_ session: SessionID) { subscribers[session] = nil }

    /// Notifies the subscribers that may receive the event. Events leave at the end of the turn, after the answers of the turn, in the
    /// order in which they are announced; to the connection that has caused one, after the answer to the request that did.
    ///
    /// - Parameter request: what caused it: the event names it to its connection.
    package func announce(_ event: ServiceEvent, causedBy request: RequestContext?) {
        guard !subscribers.isEmpty else { return }
        let time = environment.clock.now.description
        // Looked up once for each app, however many connections it has.
        var recipients: [Recipient: Bool] = [:]
        for session in subscribers.values {
            guard let content = content(of: event, for: session, &recipients) else { continue }
            let cause = request.flatMap { $0.session === session ? $0.id : nil }
            session.events?.append(at: time) { sequence in
                EventNotice(content, epoch: epoch, sequence: sequence, at: time, causedBy: cause)
            }
            send(to: session)
        }
    }

    /// Notes whether a client reads what it is sent. While it does not its events wait, up to a limit.
    func setReading(_ isTaking: Bool, _ session: Session) {
        guard session.events != nil else { return }
        session.events?.isBlocked = !isTaking
        if isTaking { send(to: session) }
    }

    private func send(to session: Session) {
        guard let events = session.events, !events.isBlocked, !events.isEmpty else { return }
        leaving.append(session.id)
        environment.turn.arm()
    }

    /// Writes what leaves, behind the answers of the turn.
    func write(into outbox: inout Outbox) {
        guard !leaving.isEmpty else { return }
        var held: [SessionID] = []
        for id in leaving {
            guard let session = subscribers[id], session.events?.isBlocked == false,
                let notices = session.events?.take(epoch: epoch, while: { !session.awaitsAnswer($0.causedBy) })
            else { continue }
            outbox.write(for: id) { writer in
                for notice in notices { writer.notify(notice) }
            }
            if session.events?.isEmpty == false, !held.contains(id) { held.append(id) }
        }
        leaving.removeAll(keepingCapacity: true)
        leaving += held
    }

    /// What the client may be notified of; nil for nothing. An app is notified of what concerns itself and its own services. A client
    /// that greets as `autofillctl`, which proves nothing, is notified that something changed, without the app and the site.
    private func content(
        of event: ServiceEvent, for session: Session, _ recipients: inout [Recipient: Bool]
    ) -> EventNotice.Content? {
        let isCommandLine = session.isCommandLine
        switch event {
        case .vaultLocked(let cause): return .vaultLocked(cause: cause.rawValue)
        case .vaultUnlocked: return .vaultUnlocked
        case .settingsChanged(let names, let before):
            let app = session.app?.bundleID
            let now = settings.appSettings(of: app)
            if isCommandLine { return .settingsChanged(now, changed: names) }
            return now == settings.appSettings(of: app, in: before) ? nil : .settingsChanged(now, changed: nil)
        case .credentialsChanged(let id, let services, let change):
            if isCommandLine { return .credentialsChanged(service: nil, credential: nil, change: nil) }
            guard let app = session.app, let subject = app.subject else { return nil }
            // By the first of its services about which the app may be notified.
            let received = services.first { service in
                guard serves(session, service) || apps.accessesAsPage(service, app) else { return false }
                // The user's consent for a page is for its whole site.
                let granted = apps.granted(service, app)
                let consent = session.consents.ownData
                let recipient = Recipient(
                    subjects: app.subjects, owner: app.owner, consent: consent, service: granted)
                let mayReceive =
                    recipients[recipient] ?? grants.mayReceive(of: id, granted, subject, app, consent: consent)
                recipients[recipient] = mayReceive
                return mayReceive || session.memory.ownership.written[service]?.contains(id) == true
            }
            guard let service = received else { return nil }
            return .credentialsChanged(
                service: ServiceIdentifier(service), credential: id.description, change: change.rawValue)
        case .allCredentialsChanged:
            guard isCommandLine || session.app?.isConsistent == true else { return nil }
            return .credentialsChanged(service: nil, credential: nil, change: nil)
        case .loginStatusChanged(let app, let isSignedIn):
            guard let own = session.app, own.isConsistent, own.bundleID.text == app else { return nil }
            return .loginStatusChanged(isSignedIn: isSignedIn)
        case .associationChanged(let service):
            if isCommandLine { return .associationChanged(service: nil) }
            guard serves(session, service) else { return nil }
            return .associationChanged(service: ServiceIdentifier(service))
        }
    }

    /// Whether the service is one of the app's own: among its associated domains, as it is registered now.
    private func serves(_ session: Session, _ service: Service) -> Bool {
        guard session.app?.isConsistent == true else { return false }
        return session.memory.decisions.serves(service, at: environment.revision.number) {
            let name = try? DomainName(service.value)
            // A site that speaks for a wildcard need not be covered by it.
            return apps.registration(of: session.app)?.entitlements.associatedDomains.contains { entry in
                name.map { entry.covers($0) || entry.domain == $0 } ?? false
            } ?? false
        }
    }
}

/// A recipient, for which one event is checked once: at a service, or the site that a page belongs to.
private struct Recipient: Hashable {
    let subjects: [Subject]
    /// Whose data it may be notified of, where nothing distinguishes the program, and whose the user gave it.
    let owner: Subject?
    let consent: Subject?
    let service: Service
}

extension Session {
    /// Whether a request of the connection still waits; false for nil.
    fileprivate func awaitsAnswer(_ request: RequestID?) -> Bool { request.map { waiting[$0] != nil } ?? false }

    /// The bundle ID under which `autofillctl` greets: reserved, but open to anyone, since it gives no right.
    static let commandLineBundleID = "org.autofilld.autofillctl"

    /// Whether the client is `autofillctl`, or another program that claims to be it and that no evidence contradicts.
    var isCommandLine: Bool {
        guard let app, app.isConsistent else { return false }
        return app.bundleID.text == Self.commandLineBundleID
    }
}

extension ServiceIdentifier {
    package init(_ service: Service) { self.init(type: service.kind.rawValue, value: service.value) }
}
