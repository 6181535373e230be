// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import PeerIdentity
internal import Reasons
internal import Settings

/// What is written to the journal, and how much of it.
final class Journal {
    /// What waits until the answers have left.
    private var waiting: [JournalEvent] = []
    private var limiter: LogRateLimiter
    /// For what helps to find a fault: it uses no quota of refusals.
    private var limiterOfDetails: LogRateLimiter
    /// What replaces domains where they are hashed.
    private let domainNames: PseudonymKey
    private let settings: SettingsInForce
    private let environment: ServiceContext

    init(_ settings: SettingsInForce, _ environment: ServiceContext) {
        self.settings = settings
        self.environment = environment
        var entropy = environment.entropy
        domainNames = PseudonymKey(using: &entropy)
        let now = environment.clock.steady.milliseconds
        limiter = LogRateLimiter(.journal, at: now)
        limiterOfDetails = LogRateLimiter(.journal, at: now)
    }

    func append(_ event: JournalEvent) {
        waiting.append(event)
        environment.turn.arm()
    }

    /// Takes the events out.
    func take() -> [JournalEvent] {
        guard !waiting.isEmpty else { return [] }
        defer { waiting.removeAll(keepingCapacity: true) }
        return waiting
    }

    /// Whether something of this importance is written at all.
    private func isLogged(_ level: DaemonSettings.LogLevel) -> Bool { level >= settings.effective.logLevel }

    func log(_ event: JournalEvent) { if isLogged(event.level) { append(event) } }

    /// Something that no client did.
    func log(_ level: DaemonSettings.LogLevel, _ message: @autoclosure () -> String, settings: String? = nil) {
        guard isLogged(level) else { return }
        append(JournalEvent(level: level, message: message(), settings: settings))
    }

    /// Something about an app: a refusal is a notice, or where something is broken an error; all else is information,
    /// unless the caller passes a lower level.
    func log(
        _ message: @autoclosure () -> String, _ refusal: Refusal?, _ method: Method, _ session: Session,
        domain: String?, level: DaemonSettings.LogLevel = .info
    ) {
        let level: DaemonSettings.LogLevel = refusal.map { $0.reason.isFault ? .error : .notice } ?? level
        guard isLogged(level) else { return }
        let app = session.app?.bundleID.text ?? ""
        let event = LogRateLimiter.Event(method: method, reason: refusal?.reason, domain: domain)
        let now = environment.clock.steady.milliseconds
        let admitted =
            level < .info
            ? limiterOfDetails.admit(app: app, program: session.peer.journalQuotaKey, event: event, at: now)
            : limiter.admit(app: app, program: session.peer.journalQuotaKey, event: event, at: now)
        guard let leftOut = admitted else { return }
        let evidence = session.peer.evidence
        append(
            JournalEvent(
                level: level, message: message(), refusal: refusal,
                requester: JournalEvent.Requester(
                    bundleID: app, assurance: session.app?.subject?.assurance, processID: evidence.process,
                    executable: session.programOnRecord, unit: evidence.controlGroup?.unit),
                method: method.rawValue, domain: domain.flatMap(shown), leftOut: leftOut))
    }

    /// A service without its query, its fragment and its user, any of which may be a token in one of the type `url`.
    private static func withoutSecrets(_ service: String) -> String {
        let path = service.prefix { $0 != "?" && $0 != "#" }
        guard let scheme = path.firstRange(of: "://") else { return String(path) }
        let authority = path[scheme.upperBound...].prefix { $0 != "/" }
        guard let user = authority.lastIndex(of: "@") else { return String(path) }
        return String(path[..<scheme.upperBound] + path[path.index(after: user)...])
    }

    /// A domain as the journal may have it.
    private func shown(_ domain: String) -> String? {
        switch settings.effective.journalDomains {
        case .full: Self.withoutSecrets(domain)
        case .hashed: "#" + domainNames.name(of: domain)
        case .hidden: nil
        }
    }
}
