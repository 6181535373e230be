// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import PeerIdentity
internal import Reasons
internal import Settings

/// What is written to the journal, and how.
extension AutofillBroker {
    /// Whether something of this importance is written at all.
    func isLogged(_ level: DaemonSettings.LogLevel) -> Bool { level >= configuration.settings.logLevel }

    /// Something that no client did.
    func log(_ level: DaemonSettings.LogLevel, _ message: @autoclosure () -> String, settings: String? = nil) {
        guard isLogged(level) else { return }
        journal.append(JournalEvent(level: level, message: message(), settings: settings))
    }

    /// Something about an app: a refusal is a notice, or where something is broken an error; all else is information,
    /// unless it is told to be less.
    func journal(
        _ message: @autoclosure () -> String, _ refusal: Refusal?, _ method: Method, _ client: Client, domain: String?,
        level: DaemonSettings.LogLevel = .info, isRelease: Bool = false
    ) {
        let level: DaemonSettings.LogLevel = refusal.map { $0.reason.isFault ? .error : .notice } ?? level
        guard isLogged(level) else { return }
        let app = client.app?.bundleID.text ?? ""
        let program = client.journalAccount
        let event = JournalGate.Event(method: method, reason: refusal?.reason, domain: domain)
        // What is for whoever looks for a fault takes no refusal's place.
        let admitted =
            level < .info
            ? gateOfDetails.admit(app: app, program: program, event: event, at: now)
            : gate.admit(app: app, program: program, event: event, at: now)
        guard let leftOut = admitted else { return }
        let evidence = client.peer.evidence
        journal.append(
            JournalEvent(
                level: level, message: message(), refusal: refusal,
                asker: JournalEvent.Asker(
                    bundleID: app, assurance: client.app?.subject?.assurance, processID: evidence.process,
                    executable: evidence.executable.path, unit: evidence.controlGroup?.unit),
                method: method.rawValue, domain: domain.flatMap(journalName), leftOut: leftOut, isRelease: isRelease))
    }

    /// That a request was done, for whoever looks for a fault.
    func noteAnswer(_ method: Method, _ client: Client) {
        journal(
            "[AutoFill] Answered \(method.rawValue) of app bundleID: \(client.app?.bundleID.text ?? "")", nil, method,
            client, domain: nil, level: .debug)
    }

    /// A domain as the journal may have it.
    private func journalName(of domain: String) -> String? {
        switch configuration.settings.journalDomains {
        case .full: domain
        case .hashed: "#" + domainNames.name(of: domain)
        case .hidden: nil
        }
    }
}
